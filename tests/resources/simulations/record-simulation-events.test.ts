import fc from 'fast-check';
import { expectError, get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { at, type Event, milestones, nothing, recipients, record, useSimulation } from './event-state.ts';

const underTest = useSimulation();

describe('POST /simulation-events', () => {
  test('the first event makes a learner a recipient, and metrics count the events', async () => {
    const { status, body } = await record(
      { type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1' },
      { type: 'visited', occurredAt: at('08:05:00'), eventId: 'e2' },
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({
      success: true,
      completed: [
        { index: 0, eventId: 'e1' },
        { index: 1, eventId: 'e2' },
      ],
      failures: [],
      errors: [],
    });
    expect(await recipients('visited')).toMatchObject([
      { learner: { id: learnerId('tenant', 1) }, sent: at('08:00:00'), open: at('08:05:00'), visit: at('08:05:00') },
    ]);
    const { simulations } = (await get('/simulations/metrics')).body.data;
    expect(simulations.find(({ id }: { id: string }) => id === underTest.id)).toMatchObject({
      recipientCount: 1,
      sentCount: 1,
      openCount: 1,
      visitCount: 1,
      compromiseCount: 0,
    });
  });

  test('finds learners by id, e-mail in any case and external id, and simulations by either id', async () => {
    await testService.query('update learners set external_learner_id = $1 where id = $2', [
      'HR-9',
      learnerId('tenant', 3),
    ]);
    const { body } = await record(
      { type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1', learner: { email: 'LEARNER2@tenant.test' } },
      { type: 'sent', occurredAt: at('08:00:00'), eventId: 'e2', learner: { externalLearnerId: ' HR-9 ' } },
      { type: 'sent', occurredAt: at('08:00:00'), eventId: 'e3', simulation: { id: underTest.id } },
    );
    expect(body.data.success).toBe(true);
    const ids = (await recipients()).map(({ learner }) => learner.id as string);
    expect(ids).toEqual([1, 2, 3].map((number) => learnerId('tenant', number as 1)));
  });

  test('an unknown, foreign or implausible event fails individually with a code', async () => {
    const sent = (eventId: string, more: object): Event => ({
      type: 'sent',
      occurredAt: at('08:00:00'),
      eventId,
      ...more,
    });
    const { status, body } = await record(
      sent('e1', {}),
      sent('e2', { learner: { id: learnerId('other', 1) } }),
      sent('e3', { learner: { email: 'nobody@tenant.test' } }),
      sent('e5', { simulation: { id: simulationId('other', 1) } }),
      sent('e6', { simulation: { externalId: 'another' } }),
      sent('e7', { occurredAt: '2099-01-01T00:00:00Z' }),
      sent('e8', { occurredAt: '1926-01-01T00:00:00Z' }),
      sent('e1', { type: 'visited' }),
    );
    expect(status).toBe(200);
    expect(body.data.success).toBe(false);
    expect(body.data.completed).toEqual([{ index: 0, eventId: 'e1' }]);
    expect(body.data.failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, 'learner_not_found'],
      [2, 'learner_not_found'],
      [3, 'simulation_not_found'],
      [4, 'simulation_not_found'],
      [5, 'time_not_plausible'],
      [6, 'time_not_plausible'],
      [7, 'event_id_reused'],
    ]);
    expect(await milestones()).toEqual({ ...nothing, sent: at('08:00:00') });
  });

  test('an event of a deleted simulation fails individually, even if it was recorded before', async () => {
    const click = { type: 'visited', occurredAt: at('08:05:00'), eventId: 'e1' };
    await record(click);
    await testService.query('delete from simulations where external_id is not null');
    expect((await record(click)).body.data.failures).toMatchObject([{ code: 'simulation_not_found' }]);
  });

  test('a repeated event succeeds without a change, even in another spelling', async () => {
    const click = { type: 'visited', occurredAt: at('08:05:00'), eventId: 'e1', evidence: { input: true } };
    await record(click);
    const before = await testService.query('select * from simulation_events');
    const { body } = await record({
      ...click,
      occurredAt: '2026-05-04T10:05:00+02:00',
      learner: { email: 'learner1@tenant.test' },
    });
    expect(body.data).toMatchObject({ success: true, completed: [{ index: 0, eventId: 'e1' }] });
    expect(await testService.query('select * from simulation_events')).toEqual(before);
  });

  test.each([
    ['another time', { occurredAt: at('08:06:00') }],
    ['another type', { type: 'opened' }],
    ['another learner', { learner: { id: learnerId('tenant', 2) } }],
    ['another simulation', { simulation: { id: simulationId('tenant', 5) } }],
    ['other evidence', { evidence: { input: false } }],
  ])('an event id reused with %s fails with event_id_reused', async (_case, change) => {
    const click = { type: 'visited', occurredAt: at('08:05:00'), eventId: 'e1', evidence: { input: true } };
    await record(click);
    const { body } = await record({ ...click, ...change });
    expect(body.data.failures).toMatchObject([{ index: 0, eventId: 'e1', code: 'event_id_reused' }]);
  });

  test('milestones stored in another way are kept when an event is recorded', async () => {
    const running = { id: simulationId('tenant', 5) };
    const stored = async () => {
      const { body } = await get(`/simulations/${running.id}`);
      return body.data.recipients[0];
    };
    const before = await stored();
    await record({ simulation: running, type: 'reported', occurredAt: '2026-03-02T09:00:00Z', eventId: 'e1' });
    expect(await stored()).toEqual({ ...before, report: '2026-03-02T09:00:00.000Z' });
    await testService.query(
      `update simulation_recipients set evaluated_at = now(), reported_at = null where simulation_id = $1`,
      [running.id],
    );
    await testService.query('delete from simulation_events');
  });

  test('the same events yield the same record in any order and any number of calls', async () => {
    const types = ['scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported'] as const;
    const event = fc.record({
      type: fc.constantFrom(...types),
      second: fc.integer({ min: 0, max: 90 }),
      learner: fc.constantFrom(1, 2, 3),
      hasInput: fc.boolean(),
      isHidden: fc.boolean(),
      address: fc.constantFrom('198.51.100.7', '203.0.113.9', undefined),
    });
    const seen = async () => {
      const rows = await recipients();
      const verdicts = await testService.query(
        `select event_id, verdict, signals, reasons from simulation_events order by event_id`,
      );
      return [rows.map(({ id: _id, withdrawn: _withdrawn, ...rest }) => rest), verdicts];
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 2, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (drawn, random) => {
          const events: Event[] = drawn.map(({ type, second, learner, hasInput, isHidden, address }, index) => ({
            type,
            occurredAt: new Date(Date.parse(at('08:00:00')) + second * 1000).toISOString(),
            eventId: `p${index}`,
            learner: { id: learnerId('tenant', learner as 1) },
            evidence: { input: hasInput, hiddenLink: isHidden, ...(address && { address, userAgent: 'Mozilla/5.0' }) },
          }));
          const forget = () =>
            testService.query('delete from simulation_recipients where simulation_id = $1', [underTest.id]);
          await record(...events);
          const together = await seen();
          await forget();
          const shuffled = events
            .map((one) => [random.next().value as number, one] as const)
            .toSorted((a, b) => a[0] - b[0]);
          for (const [, one] of shuffled) expect((await record(one)).body.data.success).toBe(true);
          expect(await seen()).toEqual(together);
          await forget();
        },
      ),
      { numRuns: 12 },
    );
  });

  test('twenty simultaneous calls about one recipient record every milestone', async () => {
    const types = ['sent', 'opened', 'visited', 'compromised', 'reported'];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        record({ type: types[index % 5]!, occurredAt: at(`08:${10 + index}:00`), eventId: `e${index}` }),
      ),
    );
    expect(await milestones()).toEqual({
      ...nothing,
      sent: at('08:10:00'),
      open: at('08:11:00'),
      visit: at('08:12:00'),
      compromise: at('08:13:00'),
      report: at('08:14:00'),
    });
  });

  test('an event of a deleted simulation fails with simulation_not_found', async () => {
    await record({ type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1' });
    await testService.query('delete from simulations where id = $1', [underTest.id]);
    const { body } = await record({ type: 'visited', occurredAt: at('08:01:00'), eventId: 'e2' });
    expect(body.data.failures).toMatchObject([{ code: 'simulation_not_found' }]);
  });

  test('a call accepts 10,000 events and a recipient 5,000, and more are rejected', async () => {
    const events = Array.from({ length: 10_000 }, (_, index) => ({
      type: 'visited',
      occurredAt: at('08:05:00'),
      eventId: `n${index}`,
      learner: { id: learnerId('tenant', index % 2 === 0 ? 1 : 2) },
    }));
    expect((await record(...events)).body.data).toMatchObject({ success: true, failures: [] });
    expectError(await record(...events, { ...events[0]!, eventId: 'more' }), 400, 'invalid_request');
    const { body } = await record({ ...events[0]!, eventId: 'more' }, events[0]!);
    expect(body.data.failures).toMatchObject([{ index: 0, code: 'too_many_events' }]);
    expect(body.data.completed).toMatchObject([{ index: 1 }]);
  });

  test('events of more than 100 simulations return 400', async () => {
    const events = Array.from({ length: 101 }, (_, index) => ({
      ...{ type: 'sent', occurredAt: at('08:05:00'), eventId: `s${index}` },
      simulation: { externalId: `of-${index}` },
    }));
    const answer = await record(...events);
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.error!.details).toEqual([
      { field: 'body/events', message: 'must name at most 100 simulations' },
    ]);
  });

  test('an external learner id is found despite surrounding spaces', async () => {
    await testService.query('update learners set external_learner_id = $1 where id = $2', [
      'HR-1',
      learnerId('tenant', 1),
    ]);
    const sent = { type: 'sent', occurredAt: at('08:05:00'), eventId: 'e1', learner: { externalLearnerId: ' HR-1 ' } };
    expect((await record(sent)).body.data).toMatchObject({ success: true });
    const again = await post('/learners', {
      ...{ email: 'another@tenant.test', firstName: 'A', lastName: 'B', externalLearnerId: ' HR-1 ' },
    });
    expectError(again, 400, 'external_learner_id_taken');
  });

  test.each([
    ['no learner', { learner: {} }],
    ['an invalid id', { learner: { id: 'no id at all' } }],
    ['a leap second', { occurredAt: '2016-12-31T23:59:60Z' }],
    ['two ways to name the learner', { learner: { id: learnerId('tenant', 1), email: 'learner1@tenant.test' } }],
    ['an unknown type', { type: 'forwarded' }],
    ['an invalid time', { occurredAt: 'yesterday' }],
    ['an event id with a space', { eventId: 'e 1' }],
    ['a typed password', { evidence: { password: 'secret' } }],
    ['an address with leading zeros', { evidence: { address: '198.051.100.007' } }, 'body/events/0/evidence/address'],
    ['an unknown address', { evidence: { address: 'unknown' } }, 'body/events/0/evidence/address'],
    [
      'an address with an impossible port',
      { evidence: { address: '1.2.3.4:70000' } },
      'body/events/0/evidence/address',
    ],
    ['an address with a null character', { evidence: { address: '1.2.3.4\u0000' } }, 'body/events/0/evidence/address'],
  ])('%s returns 400 for the whole call', async (_case, change, field = undefined) => {
    const answer = await record({ type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1', ...change });
    expectError(answer, 400, 'invalid_request', field === undefined ? undefined : [field]);
    expect(await recipients()).toEqual([]);
  });

  test.each([
    ['198.51.100.7:4444', '198.51.100.7'],
    ['"[2001:DB8::1]:443"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:4444, 70.41.3.18', '198.51.100.7'],
  ])('the address %j is stored as %s, and both spellings are the same event', async (spelling, address) => {
    const click = { type: 'visited', occurredAt: at('08:05:00'), eventId: 'e1' };
    for (const told of [spelling, address, spelling]) {
      const { data } = (await record({ ...click, evidence: { address: told } })).body;
      expect(data).toMatchObject({ success: true });
    }
    expect(await testService.query('select address from simulation_events')).toEqual([{ address }]);
  });
});
