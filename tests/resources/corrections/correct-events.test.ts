import { call, expectError, get, post, send } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { sourceSecret } from '../../support/world-sources.ts';
import { race } from '../policies/policy-state.ts';
import { eventsOf } from '../events/event-state.ts';
import { at, milestones, nothing, record, recipients, useSimulation } from '../simulations/event-state.ts';
import {
  bodyOf,
  correctedEvents as corrected,
  correctEvents as correct,
  type EventCorrection,
  reportId,
} from './event-correction-state.ts';

const underTest = useSimulation();
afterEach(() => testService.query('delete from corrections'));

const place = { address: '198.51.100.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0' };
const sent = { type: 'sent', occurredAt: at('08:00:00'), eventId: 'sent-1' };
const opened = { type: 'opened', occurredAt: at('08:20:00'), eventId: 'open-1' };
const visit = { type: 'visited', occurredAt: at('08:30:00'), eventId: 'visit-1', evidence: place };
const unvisited = { ...nothing, sent: sent.occurredAt, open: opened.occurredAt };
const path = (query = '') => `/simulations/${underTest.id}/interactions${query}`;
const idsIn = async (query = '') => (await get(path(query))).body.data.map(({ eventId }: any) => eventId);
const voidVisit: EventCorrection = { eventId: 'visit-1', action: 'void' };

