/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test,hr-portal.test"} */
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { companies, groupId, learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { expectRefused } from '../tenant-state.ts';
import { draftWith, forgetSimulations, makeDraft, makeTemplate, SENDER } from '../../support/own-simulations.ts';

afterEach(forgetSimulations);

const shown = {
  recipients: { everyone: true, learnerIds: [], groupIds: [] },
  workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' },
  timeZone: 'Europe/Berlin',
  senderDomain: SENDER,
  trainingCourseId: null,
  scheduledAt: null,
  needsApproval: false,
  approvedBy: [],
  blockedBecause: null,
};

describe('POST /simulations without an externalId', () => {
  test('creates a draft, returns its plan and sends nothing', async () => {
    const template = await makeTemplate({ deliveryMethod: 'qr_code' });
    const { status, body } = await post('/simulations', draftWith(template));
    expect(status).toBe(200);
    const plan = { ...shown, templateIds: [template] };
    const dates = { startDate: '2090-01-02T00:00:00.000Z', endDate: '2090-01-16T00:00:00.000Z' };
    expect(body.data).toMatchObject({ externalId: null, status: 'draft', deliveryMethod: 'qr_code', ...dates, plan });
    const read = (await get(`/simulations/${body.data.id}`)).body.data;
    expect(read).toMatchObject({ ...body.data, recipientCount: 0, recipients: [] });
  });

  test('a simulation that runs elsewhere has no plan', async () => {
    expect((await get(`/simulations/${simulationId('tenant', 1)}`)).body.data.plan).toBeNull();
  });

  test('stores learners, groups, a course and templates of the company', async () => {
    const recipients = { learnerIds: [learnerId('tenant', 1)], groupIds: [groupId('tenant', 2)] };
    const fields = { recipients, trainingCourseId: ownCourseId('tenant'), senderDomain: 'HR-Portal.test' };
    const id = await makeDraft(fields, await makeTemplate({ ownerId: companies.tenant }));
    const { plan } = (await get(`/simulations/${id}`)).body.data;
    const kept = { ...fields, recipients: { everyone: false, ...recipients }, senderDomain: 'hr-portal.test' };
    expect(plan).toMatchObject(kept);
  });

  test('accepts dates with offsets that no time zone has', async () => {
    const dates = { startDate: '2090-01-02T00:00:00+23:59', endDate: '2090-01-15T00:00:00-23:59' };
    const { body } = await post('/simulations', draftWith(await makeTemplate(), dates));
    expect(body.data).toMatchObject({ startDate: '2090-01-01T00:01:00.000Z', endDate: '2090-01-15T23:59:00.000Z' });
  });

  const foreign = [learnerId('tenant', 1), learnerId('other', 1)];
  test.each<[string, number, object, string]>([
    ["a sender domain that is not the operator's", 400, { senderDomain: 'acme.test' }, 'senderDomain'],
    ['a free e-mail provider', 400, { senderDomain: 'gmail.com' }, 'senderDomain'],
    ['an unknown time zone', 400, { timeZone: 'Europe/Atlantis' }, 'timeZone'],
    ['a time zone that only Node knows', 400, { timeZone: 'SystemV/PST8' }, 'timeZone'],
    ['an ambiguous time zone abbreviation', 400, { timeZone: 'IST' }, 'timeZone'],
    [
      'working hours that end before they start',
      400,
      { workingHours: { days: [1], from: '17:00', to: '09:00' } },
      'workingHours/to',
    ],
    ['a malformed hour', 400, { workingHours: { days: [1], from: '9:00', to: '17:00' } }, 'workingHours/from'],
    ['no working day', 400, { workingHours: { days: [], from: '09:00', to: '17:00' } }, 'workingHours/days'],
    ['a window in the past', 400, { startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-09T00:00:00Z' }, 'endDate'],
    ['a window that ends before it begins', 400, { endDate: '2090-01-01T00:00:00Z' }, 'endDate'],
    ['a window of more than 90 days', 400, { endDate: '2090-04-03T00:00:00Z' }, 'endDate'],
    ['a window without a start', 400, { startDate: null }, 'startDate'],
    [
      'a window without working hours',
      400,
      {
        startDate: '2090-01-03T00:00:00Z',
        endDate: '2090-01-04T00:00:00Z',
        workingHours: { days: [1], from: '09:00', to: '17:00' },
      },
      'workingHours',
    ],
    ['no recipient', 400, { recipients: { everyone: false } }, 'recipients'],
    ['an empty list of recipients', 400, { recipients: { learnerIds: [] } }, 'recipients/learnerIds'],
    [
      'everyone together with a group',
      400,
      { recipients: { everyone: true, groupIds: [groupId('tenant', 1)] } },
      'recipients/groupIds',
    ],
    ['a learner of another company', 404, { recipients: { learnerIds: foreign } }, 'recipients/learnerIds/1'],
    ['a group of another company', 404, { recipients: { groupIds: [groupId('other', 1)] } }, 'recipients/groupIds/0'],
    ['an unknown template', 404, { templateIds: [unknownId] }, 'templateIds/0'],
    ['no template', 400, { templateIds: [] }, 'templateIds'],
    ['a course of another company', 404, { trainingCourseId: ownCourseId('other') }, 'trainingCourseId'],
    ['the gap analysis', 400, { trainingCourseId: managedCourses.gapAnalysis }, 'trainingCourseId'],
    ['a delivery method', 400, { deliveryMethod: 'email' }, 'deliveryMethod'],
    ['a status', 400, { status: 'running' }, 'status'],
    ['an external id', 400, { externalId: 'engine-1', deliveryMethod: 'email' }, 'templateIds'],
  ])('%s returns %d naming the field and creates nothing', async (_case, status, fields, field) => {
    const template = await makeTemplate();
    const code = status === 404 ? 'not_found' : 'invalid_request';
    await expectRefused(() => post('/simulations', draftWith(template, fields)), status, code, [`body/${field}`]);
  });

  test('a retired, foreign or mismatched template is rejected by its index', async () => {
    const good = await makeTemplate();
    const bad = [
      [await makeTemplate({ isRetired: true }), 400, 'invalid_request'],
      [await makeTemplate({ ownerId: companies.other }), 404, 'not_found'],
      [await makeTemplate({ deliveryMethod: 'attachment' }), 400, 'invalid_request'],
    ] as const;
    for (const [id, status, code] of bad) {
      const answer = await post('/simulations', draftWith(good, { templateIds: [good, id] }));
      expectError(answer, status, code, ['body/templateIds/1']);
    }
  });

  test('an incomplete draft is rejected naming its missing fields, and a body without draft fields is rejected for its missing externalId', async () => {
    const { templateIds, name, recipients } = draftWith(await makeTemplate());
    const missing = ['workingHours', 'timeZone', 'senderDomain', 'startDate', 'endDate'].map(
      (field) => `body/${field}`,
    );
    expectError(await post('/simulations', { name, templateIds, recipients }), 400, 'invalid_request', missing);
    expectError(await post('/simulations', { name, deliveryMethod: 'email' }), 400, 'invalid_request', [
      'body/externalId',
    ]);
  });
});

describe('PATCH /simulations/{simulationId}', () => {
  test('changes the given fields and keeps the rest', async () => {
    const id = await makeDraft();
    const before = (await get(`/simulations/${id}`)).body.data;
    const groupIds = [groupId('tenant', 1)];
    const { status, body } = await patch(`/simulations/${id}`, {
      recipients: { groupIds },
      trainingCourseId: managedCourses.phishing,
    });
    expect(status).toBe(200);
    const recipients = { everyone: false, learnerIds: [], groupIds };
    expect(body.data.plan).toEqual({ ...before.plan, recipients, trainingCourseId: managedCourses.phishing });
    expect((await patch(`/simulations/${id}`, { name: 'Renamed', trainingCourseId: null })).body.data).toMatchObject({
      name: 'Renamed',
      plan: { ...before.plan, recipients },
    });
  });

  test('validates changed fields against unchanged ones', async () => {
    const id = await makeDraft();
    await expectRefused(
      () => patch(`/simulations/${id}`, { startDate: '2090-02-01T00:00:00Z' }),
      400,
      'invalid_request',
      ['body/endDate'],
    );
  });

  test('of two changes with one ETag, one succeeds and the other returns 412', async () => {
    const path = `/simulations/${await makeDraft()}`;
    const tag = (await get(path)).headers.get('etag')!;
    const rename = (name: string) =>
      call('tenant', 'PATCH', path, { body: { name }, headers: { 'if-match': tag }, alone: false });
    const answers = await Promise.all([rename('One'), rename('Two')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await call('tenant', 'GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
    const now = (await get(path)).headers.get('etag')!;
    expect((await call('tenant', 'GET', path, { headers: { 'if-none-match': now } })).status).toBe(304);
  });

  test('a simulation that runs elsewhere cannot be changed, deleted or cancelled', async () => {
    const path = `/simulations/${simulationId('tenant', 3)}`;
    await expectRefused(() => patch(path, { name: 'Mine' }), 403, 'forbidden');
    await expectRefused(() => del(path), 403, 'forbidden');
    await expectRefused(() => post(`${path}/cancel`), 403, 'forbidden');
    expect((await get(path)).headers.get('etag')).toBeNull();
  });
});

test('DELETE /simulations/{simulationId} deletes a draft', async () => {
  const path = `/simulations/${await makeDraft()}`;
  expect((await del(path)).status).toBe(200);
  expectError(await del(path), 404, 'not_found');
});

test('external events and simulations cannot change a simulation that the service runs', async () => {
  const id = await makeDraft();
  const before = await testService.query('select * from simulations where is_own');
  const event = { type: 'visited', occurredAt: '2026-05-04T08:00:00Z', eventId: 'engine-1' };
  const learner = { id: learnerId('tenant', 1) };
  const { body } = await post('/simulation-events', { events: [{ ...event, simulation: { id }, learner }] });
  expect(body.data).toMatchObject({ success: false, failures: [{ code: 'own_simulation' }] });
  expect((await get(`/simulations/${id}`)).body.data.recipientCount).toBe(0);
  const simulation = { id: simulationId('tenant', 5) };
  const squatted = [`own-${id}-sent`, `reported-${id}-${learner.id}`].map((eventId) => ({
    ...event,
    simulation,
    learner,
    eventId,
  }));
  const answer = (await post('/simulation-events', { events: squatted })).body.data;
  expect(answer.failures.map(({ code }: { code: string }) => code)).toEqual(['event_id_reused', 'event_id_reused']);
  const told = { name: 'Mine', deliveryMethod: 'email', status: 'cancelled' };
  expectError(await post('/simulations', { ...told, externalId: '' }), 400, 'invalid_request');
  expect((await post('/simulations', { ...told, externalId: id })).body.data.id).not.toBe(id);
  await testService.query(`delete from simulations where external_id is not null`);
  expect(await testService.query('select * from simulations where is_own')).toEqual(before);
});
