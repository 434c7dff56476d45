import fc from 'fast-check';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { recordEvents } from '../../../src/resources/simulations/events/simulation-events.ts';
import { assignFollowUpTraining } from '../../../src/resources/simulations/sending/assign-follow-up-training.ts';
import { get } from '../../support/client.ts';
import { forgetSimulations, makeMailedSimulation } from '../../support/own-simulations.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';
import { at, type Event, record, recipients, useSimulation } from '../simulations/event-state.ts';
import { correctedEvents as corrected, correctEvents as correct } from './event-correction-state.ts';

const underTest = useSimulation();
afterEach(() => testService.query('delete from corrections'));
afterEach(forgetSimulations);

test('after any corrections, milestones and verdicts follow only from the events that count', async () => {
  const event = fc.record({
    type: fc.constantFrom('sent', 'visited', 'visited', 'compromised', 'reported'),
    second: fc.constantFrom(2, 4, 550, 1100),
    learner: fc.constantFrom(1, 2, 3),
    isHidden: fc.constantFrom(false, false, true),
    address: fc.constantFrom('198.51.100.7', '198.51.100.7', '198.51.100.7', undefined),
  });
  const step = fc.record({ place: fc.nat({ max: 9 }), action: fc.constantFrom('void', 'restore', 'replace') });
  const seen = async () => {
    const rows = (await recipients()).map(({ learner, open, visit, compromise, report, sent }) => {
      return { id: learner.id, open, visit, compromise, report, sent };
    });
    const verdicts = await testService.query(
      `select event_id, verdict, signals, reasons from simulation_events where voided_at is null order by event_id`,
    );
    return [rows.filter(({ sent }) => sent !== null), verdicts];
  };
  const forget = () =>
    testService.query(
      `delete from corrections; delete from simulation_recipients where simulation_id = '${underTest.id}'`,
    );
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: 7 }),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (drawn, steps) => {
        const facts: Event[] = drawn.map(({ type, second, learner, isHidden, address }, index) => ({
          ...{ type, eventId: `p${index}`, learner: { id: learnerId('tenant', learner as 1) } },
          occurredAt: new Date(Date.parse(at('08:00:00')) + second * 1000).toISOString(),
          evidence: { hiddenLink: isHidden, ...(address && { address, userAgent: 'Mozilla/5.0' }) },
        }));
        const counting = new Map(facts.map((fact) => [fact.eventId, fact]));
        await forget();
        await record(...facts);
        for (const [index, { place, action }] of steps.entries()) {
          const fact = facts[place % facts.length]!;
          const { eventId } = fact;
          if (action === 'replace') {
            if (!counting.has(eventId)) continue;
            const replacement = { eventId: `r${index}`, type: 'visited', occurredAt: at('08:00:03') };
            await corrected({ eventId, action, replacement });
            facts.push({ ...fact, ...replacement });
            counting.set(replacement.eventId, facts.at(-1)!);
          } else await corrected({ eventId, action: action });
          if (action === 'restore') counting.set(eventId, fact);
          else counting.delete(eventId);
        }
        const after = await seen();
        await forget();
        if (counting.size > 0) await record(...counting.values());
        expect(after).toEqual(await seen());
      },
    ),
    { numRuns: 25 },
  );
});

describe('an event of a simulation that the service sent', () => {
  const pool = openServicePool(1);
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  afterAll(() => pool.end());

  /** Returns the ids of a sending and of a visit that the service recorded itself. */
  async function makeVisited(): Promise<{ id: string; sentId: string; visitId: string }> {
    const { id } = await makeMailedSimulation([1]);
    await testService.query(
      'update simulations set training_course_id = $2, training_course_owner_id = managed_catalogue() where id = $1',
      [id, managedCourses.phishing],
    );
    const [sentId, visitId] = [`own-${id}-sent`, `own-${id}-compromised`];
    const shared = { simulation: { id }, learner: { id: learnerId('tenant', 1) } };
    const visit = { ...shared, type: 'compromised' as const, eventId: visitId, evidence: { input: true } };
    await tenant.transaction((tx) =>
      recordEvents(tx, [
        { ...shared, type: 'sent', eventId: sentId, occurredAt: at('08:00:00') },
        { ...visit, occurredAt: at('08:30:00') },
      ]),
    );
    return { id, sentId, visitId };
  }

  const assign = async () => {
    const enrolled: string[] = [];
    await assignFollowUpTraining(tenant, (_tx, { learnerIds }) => Promise.resolve(enrolled.push(...learnerIds)));
    return enrolled;
  };

  test('is voided and restored but not replaced, and its sending cannot be corrected', async () => {
    const { id, sentId, visitId } = await makeVisited();
    const replacement = { eventId: 'visit-2', occurredAt: at('09:00:00') };
    const { body } = await correct(
      { eventId: sentId, action: 'void' },
      { eventId: visitId, action: 'replace', replacement },
      { eventId: visitId, action: 'void' },
    );
    expect(body.data).toMatchObject({
      completed: [{ index: 2, changed: true }],
      failures: [
        { index: 0, code: 'sent_by_service' },
        { index: 1, code: 'not_replaceable' },
      ],
    });
    const read = async () => (await get(`/simulations/${id}`)).body.data.recipients[0];
    expect(await read()).toMatchObject({ sent: at('08:00:00'), visit: null, compromise: null });
    await corrected({ eventId: visitId, action: 'restore' });
    expect(await read()).toMatchObject({ visit: at('08:30:00'), compromise: at('08:30:00') });
  });

  test('assigns training once after a visit that counts, and a later void does not undo that', async () => {
    const { id, visitId } = await makeVisited();
    await corrected({ eventId: visitId, action: 'void' });
    expect(await assign()).toEqual([]);
    await corrected({ eventId: visitId, action: 'restore' });
    expect(await assign()).toEqual([learnerId('tenant', 1)]);
    await corrected({ eventId: visitId, action: 'void' });
    await corrected({ eventId: visitId, action: 'restore' });
    expect(await assign()).toEqual([]);
    const [recipient] = await testService.query('select * from simulation_recipients where simulation_id = $1', [id]);
    expect(recipient!.training_assigned_at).not.toBeNull();
  });
});
