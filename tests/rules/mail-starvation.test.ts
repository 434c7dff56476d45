import type { TenantWriter } from '../../src/db/tenant.ts';
import type { Attempt, PreparedMail } from '../../src/mail/sending/preparation.ts';
import { NotSentYet } from '../../src/mail/sending/message-rules.ts';
import { Mailing, type MailingOptions } from '../../src/mail/sending/send-message.ts';

const tenants = { ofJob: (companyId: string) => ({ companyId }) as TenantWriter };
const jobsOf = (companyId: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, number) => {
    const messageId = `${companyId} ${from + number}`;
    return { jobId: messageId, companyId, messageId, attempt: 1 };
  });

/** Returns a mailing for which all learners of the company `locked` are locked, and the messages that it has sent. */
function createMailing() {
  const sent: string[] = [];
  const unlocking = Promise.withResolvers<void>();
  const prepare = (_tenant: TenantWriter, attempts: readonly Attempt[]) =>
    Promise.resolve(
      new Map(attempts.map(({ messageId }): [string, PreparedMail] => [messageId, { mail: { subject: messageId } }])),
    );
  const options = {
    ...{ connections: 4, prepare, metrics: { messageSettled: () => undefined } },
    transport: { send: async ({ subject }: { subject: string }) => void sent.push(subject) },
    settle: async ({ companyId }: TenantWriter, results: { messageId: string }[], waits: boolean) => {
      if (companyId === 'locked' && waits) await unlocking.promise;
      return companyId === 'locked' && !waits ? [] : results.map(({ messageId }) => messageId);
    },
  };
  return { mailing: new Mailing(options as unknown as MailingOptions), sent, unlock: () => unlocking.resolve() };
}

test('locked learners of a company delay no email of another company', async () => {
  const { mailing, unlock } = createMailing();
  const stuck = [0, 100].map((from) => mailing.sendMessages(tenants, jobsOf('locked', 100, from)));
  const { outcomes } = await mailing.sendMessages(tenants, jobsOf('free', 3));
  expect(outcomes).toEqual(['done', 'done', 'done']);
  unlock();
  const ends = (await Promise.all(stuck)).flatMap((one) => one.outcomes);
  expect(ends.filter((outcome) => outcome === 'done').length).toBeGreaterThanOrEqual(100);
});

test('while many results of a company wait for locks, its further messages return to the queue unsent', async () => {
  const { mailing, sent, unlock } = createMailing();
  const stuck = mailing.sendMessages(tenants, jobsOf('locked', 100));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { outcomes } = await mailing.sendMessages(tenants, [...jobsOf('locked', 2, 100), ...jobsOf('free', 1)]);
  expect(outcomes).toEqual([expect.any(NotSentYet), expect.any(NotSentYet), 'done']);
  expect(sent).toHaveLength(101);
  unlock();
  await stuck;
});
