import { randomUUID } from 'node:crypto';
import { NotSentYet } from '../../src/mail/sending/message-rules.ts';
import { Mailing, type MailingOptions } from '../../src/mail/sending/send-message.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { openServicePool } from '../support/service-pool.ts';
import { companies, learnerId } from '../support/world.ts';

// After a manual failover, a connection can reach a primary that knows neither a message nor its job. The job is on
// the new primary, and must still exist when the connection leads there.

const pool = openServicePool(2);
afterAll(() => pool.end());
const tenants = new TenantAccess(pool);

/**
 * Tries to send a message with the given parts of a mailing; by default, no message waits. Returns the job's outcome.
 */
async function send(messageId: string, jobId: string, options: Partial<MailingOptions> = {}): Promise<unknown> {
  const mailing = new Mailing({
    ...{ transport: {}, connections: 1, prepare: async () => new Map() },
    ...options,
  } as unknown as MailingOptions);
  const job = { companyId: companies.tenant, messageId, jobId, attempt: 1 };
  return (await mailing.sendMessages(tenants, [job])).outcomes[0];
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
  expect(await send(randomUUID(), NOBODYS_JOB)).toBeInstanceOf(NotSentYet);
});

test('an unknown message with a known job ends its job', async () => {
  const [job] = await testService.query(`select (graphile_worker.add_job('send_message', '{}')).id::text`);
  expect(await send(randomUUID(), job!.id as string)).toBe('done');
});

test('a settled message ends its job, and a queued one is retried', async () => {
  expect(await send(await storeMessage('sent'), NOBODYS_JOB)).toBe('done');
  expect(await send(await storeMessage('queued'), NOBODYS_JOB)).toBeInstanceOf(NotSentYet);
});

test('a result lost on a server without the message is recorded again, and the email is sent once', async () => {
  const messageId = await storeMessage('queued');
  const calls: string[] = [];
  const settle = async (_: unknown, __: unknown, waits: boolean) => {
    calls.push(waits ? 'settle' : 'settle free');
    // The first calls change nothing, as on the other server.
    if (calls.length > 3)
      await testService.query(`update messages set status = 'sent', settled_at = now() where id = $1`, [messageId]);
    return [];
  };
  await send(messageId, NOBODYS_JOB, {
    prepare: async () => new Map([[messageId, { mail: {} }]]),
    settle,
    transport: { send: async () => void calls.push('send') },
    metrics: { messageSettled: (status: string) => calls.push(status) },
  });
  expect(calls).toEqual(['send', 'settle free', 'settle', 'settle', 'sent']);
});
