import { get } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { at, type Event, milestones, nothing, recipients, record, useSimulation } from './event-state.ts';

const underTest = useSimulation();

describe('the verdict on a click', () => {
  const address = '198.51.100.7';
  const trace = { address, userAgent: 'Mozilla/5.0 (Windows NT 10.0)' };
  const sentAll = [1, 2, 3].map((number) => ({
    type: 'sent',
    occurredAt: at('08:00:00'),
    eventId: `sent-${number}`,
    learner: { id: learnerId('tenant', number as 1) },
  }));

  test('an automated visit is recorded without a milestone', async () => {
    await record(sentAll[0]!, { type: 'visited', occurredAt: at('08:00:01'), eventId: 'e1', evidence: trace });
    expect(await milestones()).toEqual({ ...nothing, sent: at('08:00:00') });
    const [event] = await testService.query(`select verdict, reasons from simulation_events where event_id = 'e1'`);
    expect(event).toEqual({ verdict: 'automated', reasons: ['seconds_after_delivery'] });
  });

  test('visits count until a third recipient visits from the same address, then none counts', async () => {
    await record(...sentAll);
    const visit = (number: 1 | 2 | 3, second: string): Event => ({
      type: 'visited',
      occurredAt: at(`08:30:0${second}`),
      eventId: `visit-${number}`,
      learner: { id: learnerId('tenant', number) },
      evidence: trace,
    });
    await record(visit(1, '1'));
    await record(visit(2, '2'));
    expect(await recipients('visited')).toHaveLength(2);
    await record(visit(3, '3'));
    expect(await recipients('visited')).toEqual([]);
    const all = await recipients();
    expect(all.map(({ withdrawn }) => withdrawn !== null)).toEqual([true, true, false]);
    const { data } = (await get(`/learners/${learnerId('tenant', 1)}/simulation-results`)).body;
    const result = data.find(({ simulationId }: { simulationId: string }) => simulationId === underTest.id);
    expect(result).toMatchObject({ visit: null, settledAt: null, withdrawn: all[0]!.withdrawn });
    expect((await get('/simulations')).body.data.find(({ id }: { id: string }) => id === underTest.id)).toMatchObject({
      visitCount: 0,
      sentCount: 3,
    });
  });

  test('a person in the same burst still counts by pointer input', async () => {
    await record(
      ...sentAll,
      ...[1, 2, 3].map((number) => ({
        type: 'visited',
        occurredAt: at(`08:30:0${number}`),
        eventId: `visit-${number}`,
        learner: { id: learnerId('tenant', number as 1) },
        evidence: { ...trace, input: number === 2 },
      })),
    );
    expect((await recipients('visited')).map(({ learner }) => learner.id as string)).toEqual([learnerId('tenant', 2)]);
  });

  test.each([
    ['no evidence', {}],
    ['only a late visit', trace],
  ])('the verdict of the sender applies if we see %s', async (_what, evidence) => {
    await record(sentAll[0]!, {
      type: 'visited',
      occurredAt: at('09:00:00'),
      eventId: 'e1',
      evidence: { ...evidence, verdict: 'automated' },
    });
    expect(await recipients('visited')).toEqual([]);
  });
});
