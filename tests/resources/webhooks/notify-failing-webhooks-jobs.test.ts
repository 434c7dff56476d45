/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { reportFailingWebhooks } from '../../../src/resources/webhooks/delivery/report-failing-webhooks.ts';
import { patch, post } from '../../support/client.ts';
import { earlier } from '../../support/passing-time.ts';
import { adminId, companies } from '../../support/world.ts';
import { type Endpoint, startReceiver } from './receiver.ts';
const pool = openServicePool(2);
const tenant = new TenantAccess(pool).ofJob(companies.tenant);
const query = (text: string, values?: unknown[]) => testService.query(text, values);

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let endpoint: Endpoint;
beforeAll(async () => (receiver = await startReceiver()));
beforeEach(async () => (endpoint = await receiver.make()));
afterEach(() => query(`delete from webhook_endpoints where url like 'http:%'; delete from messages`));
afterAll(async () => {
  await receiver.stop();
  await pool.end();
});

/** Makes the receiver return a status, and sends a test event to the receiver. */
async function answering(status: number): Promise<void> {
  receiver.answer = () => status;
  await query(`update webhook_endpoints set paused_until = null; update webhook_retries set next_try_at = now()`);
  await post(`/webhook-endpoints/${endpoint.id}/test`);
  await receiver.deliver(endpoint);
}

/** Returns the kinds of the messages to admins since the last call. */
async function listNotices(): Promise<string[]> {
  await reportFailingWebhooks(tenant);
  await reportFailingWebhooks(tenant);
  const kinds = await query(
    `with told as (update messages set created_at = now() - interval '1 day' where created_at > now() - interval '1 hour'
                   returning kind, admin_id, subject_ids)
     select kind, admin_id as admin, subject_ids as ids from told`,
  );
  for (const { admin, ids } of kinds)
    expect({ admin, ids }).toEqual({ admin: adminId('tenant', 1), ids: [endpoint.id] });
  return kinds.map(({ kind }) => kind as string);
}
const aDayLater = () => query(`update webhook_endpoints set ${earlier('failing_since')}`, ['24 hours']);

test('active admins get one message after a day of failures, and another if it worked in between', async () => {
  await answering(500);
  expect(await listNotices()).toEqual([]);
  await aDayLater();
  await answering(500);
  expect(await listNotices()).toEqual(['webhook_failing']);
  await answering(200);
  await answering(500);
  expect(await listNotices()).toEqual([]);
  await aDayLater();
  expect(await listNotices()).toEqual(['webhook_failing']);
});

test('the message names the host and the start, and is not sent once the endpoint works again', async () => {
  await answering(500);
  await aDayLater();
  await reportFailingWebhooks(tenant);
  const [{ id }] = (await query('select id from messages')) as [{ id: string }];
  const named = async () => (await findQueuedMessage(tenant, id))!.subjectNames;
  expect(await named()).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:\d+ \([0-9a-f-]{36}\), \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  await answering(200);
  expect(await named()).toEqual([]);
});

test.each([
  ['a 410', () => answering(410)],
  [
    'the end of the schedule',
    () => query(`update webhook_endpoints set disabled_because = 'failing' where url like 'http:%'`),
  ],
])(
  'admins get one message when %s disables an endpoint, even after a message about its failures',
  async (_why, switchOff) => {
    await answering(500);
    await aDayLater();
    expect(await listNotices()).toEqual(['webhook_failing']);
    await switchOff();
    expect(await listNotices()).toEqual(['webhook_disabled']);
    await patch(`/webhook-endpoints/${endpoint.id}`, { enabled: true });
    await answering(410);
    expect(await listNotices()).toEqual(['webhook_disabled']);
  },
);

test('admins get no message about an endpoint that they disabled', async () => {
  await answering(500);
  await aDayLater();
  await patch(`/webhook-endpoints/${endpoint.id}`, { enabled: false });
  expect(await listNotices()).toEqual([]);
});

test('only companies with failing endpoints get a job, one at a time', async () => {
  await answering(410);
  await pool.query(`select queue_for_failing_webhooks('notify_failing_webhooks')`);
  await pool.query(`select queue_for_failing_webhooks('notify_failing_webhooks')`);
  const jobs = await query(
    `select payload ->> 'companyId' as company from graphile_worker._private_jobs where payload ->> 'messageId' is null`,
  );
  expect(jobs).toEqual([{ company: companies.tenant }]);
});
