/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { randomUUID } from 'node:crypto';
import { forgetNewLearners } from '../resources/tenant-state.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { adminId } from '../support/world.ts';

const NEW = { firstName: 'Ada', lastName: 'King', email: 'ada@new.test' };

let owner: Admin;
let id: string;
let path: string;
beforeAll(async () => {
  owner = await Admin.of('tenant', 1);
});
beforeEach(async () => {
  ({ id } = (await post('/learners', NEW)).body.data);
  path = `/console/people/${id}`;
});
afterEach(forgetNewLearners);

const bounce = (status: string) =>
  post('/mail-bounces', {
    bounces: [{ eventId: randomUUID(), address: NEW.email, status, occurredAt: new Date().toISOString() }],
  });
const list = async (query: string) => (await owner.get(`/console/people${query}`)).html;

test("a person's page does not mention mail delivery if no message failed", async () => {
  const { html } = await owner.get(path);
  expect(html).not.toContain('Mail delivery');
  expect(html).not.toContain('clear-mail-status');
});

test('a person without a working mailbox is found, explained, and marked as deliverable', async () => {
  await bounce('5.1.1');
  expect(await list('?mailStatus=undeliverable&columns=mailStatus')).toContain(path);
  expect(await list('?mailStatus=bouncing')).not.toContain(path);
  const { html } = await owner.get(path);
  expect(html).toContain('Messages do not arrive: there is no such mailbox.');
  expect(html).toContain('permanent failure');
  expect(html).toContain('5.1.1');
  expect(html).toContain(`GET /v1/learners/${id}/bounces`);
  const cleared = await owner.post(path, {}, `${path}/clear-mail-status`);
  expect(cleared.headers.get('location')).toBe(`${path}?notice=cleared`);
  const after = (await owner.get(`${path}?notice=cleared`)).html;
  expect(after).toContain('The address is marked as deliverable again.');
  expect(after).toContain('Messages that did not arrive');
  expect(after).not.toContain('clear-mail-status"');
  expect((await get(`/learners/${id}`)).body.data.mailStatus).toBe('deliverable');
  expect((await owner.post(path, {}, `${path}/clear-mail-status`)).status).toBe(303);
});

test('a single temporary failure has its own wording', async () => {
  await bounce('4.2.2');
  expect(await list('?mailStatus=bouncing&columns=mailStatus')).toContain('last message failed');
  expect((await owner.get(path)).html).toContain('The last message did not arrive: the mailbox is full.');
});

test('an auditor sees the status, and cannot change it', async () => {
  await bounce('5.1.1');
  await testService.query(`update admins set role = 'auditor', status = 'active' where id = $1`, [
    adminId('tenant', 2),
  ]);
  const auditor = await Admin.of('tenant', 2);
  const { html } = await auditor.get(path);
  expect(html).toContain('dieses Postfach gibt es nicht');
  expect(html).not.toContain('clear-mail-status');
  const { form_token: token = '' } = hiddenOf((await auditor.get('/console/passkeys')).html);
  expect((await auditor.send(`${path}/clear-mail-status`, { form_token: token })).status).toBe(403);
});
