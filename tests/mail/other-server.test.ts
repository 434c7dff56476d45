import { randomUUID } from 'node:crypto';
import { createTenantWriter } from '../../src/db/tenant-session.ts';
import { type Mailing, NotSentYet, sendMessage } from '../../src/mail/send-message.ts';
import { openServicePool } from '../support/service-pool.ts';
import { companies, learnerId } from '../support/world.ts';

// After a manual failover, a connection can lead to a primary that knows neither a message nor its job. The job is on
// the new primary, and must still exist when the connection leads there.

const pool = openServicePool(2);
afterAll(() => pool.end());
const tenant = createTenantWriter(pool, companies.tenant);
/** A mailing that finds no waiting message. */
const mailing = { transport: {}, prepare: async () => undefined } as unknown as Mailing;

async function send(messageId: string, jobId: string): Promise<void> {
  await sendMessage(tenant, { messageId, jobId, attempt: 1 }, mailing);
}

async function storeMessage(status: string): Promise<string> {
  const id = randomUUID();
  await testService.query(
    `insert into messages (company_id, id, kind, learner_id, status, settled_at)
     values ($1, $2, 'course_reminder', $3, $4, case when $4 <> 'queued' then now() end)`,
    [companies.tenant, id, learnerId('tenant', 1), status],
  );
  return id;
}

const NOBODYS_JOB = '999999999';

test('an unknown message with an unknown job is retried', async () => {
  await expect(send(randomUUID(), NOBODYS_JOB)).rejects.toThrow(NotSentYet);
});

test('an unknown message with a known job ends its job', async () => {
  const [job] = await testService.query(`select (graphile_worker.add_job('send_message', '{}')).id::text`);
  await expect(send(randomUUID(), job!.id as string)).resolves.toBeUndefined();
});

test('a settled message ends its job, and a queued one is retried', async () => {
  await expect(send(await storeMessage('sent'), NOBODYS_JOB)).resolves.toBeUndefined();
  await expect(send(await storeMessage('queued'), NOBODYS_JOB)).rejects.toThrow(NotSentYet);
});

test('a result lost on a server without the message is recorded again, and the mail is sent once', async () => {
  const messageId = await storeMessage('queued');
  const calls: string[] = [];
  const settle = async () => {
    calls.push('settle');
    // The first `settle` changes nothing, as on the other server.
    if (calls.length > 2)
      await testService.query(`update messages set status = 'sent', settled_at = now() where id = $1`, [messageId]);
  };
  await sendMessage(tenant, { messageId, jobId: NOBODYS_JOB, attempt: 1 }, {
    prepare: async () => ({ mail: {}, settle }),
    transport: { send: async () => void calls.push('send') },
    metrics: { messageSettled: (status: string) => calls.push(status) },
  } as unknown as Mailing);
  expect(calls).toEqual(['send', 'settle', 'settle', 'sent']);
});
