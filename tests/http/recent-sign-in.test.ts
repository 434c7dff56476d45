/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { globSync, readFileSync } from 'node:fs';
import { operations, type OperationId } from '../../generated/operations.ts';
import { Admin, hiddenOf, makeAdminLink } from '../support/admin.ts';
import { get, patch } from '../support/client.ts';
import { ageProofs, asksToConfirm, confirmByPasskey, continueForm } from '../support/confirmations.ts';
import { askPage, type Page } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { boardScheduleId } from '../support/world-board-schedules.ts';
import { learnerImportId } from '../support/world-imports.ts';
import { adminId, learnerId, roleId } from '../support/world.ts';

const KEYS = '/console/keys';
const newKey = { name: 'HR "import" & more', may: 'read', expiresAt: '2099-01-01' };
const create = (admin: Admin): Promise<Page> => admin.post(KEYS, newKey);
const listOwnKeys = () => testService.query('select name from api_keys where name = $1', [newKey.name]);
const log = () =>
  testService.query(`select method, reason from sign_ins where action = 'confirmation' order by occurred_at, id`);
const listLinkJobs = () =>
  testService.query(
    `select id from graphile_worker._private_jobs
      where payload::text like '%' || $1 || '%' and payload::text like '%people%'`,
    [adminId('tenant', 1)],
  );
const follow = (admin: Admin, token: string) => admin.send(`/console/sign-in/${token}`, {});

let admin: Admin;
beforeEach(async () => {
  await testService.query(`delete from passkeys; delete from sign_ins; delete from person_sessions`);
  await testService.query('delete from api_keys where name = $1', [newKey.name]);
  admin = await Admin.of('tenant');
});

test('a session from the last ten minutes needs no confirmation', async () => {
  expect((await create(admin)).status).toBe(200);
  expect(await listOwnKeys()).toHaveLength(1);
});

test('a passkey confirms an older session, and the form is sent again with all of its fields', async () => {
  const device = await addPasskey(admin);
  const before = await testService.query('select expires_at from person_sessions');
  await ageProofs();
  const asked = await create(admin);
  expect(asksToConfirm(asked)).toBe(true);
  expect(asked.html).toContain('data-passkey="confirm"');
  expect(await listOwnKeys()).toEqual([]);
  // If the form is sent without a confirmation, the page asks for it again.
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
  // No link is mailed to somebody who must use the passkey.
  const jobs = await listLinkJobs();
  expect(asksToConfirm(await continueForm(admin, asked, '/console/confirm/mail'))).toBe(true);
  expect(await listLinkJobs()).toEqual(jobs);
  expect((await confirmByPasskey(admin, asked, device)).status).toBe(204);
  expect((await continueForm(admin, asked)).status).toBe(200);
  // The form's submission id keeps a form that is sent twice from creating two keys.
  expect((await continueForm(admin, asked)).status).toBe(200);
  expect(await listOwnKeys()).toHaveLength(1);
  expect(await log()).toEqual([{ method: 'passkey', reason: null }]);
  expect(await testService.query('select expires_at from person_sessions')).toEqual(before);
  const { data } = (await get('/sign-ins')).body as { data: { action: string }[] };
  expect(data[0]).toMatchObject({ action: 'confirmation', outcome: 'succeeded', method: 'passkey' });
  expect((await admin.get('/console/sign-ins')).html).toContain('confirmed');
});

test('a call that needs a confirmation is not recorded as denied', async () => {
  await ageProofs();
  const denied = async () => (await get('/audit-log?outcome=denied')).body.data as { entries: unknown[] };
  const before = (await denied()).entries.length;
  await create(admin);
  expect((await denied()).entries).toHaveLength(before);
});

test('a passkey of another person, or a wrong one, does not confirm', async () => {
  const device = await addPasskey(admin);
  const foreign = await addPasskey(await Admin.of('other'));
  await ageProofs();
  const asked = await create(admin);
  expect((await confirmByPasskey(admin, asked, foreign)).status).toBe(403);
  // A sign-in challenge does not confirm, and a confirmation challenge does not sign in.
  const { form_token } = hiddenOf(asked.html);
  const response = JSON.stringify(device.show(await passkeyChallenge()));
  expect((await admin.send('/console/confirm/passkey', { form_token: form_token!, response })).status).toBe(403);
  const headers = { cookie: admin.cookie, 'x-form-token': form_token! };
  const options = await askPage('/console/confirm/passkey/options', { method: 'POST', headers });
  expect((await showPasskey(device.show(JSON.parse(options.html) as { challenge: string }))).status).toBe(400);
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
  expect(await log()).toEqual([
    { method: 'passkey', reason: 'person_differs' },
    { method: 'passkey', reason: 'passkey_rejected' },
  ]);
});

