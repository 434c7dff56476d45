import { randomUUID } from 'node:crypto';
import { get, patch, post } from '../../support/client.ts';
import { companies, learnerId } from '../../support/world.ts';
import { eventsOf } from '../events/event-state.ts';

const ada = learnerId('tenant', 1);
const address = 'learner1@tenant.test';
const now = new Date().toISOString();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

afterEach(async () => {
  await testService.query('delete from mail_bounces where company_id = $1', [companies.tenant]);
  await testService.query(
    `update learners set email = 'learner1@tenant.test', mail_status = 'deliverable', mail_status_reason = null,
                         mail_status_since = null where id = $1`,
    [ada],
  );
});

const report = (fields: object) =>
  post('/mail-bounces', { bounces: [{ eventId: randomUUID(), address, occurredAt: now, ...fields }] });
const statusOf = async () => (await get(`/learners/${ada}`)).body.data.mailStatus as string;

test('a hard bounce of an address in any case makes it undeliverable, until an admin clears it', async () => {
  const { body } = await report({ address: address.toUpperCase(), status: '5.1.1' });
  expect(body.data).toMatchObject({ success: true, completed: [{ index: 0 }] });
  expect((await get(`/learners/${ada}`)).body.data).toMatchObject({
    mailStatus: 'undeliverable',
    mailStatusReason: 'mailbox_unknown',
    mailStatusSince: expect.any(String) as string,
  });
  const listed = (await get('/learners?mailStatus=undeliverable')).body.data as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([ada]);
  const cleared = await post(`/learners/${ada}/clear-mail-status`);
  expect(cleared.body.data).toMatchObject({ id: ada, mailStatus: 'deliverable', mailStatusReason: null });
  expect((await get('/learners?mailStatus=undeliverable')).body.data).toEqual([]);
  expect((await get(`/learners/${ada}/bounces`)).body.data).toMatchObject([{ class: 'hard', source: 'report' }]);
});

const names = { firstName: 'Ada', lastName: 'Lovelace' };

test('a new address is deliverable, and a change to its case keeps the status', async () => {
  await report({ class: 'hard' });
  await patch(`/learners/${ada}`, { ...names, email: 'Learner1@tenant.test' });
  expect(await statusOf()).toBe('undeliverable');
  expect((await patch(`/learners/${ada}`, { ...names, email: 'learner1.new@tenant.test' })).body.error).toBeUndefined();
  expect(await statusOf()).toBe('deliverable');
  expect((await get(`/learners/${ada}/bounces`)).body.data).toMatchObject([{ isPresentAddress: false }]);
});

test('soft bounces on three days within two weeks make an address undeliverable, fewer or older ones do not', async () => {
  await report({ status: '4.2.2', occurredAt: daysAgo(20) });
  for (const days of [3, 3]) await report({ diagnostic: '552 mailbox is full', occurredAt: daysAgo(days) });
  await report({ status: '5.2.2', occurredAt: daysAgo(2) });
  expect(await statusOf()).toBe('bouncing');
  await report({ status: '5.2.2' });
  expect(await statusOf()).toBe('undeliverable');
});

test('a bounce for policy reasons never makes an address undeliverable', async () => {
  for (const days of [4, 3, 2, 1]) await report({ status: '5.7.1', occurredAt: daysAgo(days) });
  expect(await statusOf()).toBe('bouncing');
});

test('a bounce that is sent again changes nothing, even after it was cleared', async () => {
  const bounce = { eventId: 'provider-1', status: '5.1.1' };
  await report(bounce);
  await post(`/learners/${ada}/clear-mail-status`);
  expect((await report(bounce)).body.data).toMatchObject({ success: true });
  expect(await statusOf()).toBe('deliverable');
});

test('an unknown address, one of another company and an implausible time fail their items', async () => {
  const other = { eventId: 'b', address: 'learner1@other.test', occurredAt: now };
  const bounces = [
    { eventId: 'a', address: 'nobody@tenant.test', occurredAt: now },
    other,
    { eventId: 'c', address, occurredAt: '2099-01-01T00:00:00Z' },
  ];
  const { status, body } = await post('/mail-bounces', { bounces });
  expect(status).toBe(200);
  const codes = (body.data.failures as { code: string }[]).map(({ code }) => code);
  expect(codes).toEqual(['learner_not_found', 'learner_not_found', 'time_not_plausible']);
  expect(await statusOf()).toBe('deliverable');
});

test('a changed status emits an event', async () => {
  const emitted = await eventsOf(() => report({ class: 'hard' }));
  const data = { learnerId: ada, mailStatus: 'undeliverable', previousMailStatus: 'deliverable' };
  expect(emitted).toContainEqual(['learner.mail_status.changed', data]);
});

test('a bouncing address is deliverable again after two weeks without a bounce, an undeliverable one is not', async () => {
  await report({ class: 'soft' });
  const age = async () => {
    await testService.query(`update mail_bounces set received_at = received_at - interval '15 days'`);
    await testService.query(`update learners set mail_status_since = now() - interval '15 days' where id = $1`, [ada]);
    await testService.query('select settle_bouncing_addresses(14, 10)');
  };
  await testService.query('select settle_bouncing_addresses(14, 10)');
  expect(await statusOf()).toBe('bouncing');
  await age();
  expect(await statusOf()).toBe('deliverable');
  await report({ class: 'hard' });
  await age();
  expect(await statusOf()).toBe('undeliverable');
});