describe('an event of a simulation', () => {
  test('is left out of milestones, figures, reports and lists once it is voided, and counts again once it is restored', async () => {
    await record(sent, opened, visit);
    const seen = async () => {
      const { visitCount, timeline } = (await get(`/simulations/${underTest.id}`)).body.data;
      const rows = (await get(`/reports/simulation-results?simulationId=${underTest.id}`)).body.data;
      return { visitCount, timeline, visits: rows.map(({ visit: visited }: any) => visited), ids: await idsIn() };
    };
    const before = { milestones: await milestones(), ...(await seen()) };
    const events = await eventsOf(async () => expect(await corrected(voidVisit)).toEqual([true]));
    expect(events.map(([type]) => type).toSorted()).toEqual(['record.corrected', 'simulation.result.withdrawn']);
    expect(await milestones()).toEqual(unvisited);
    expect(await seen()).toMatchObject({ visitCount: 0, visits: [null], ids: ['open-1'] });
    const [recipient] = await recipients();
    expect(recipient).toMatchObject({ withdrawn: expect.any(String), withdrawnBecause: 'A colleague clicked' });
    const again = await eventsOf(() => corrected({ eventId: 'visit-1', action: 'restore' }));
    expect(again.map(([type]) => type).toSorted()).toEqual(['record.corrected', 'simulation.message.visited']);
    expect({ milestones: await milestones(), ...(await seen()) }).toEqual(before);
  });

  test('is listed with the time of the void only with includeVoided', async () => {
    await record(sent, opened, visit);
    await corrected(voidVisit);
    const all = (await get(path('?includeVoided=true'))).body.data;
    expect(all).toMatchObject([
      { eventId: 'open-1', counted: true, voidedAt: null },
      { eventId: 'visit-1', counted: false, voidedAt: expect.stringMatching(/Z$/) },
    ]);
    const ofLearner = `/learners/${learnerId('tenant', 1)}/simulation-results`;
    const interactions = async (query: string) => {
      const { data } = (await get(`${ofLearner}?includeInteractions=true${query}`)).body;
      return data.find(({ simulationId }: any) => simulationId === underTest.id).interactions;
    };
    expect(await interactions('&includeVoided=true')).toEqual(all);
    expect(await interactions('')).toEqual(all.slice(0, 1));
    expectError(await get(`${ofLearner}?includeVoided=true`), 400, 'invalid_request', ['query/includeInteractions']);
  });

  test('can be replaced by one with another time and type, and the replacement can be corrected', async () => {
    await record(sent, visit);
    const replacement = { eventId: 'visit-2', occurredAt: at('09:00:00') };
    const replace: EventCorrection = { eventId: 'visit-1', action: 'replace', replacement };
    expect(await corrected(replace)).toEqual([true]);
    expect((await milestones()).visit).toBe(at('09:00:00'));
    expect((await get(path())).body.data).toMatchObject([{ eventId: 'visit-2', evidence: place }]);
    expect(await corrected(replace, voidVisit)).toEqual([false, false]);
    const asCompromise = { eventId: 'compromise-1', type: 'compromised' };
    await corrected({ eventId: 'visit-2', action: 'replace', replacement: asCompromise });
    expect(await milestones()).toMatchObject({ visit: at('09:00:00'), compromise: at('09:00:00') });
    await corrected({ eventId: 'compromise-1', action: 'void' });
    await corrected({ eventId: 'visit-1', action: 'restore' });
    expect(await milestones()).toMatchObject({ visit: visit.occurredAt, compromise: null });
  });

  test('stays voided if its sender sends it again, and stays withdrawn if it is restored', async () => {
    await record(sent, opened, visit);
    await corrected(voidVisit);
    expect((await record(visit)).body.data.success).toBe(true);
    expect(await milestones()).toEqual(unvisited);
    await corrected({ eventId: 'visit-1', action: 'restore' });
    const ids = { simulationId: underTest.id, learnerId: learnerId('tenant', 1) };
    await post('/simulation-withdrawals', { ...ids, milestone: 'visited', reason: 'A scanner' });
    await corrected(voidVisit);
    await corrected({ eventId: 'visit-1', action: 'restore' });
    expect(await milestones()).toEqual(unvisited);
    expect((await recipients())[0]).toMatchObject({ withdrawnBecause: 'A scanner' });
  });

  test("no longer affects verdicts once it is voided, even those on other recipients' events", async () => {
    const visits = ([1, 2, 3] as const).map((number) => ({
      ...{ ...visit, eventId: `visit-${number}`, occurredAt: at(`08:30:0${number}`) },
      learner: { id: learnerId('tenant', number) },
    }));
    await record(sent, ...visits);
    const visitsOf = async () => (await recipients()).map(({ visit: visited }) => visited);
    expect(await visitsOf()).toEqual([null, null, null]);
    await corrected({ eventId: 'visit-3', action: 'void' });
    expect(await visitsOf()).toEqual([at('08:30:01'), at('08:30:02'), null]);
    await corrected({ eventId: 'visit-3', action: 'restore' });
    expect(await visitsOf()).toEqual([null, null, null]);
    await corrected({ eventId: 'visit-3', action: 'void' }, { eventId: 'visit-2', action: 'void' });
    await corrected({ eventId: 'visit-3', action: 'restore' });
    expect(await visitsOf()).toEqual([at('08:30:01'), null, at('08:30:03')]);
  });

  test('of another company or a deleted learner is not found, and corrections are deleted with the learner', async () => {
    const { body: created } = await post('/learners', {
      ...{ firstName: 'Ida', lastName: 'Frey', email: 'ida@tenant.test' },
    });
    const { id } = created.data;
    await record(sent, visit, { ...visit, eventId: 'visit-2', learner: { id } });
    for (const company of ['other', 'msp'] as const) {
      const { body } = await call(company, 'POST', '/corrections', { body: bodyOf([voidVisit]) });
      expect(body.data.failures).toMatchObject([{ index: 0, code: 'record_not_found' }]);
    }
    await corrected({ eventId: 'visit-2', action: 'void' });
    await call('tenant', 'DELETE', '/learners/bulk', { body: { learnerIds: [id] } });
    const { body } = await correct({ eventId: 'visit-2', action: 'restore' }, voidVisit);
    expect(body.data).toMatchObject({ completed: [{ index: 1 }], failures: [{ index: 0, code: 'record_not_found' }] });
    expect((await get('/corrections')).body.data).toMatchObject([{ eventId: 'visit-1', kind: 'simulation_event' }]);
  });

  test('each correction that cannot be made fails with its own code', async () => {
    await record(sent, visit, opened);
    const replace = (replacement?: object) => ({ eventId: 'visit-1', action: 'replace', replacement }) as const;
    const next = { eventId: 'visit-2', occurredAt: at('09:00:00') };
    const { body } = await correct(
      { eventId: 'nobody', action: 'void' },
      { ...voidVisit, kind: 'reported_message' },
      replace(),
      { ...voidVisit, replacement: next },
      replace({ eventId: 'visit-2' }),
      replace({ ...next, score: 70 }),
      replace({ ...next, occurredAt: '2031-01-01T00:00:00Z' }),
      replace({ ...next, eventId: 'open-1' }),
      replace({ ...next, eventId: `own-${learnerId('tenant', 1)}-x` }),
      { eventId: 'open-1', action: 'void' },
      { eventId: 'open-1', action: 'replace', replacement: next },
    );
    expect(body.data.failures.map(({ index, code }: any) => [index, code])).toEqual([
      [0, 'record_not_found'],
      [1, 'record_not_found'],
      [2, 'replacement_inconsistent'],
      [3, 'replacement_inconsistent'],
      [4, 'replacement_inconsistent'],
      [5, 'replacement_inconsistent'],
      [6, 'time_not_plausible'],
      [7, 'event_id_reused'],
      [8, 'event_id_reused'],
      [10, 'already_voided'],
    ]);
    expect(await idsIn()).toEqual(['visit-1']);
    const item = { ...voidVisit, kind: 'simulation_event', reason: 'x', action: 'replace' };
    const invalid = await post('/corrections', { corrections: [{ ...item, replacement: { ...next, type: 'shoe' } }] });
    expectError(invalid, 400, 'invalid_request', ['body/corrections/0/replacement/type']);
  });

  test('cannot be replaced once the recipient has 5,000 events, unless one is voided first', async () => {
    await record(visit);
    await testService.query(
      `insert into simulation_events (company_id, event_id, simulation_id, learner_id, type, occurred_at, evidence)
       select company_id, 'more-' || n, simulation_id, learner_id, 'opened', occurred_at, '{}'
         from simulation_events, generate_series(1, 4999) as n where event_id = 'visit-1'`,
    );
    const replace = {
      ...{ eventId: 'visit-1', action: 'replace' as const },
      replacement: { eventId: 'visit-2', occurredAt: at('09:00:00') },
    };
    expect((await correct(replace)).body.data.failures).toMatchObject([{ code: 'too_many_events' }]);
    await corrected({ eventId: 'more-1', action: 'void' });
    expect(await corrected(replace)).toEqual([true]);
  });
});

