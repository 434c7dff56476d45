import { type Answer, call, expectError, get, patch, post, send } from '../../support/client.ts';
import { companies, keys, learnerId, unknownId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { eventsOf } from '../events/event-state.ts';
import { at, milestones, nothing, recipients, record, useSimulation } from './event-state.ts';

const underTest = useSimulation();
afterEach(() => testService.query('delete from simulation_settings'));

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const place = { address: '198.51.100.7', userAgent: CHROME };
const sent = { type: 'sent', occurredAt: at('08:00:00'), eventId: 'sent-1' };
const visit = { type: 'visited', occurredAt: at('08:30:00'), eventId: 'visit-1', evidence: place };
const early = { ...visit, occurredAt: at('08:00:20'), eventId: 'early-1' };
const report = { type: 'reported', occurredAt: at('09:30:00'), eventId: 'report-1' };
const path = () => `/simulations/${underTest.id}/interactions`;
const withdraw = (milestone: string, fields: object = {}, id = underTest.id) =>
  post('/simulation-withdrawals', {
    simulationId: id,
    ...{ learnerId: learnerId('tenant', 1), milestone, reason: 'The ticket system followed it' },
    ...fields,
  });

describe('GET /simulations/{simulationId}/interactions', () => {
  test('returns the verdict and reasons of each click, and whether it counts', async () => {
    await record(visit, early, sent, report);
    const [{ id: recipientId }] = await recipients();
    const ofRecipient = { recipientId, learnerId: learnerId('tenant', 1) };
    const shared = { ...ofRecipient, type: 'visited', recordedAt: expect.any(String), voidedAt: null };
    const evidence = { ...place, method: null, input: null, hiddenLink: null, script: null, styleSheet: null };
    const interactions = (await get(path())).body.data;
    expect(interactions).toEqual([
      {
        ...{ ...shared, eventId: 'early-1', occurredAt: at('08:00:20'), evidence: { ...evidence, verdict: null } },
        ...{ verdict: 'unsure', reasons: ['soon_after_delivery'], counted: false },
      },
      {
        ...{ ...shared, eventId: 'visit-1', occurredAt: at('08:30:00'), evidence: { ...evidence, verdict: null } },
        ...{ verdict: 'human', reasons: ['unhurried'], counted: true },
      },
    ]);
    const { data } = (await get(`/learners/${learnerId('tenant', 1)}/simulation-results?includeInteractions=true`))
      .body;
    const results = Object.fromEntries(data.map((one: any) => [one.simulationId, one.interactions]));
    expect(results[underTest.id]).toEqual(interactions);
    expect(results[simulationId('tenant', 1)]).toEqual([]);
  });

  test("returns all interactions, pages, one recipient's interactions, and CSV", async () => {
    const ofAll = [1, 2, 3].map((number) => ({
      ...{ ...visit, eventId: `visit-${number}`, occurredAt: at(`08:3${number}:00`) },
      learner: { id: learnerId('tenant', number as 1) },
    }));
    await record(...ofAll);
    const idsOf = (rows: { eventId: string }[]) => rows.map(({ eventId }) => eventId);
    expect(idsOf((await get(path())).body.data)).toEqual(['visit-1', 'visit-2', 'visit-3']);
    const first = await get(`${path()}?limit=2`);
    expect(idsOf(first.body.data)).toEqual(['visit-1', 'visit-2']);
    const { nextCursor } = (first.body as { page: { nextCursor: string } }).page;
    expect(idsOf((await get(`${path()}?limit=2&cursor=${nextCursor}`)).body.data)).toEqual(['visit-3']);
    expect(idsOf((await get(`${path()}?learnerId=${learnerId('tenant', 2)}`)).body.data)).toEqual(['visit-2']);
    const headers = { authorization: `Bearer ${keys.tenant}`, accept: 'text/csv' };
    const csv = (await send('GET', path(), { headers })).text.trim().split('\r\n');
    expect(csv).toHaveLength(4);
    expect(csv[0]).toMatch(
      /^eventId,recipientId,learnerId,type,occurredAt,recordedAt,verdict,reasons,counted,evidence\.address,/,
    );
  });

  test('is limited to the company and, with companyId, its child', async () => {
    expectError(await get(path(), 'other'), 404, 'not_found');
    expectError(await get(`/simulations/${unknownId}/interactions`), 404, 'not_found');
    const ofChild = `/simulations/${simulationId('childA', 1)}/interactions`;
    expect((await get(`${ofChild}?companyId=${companies.childA}`, 'msp')).body.data).toEqual([]);
    expectError(await get(ofChild, 'msp'), 404, 'not_found');
  });
});

describe('scanner networks', () => {
  test('make their events automated, except pointer input by a person', async () => {
    await patch('/simulation-settings', { scannerNetworks: ['198.51.100.0/24'] });
    const person = { learner: { id: learnerId('tenant', 2) }, evidence: { ...place, input: true }, eventId: 'person' };
    await record(sent, visit, { ...visit, ...person });
    expect(await milestones().catch(() => undefined)).toMatchObject({ visit: null });
    const interactions = (await get(path())).body.data;
    expect(interactions).toMatchObject([
      { verdict: 'automated', reasons: ['scanner_network'], counted: false },
      { verdict: 'human', reasons: ['input'], counted: true },
    ]);
  });

  test('apply to earlier events once another event of the recipient is recorded', async () => {
    await record(sent, visit);
    expect((await milestones()).visit).toBe(visit.occurredAt);
    await patch('/simulation-settings', { scannerNetworks: ['198.51.100.7'] });
    await record(report);
    expect(await milestones()).toMatchObject({ visit: null, report: report.occurredAt });
  });

  test('do not apply to other companies', async () => {
    await patch('/simulation-settings', { scannerNetworks: ['198.51.100.0/24'] }, 'other');
    await record(sent, visit);
    expect((await milestones()).visit).toBe(visit.occurredAt);
  });
});

describe('POST /simulation-withdrawals', () => {
  test('withdraws one milestone with its reason and emits an event', async () => {
    await record(sent, visit, { type: 'opened', occurredAt: at('08:20:00'), eventId: 'open-1' }, report);
    let answer: Answer;
    const told = await eventsOf(async () => (answer = await withdraw('visited')));
    expect(told).toMatchObject([['simulation.result.withdrawn', { simulationId: underTest.id, milestone: 'visited' }]]);
    const { status, body } = answer!;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ visit: null, open: at('08:20:00'), report: report.occurredAt });
    expect(body.data).toMatchObject({
      withdrawnBecause: 'The ticket system followed it',
      withdrawn: expect.any(String),
    });
    expect((await recipients())[0]).toEqual(body.data);
    expect((await get(path())).body.data.at(-1)).toMatchObject({ reasons: ['withdrawn'], counted: false });
    const [entry] = await testService.query(
      `select targets, fields from audit_log where operation = 'withdrawSimulationMilestone' order by id desc limit 1`,
    );
    expect(entry).toMatchObject({ fields: expect.arrayContaining(['learnerId', 'milestone', 'reason']) });
    expect(JSON.stringify(entry)).not.toContain('ticket');
  });

  test('is undone by a later event, but not by the same one', async () => {
    await record(sent, visit);
    await withdraw('visited');
    await record(visit);
    expect((await milestones()).visit).toBeNull();
    await record({ ...visit, eventId: 'visit-2', occurredAt: at('10:00:00') });
    expect(await milestones()).toMatchObject({ visit: at('10:00:00'), open: at('10:00:00'), sent: at('08:00:00') });
  });

  test('rejects implied milestones, and removes them with the milestone that implies them', async () => {
    await record(sent, { ...visit, type: 'compromised' });
    for (const milestone of ['opened', 'visited']) {
      expectError(await withdraw(milestone), 400, 'invalid_request', ['body/milestone']);
    }
    await withdraw('compromised');
    expect(await milestones()).toEqual({ ...nothing, sent: at('08:00:00') });
  });

  test('withdraws a report and its effect on the verdict of clicks', async () => {
    await record(sent, { ...report, occurredAt: at('08:35:00') }, visit);
    expect((await milestones()).visit).toBeNull();
    await withdraw('reported');
    expect(await milestones()).toMatchObject({ report: null, visit: visit.occurredAt });
  });

  test('withdraws a milestone that no event recorded', async () => {
    const other = simulationId('tenant', 1);
    const before = await testService.query('select * from simulation_recipients where simulation_id = $1', [other]);
    const answer = await withdraw('compromised', { learnerId: learnerId('tenant', 2) }, other);
    expect(answer.body.data).toMatchObject({ compromise: null, visit: '2026-02-10T09:01:00.000Z' });
    await testService.query('delete from simulation_recipients where simulation_id = $1', [other]);
    await testService.query(
      'insert into simulation_recipients select * from jsonb_populate_recordset(null::simulation_recipients, $1)',
      [JSON.stringify(before)],
    );
  });

  test.each([
    ['a milestone that was not reached', 'visited', {}, ['body/milestone']],
    ['a milestone that cannot be withdrawn', 'sent', {}, ['body/milestone']],
    ['no reason', 'opened', { reason: '' }, ['body/reason']],
    ['a reason of control characters', 'opened', { reason: '\u0007' }, ['body/reason']],
    ['an unknown field', 'opened', { all: true }, ['body/all']],
  ])('%s returns 400', async (_case, milestone, fields, named) => {
    await record(sent);
    expectError(await withdraw(milestone, fields), 400, 'invalid_request', named);
  });

  test('for an unknown learner, a non-recipient or another company returns 404 and changes nothing', async () => {
    await record(sent, visit);
    expectError(await withdraw('visited', { learnerId: unknownId }), 404, 'not_found');
    expectError(await withdraw('visited', { learnerId: learnerId('tenant', 3) }), 404, 'not_found');
    expectError(await withdraw('visited', {}, unknownId), 404, 'not_found');
    const ids = { simulationId: underTest.id, learnerId: learnerId('tenant', 1) };
    const body = { ...ids, milestone: 'visited', reason: 'x' };
    expectError(await call('other', 'POST', '/simulation-withdrawals', { body }), 404, 'not_found');
    expect((await milestones()).visit).toBe(visit.occurredAt);
  });
});