test('a mailed link confirms the session of an admin without a passkey, in the same browser', async () => {
  await ageProofs();
  const asked = await create(admin);
  expect(asked.html).toContain('formaction="/console/confirm/mail"');
  const sent = await continueForm(admin, asked, '/console/confirm/mail');
  expect(sent.status).toBe(200);
  expect(await listLinkJobs()).toHaveLength(1);
  expect(asksToConfirm(await continueForm(admin, sent))).toBe(true);
  const page = await follow(admin, await makeAdminLink('tenant'));
  expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  expect(page.html).toContain('You have confirmed that it is you');
  expect((await continueForm(admin, sent)).status).toBe(200);
  expect(await listOwnKeys()).toHaveLength(1);
  expect(await log()).toEqual([{ method: 'sign_in_link', reason: null }]);
});

test("a link opened in another browser, or another admin's link, does not confirm", async () => {
  await ageProofs();
  const asked = await create(admin);
  expect((await askPage(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST' })).status).toBe(303);
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
  const other = await follow(admin, await makeAdminLink('other'));
  expect([other.status, other.headers.get('location')]).toEqual([303, '/console']);
  expect((await continueForm(admin, asked)).status).toBe(401);
  expect(await log()).toEqual([]);
});

test('a confirmation redirects only to pages of the console, and needs the form token', async () => {
  const { form_token } = hiddenOf((await admin.get('/console/passkeys')).html);
  for (const path of ['https://evil.example/console', '//evil.example/console', '/learn', '/console/../learn', '']) {
    for (const to of ['continue', 'mail']) {
      const page = await admin.send(`/console/confirm/${to}`, { form_token: form_token!, confirm_path: path });
      expect([path, page.status, page.headers.get('location')]).toEqual([path, 400, null]);
    }
  }
  const page = await admin.send('/console/confirm/continue', { confirm_path: '/console/keys' });
  expect(page.status).toBe(403);
});

test("adding and removing one's passkeys needs a recent sign-in", async () => {
  await addPasskey(admin);
  const [passkey] = await testService.query('select id from passkeys');
  await ageProofs();
  const page = await admin.get('/console/passkeys');
  expect(page.html).not.toContain('data-passkey="add"');
  const { form_token } = hiddenOf(page.html);
  for (const path of ['', '/confirm', '/options', `/${passkey!.id as string}/remove`])
    expect(asksToConfirm(await admin.send(`/console/passkeys${path}`, { form_token: form_token! }))).toBe(true);
  expect(await testService.query('select from passkeys')).toHaveLength(1);
});

/** Operations of console pages that ask for confirmation again. */
const askingInConsole = [
  ...new Set(
    globSync('src/pages/console/**/*-routes.ts').flatMap((file) => {
      const names = [...readFileSync(file, 'utf8').matchAll(/'(\w+)'/g)].map(([, name]) => name!);
      return names.filter((name) => name in operations && operations[name as OperationId].recentSignIn);
    }),
  ),
];

const ownId = adminId('tenant', 1);
const provider = { name: 'A', issuer: 'https://a.example', clientId: 'a', clientSecret: 'typed-secret' };
const claims = Object.fromEntries(['email', 'firstName', 'lastName', 'groups'].map((name) => [`claim-${name}`, name]));
const SCHEDULES = '/reports/board';
const recipients = 'Grace Hopper <grace@tenant.test>';
const schedule = { name: 'Board', period: 'year', day: '5', month: '2', language: 'en', recipients };
const FORMS: Partial<Record<OperationId, [path: string, fields?: Record<string, string>]>> = {
  createApiKey: ['/keys', newKey],
  revokeApiKey: [`/keys/${ownId}/revoke`],
  createAdmin: ['/admins', { firstName: 'A', lastName: 'B', email: 'a@tenant.test', locale: 'en', role: 'owner' }],
  updateAdmin: [`/admins/${ownId}/role`, { role: 'auditor' }],
  replaceAdminProvisioning: ['/admins/provisioning', { 'group-0': ownId, 'role-0': 'analyst' }],
  deleteAdmin: [`/admins/${ownId}/remove`],
  createRole: ['/roles', { name: 'Readers', scopes: 'groups:read' }],
  updateRole: [`/roles/${roleId('tenant')}/edit`, { name: 'Readers', scopes: 'groups:read' }],
  deleteRole: [`/roles/${roleId('tenant')}/delete`],
  deleteAdminPasskey: [`/admins/${ownId}/passkeys/${ownId}/remove`],
  endAdminSessions: [`/admins/${ownId}/sessions/end-all`],
  endAdminSession: [`/admins/${ownId}/sessions/${ownId}/end`],
  createBoardReportSchedule: [`${SCHEDULES}/new`, schedule],
  updateBoardReportSchedule: [`${SCHEDULES}/${boardScheduleId('tenant')}/edit`, schedule],
  sendBoardReport: [`${SCHEDULES}/${boardScheduleId('tenant')}/send`],
  createIdentityProvider: ['/identity-providers/add/oidc', provider],
  updateIdentityProvider: [
    `/identity-providers/${identityProviderId('tenant')}`,
    { ...provider, ...claims, admins: 'off', learners: 'off' },
  ],
  deleteIdentityProvider: [`/identity-providers/${ownId}/remove`],
  updateCompanySettings: ['/identity-providers/admin-passkeys', { adminPasskeys: 'optional' }],
  correctRecords: [
    `/people/${learnerId('tenant', 1)}/records/correct`,
    { kind: 'course_result', eventId: 'result-1', action: 'void', reason: 'A mistake' },
  ],
  approveSimulation: [`/simulations/${ownId}/approve`],
};

/** Pages that ask again before they show anything. */
const READS: Partial<Record<OperationId, string>> = {
  listAuditLog: '/audit-log?outcome=done',
  listLearners: '/people',
  listLearnerImportRows: `/people/imports/${learnerImportId('tenant')}`,
  getPolicyResultsReport: '/reports/policies',
  getBoardReport: '/reports/board/pdf?language=en&period=month',
  getRepeatClickersReport: '/simulations/results/repeat-clickers',
};

test('these tests cover the forms and pages of the console', () => {
  expect(Object.keys({ ...FORMS, ...READS }).toSorted()).toEqual(askingInConsole.toSorted());
});

test.each(Object.entries(READS))(
  'the page that runs %s asks again, and then leads to the same URL',
  async (_id, path) => {
    await ageProofs();
    const page = await admin.get(`/console${path}`);
    expect(asksToConfirm(page)).toBe(true);
    expect(hiddenOf(page.html).confirm_path!.replaceAll('&amp;', '&')).toBe(`/console${path}`);
  },
);

test.each(Object.entries(FORMS))('the form that runs %s asks again, and keeps its fields', async (_id, form) => {
  const [path, fields = {}] = form;
  await ageProofs();
  const { form_token } = hiddenOf((await admin.get('/console/passkeys')).html);
  const changes = () => testService.query('select count(*) from audit_log where operation <> $1', ['signIn']);
  const before = await changes();
  // Some forms compare the version of what they change before they call the operation.
  const { version } = hiddenOf((await admin.get(`/console${path}`)).html);
  const all = { ...fields, ...(version !== undefined && { version }), form_token: form_token!, once: 'a'.repeat(32) };
  const page = await admin.send(`/console${path}`, all);
  expect(asksToConfirm(page)).toBe(true);
  expect(page.html).toContain(`action="/console${path}"`);
  expect(hiddenOf(page.html)).toMatchObject({ form_token, once: 'a'.repeat(32) });
  for (const name of Object.keys(fields)) expect(hiddenOf(page.html)).toHaveProperty(name);
  expect(await changes()).toEqual(before);
});

test('an API key changes settings without any confirmation', async () => {
  await ageProofs();
  expect((await patch(`/admins/${adminId('tenant', 1)}`, { firstName: 'Mary' })).status).toBe(200);
});