describe('a reported message', () => {
  const messageId = '<20260504.0800.ada@phish.test>';
  const report = () => post('/reported-messages', { messageId });
  const item = (action: EventCorrection['action'], fields: object = {}): EventCorrection => ({
    ...{ kind: 'reported_message', eventId: reportId(underTest.id), action },
    ...fields,
  });

  test('is voided, stays voided if it is reported again, is restored, and has no replacement', async () => {
    await record({ ...sent, evidence: { messageId } });
    await report();
    const { report: reported } = await milestones();
    expect(reported).not.toBeNull();
    expect(await corrected(item('void'), item('void'))).toEqual([true, false]);
    expect((await report()).body.data).toEqual({ isSimulation: true });
    expect((await milestones()).report).toBeNull();
    expect(await corrected(item('restore'))).toEqual([true]);
    expect((await milestones()).report).toBe(reported);
    const replacement = { eventId: 'report-2', occurredAt: at('09:00:00') };
    const { body } = await correct(item('replace', { replacement }), {
      ...{ eventId: reportId(underTest.id), action: 'void' },
    });
    expect(body.data.failures).toMatchObject([
      { index: 0, code: 'not_replaceable', message: expect.stringContaining('replacement') },
      { index: 1, code: 'record_not_found' },
    ]);
  });

  test('is no longer recognised by the Message-ID of a voided sending', async () => {
    await record({ ...sent, evidence: { messageId } });
    await corrected({ eventId: 'sent-1', action: 'void' });
    expect((await report()).body.data).toEqual({ isSimulation: false });
    expect(await milestones()).toEqual(nothing);
  });
});

test('one call corrects events, reports and other records in order, once with an Idempotency-Key', async () => {
  await record(sent, opened, visit);
  const corrections = [
    { kind: 'course_result', eventId: 'visit-1', action: 'void', reason: 'x' },
    ...bodyOf([{ eventId: 'open-1', action: 'void' }, voidVisit, { eventId: 'open-1', action: 'restore' }]).corrections,
    { kind: 'reported_message', eventId: reportId(underTest.id), action: 'void', reason: 'x' },
  ];
  const request = { body: { corrections }, headers: { 'idempotency-key': 'mixed-kinds' } };
  const answers = [
    await call('tenant', 'POST', '/corrections', request),
    await call('tenant', 'POST', '/corrections', request),
  ];
  for (const { body } of answers)
    expect(body.data).toMatchObject({
      completed: [1, 2, 3].map((index) => ({ index, changed: true })),
      failures: [0, 4].map((index) => ({ index, code: 'record_not_found' })),
    });
  expect(await milestones()).toEqual(unvisited);
  expect((await get('/corrections?kind=simulation_event')).body.data).toHaveLength(3);
  expect((await get('/corrections?kind=reported_message')).body.data).toEqual([]);
  const [entry] = await testService.query(
    `select targets from audit_log where operation = 'correctRecords' order by id desc limit 1`,
  );
  expect(JSON.stringify(entry)).toContain(underTest.id);
  expect(JSON.stringify(entry)).not.toContain('colleague');
});

test('two calls at once void an event once', async () => {
  await record(sent, opened, visit);
  const answers = await Promise.all([1, 2, 3].map(() => race('POST', '/corrections', bodyOf([voidVisit]))));
  const changed = answers.flatMap(({ body }) => body.data.completed.map(({ changed: isChanged }: any) => isChanged));
  expect(changed.toSorted()).toEqual([false, false, true]);
  expect((await get('/corrections')).body.data).toHaveLength(1);
  expect(await milestones()).toEqual(unvisited);
});

test('the secret of an xAPI source corrects no events', async () => {
  await record(sent, visit);
  const headers = { authorization: `Bearer ${sourceSecret('tenant', 'xapi')}`, 'content-type': 'application/json' };
  const answer = await send('POST', '/corrections', { body: JSON.stringify(bodyOf([voidVisit])), headers });
  expectError(answer, 403, 'forbidden', ['body/corrections/0/kind']);
  expect((await milestones()).visit).toBe(visit.occurredAt);
});
