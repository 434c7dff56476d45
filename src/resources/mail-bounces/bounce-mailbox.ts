// The bounce mailbox: mail servers report there that a message was not delivered.
//
// Each mail is read in a process with limits on time and memory (src/mail/read-mail.ts). A mail that reports no
// failure, such as an automatic reply, is marked as seen. A bounce counts only if it has the token of a message, signed
// for the present address of the learner (src/mail/bounces/bounce-token.ts). Other bounces change nothing: they are
// forged, or about an address that the learner no longer has. A mail that cannot be read is flagged for a person.
//
// The service never replies to a mail in this mailbox, so it cannot be part of a mail loop. Logs have only ids.
import type pg from 'pg';
import type { BounceSettings } from '../../config/bounce-settings.ts';
import type { MailboxAccount } from '../../config/mailbox-account.ts';
import type { JobTenants } from '../../db/tenant.ts';
import type { Poller } from '../../limits/poller.ts';
import { findTokens, isSignedFor, type ReturnedMessage } from '../../mail/bounces/bounce-token.ts';
import type { BounceMail } from '../../mail/bounces/read-bounce.ts';
import { type FetchedMail, type Outcome, readMailbox } from '../../mail/mailbox-reader.ts';
import { readMail } from '../../mail/read-mail.ts';
import type { Logger } from '../../observability/logger.ts';
import { findSentMessage, recordBouncedMessage } from './bounced-message.ts';

/** Number of connections in the pool; one of them holds the lock. */
export const BOUNCE_CONNECTIONS = 2;

const PROGRAM = new URL('../../mail/bounces/bounce-program.ts', import.meta.url);

export interface BounceMailboxOptions {
  settings: BounceSettings;
  account: MailboxAccount;
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
}

/** Reads the bounce mailbox. */
export function startBounceMailbox(options: BounceMailboxOptions): Poller {
  const { account: mailbox, pool, logger } = options;
  return readMailbox({ ...{ purpose: 'bounce', mailbox, pool, logger }, take: (mail) => takeBounce(mail, options) });
}

async function takeBounce(mail: FetchedMail, options: BounceMailboxOptions): Promise<Outcome> {
  const { uid, source } = mail;
  const read = await readMail<BounceMail>(PROGRAM, source);
  if (!read) {
    options.logger.warn({ uid, bytes: source.length }, 'unreadable mail in the bounce mailbox left for manual review');
    return 'flagged';
  }
  const { bounce, texts } = read;
  if (!bounce) return 'seen';
  for (const returned of texts.flatMap(findTokens)) {
    if (await recordReturned(returned, { ...mail, bounce }, options)) return 'seen';
  }
  options.logger.info({ uid }, 'bounce of an unknown message ignored');
  return 'seen';
}

/** Records a bounce if its token is valid. Returns whether it is. */
async function recordReturned(
  returned: ReturnedMessage,
  { bounce, arrivedAt }: Pick<FetchedMail, 'arrivedAt'> & { bounce: NonNullable<BounceMail['bounce']> },
  { settings, pool, access, logger }: BounceMailboxOptions,
): Promise<boolean> {
  const { messageId } = returned;
  const text = 'select find_company_of_message($1) as "companyId"';
  const { companyId } = (await pool.query<{ companyId: string | null }>(text, [messageId])).rows[0]!;
  if (companyId === null) return false;
  const tenant = access.ofJob(companyId);
  const message = await findSentMessage(tenant, messageId);
  const { learnerId = null, email = null } = message ?? {};
  if (!message || learnerId === null || email === null) {
    logger.warn({ companyId, messageId, reason: bounce.reason }, 'message to an admin bounced');
    return message !== undefined;
  }
  if (!isSignedFor(settings, returned, email)) return false;
  // The bounce can arrive before the sending is recorded. The mail is read again at the next poll.
  if (message.status === 'queued') throw new Error('the message that bounced is still being sent');
  const bounced = { eventId: `bounce-${messageId}`, address: email, source: 'mailbox' as const, bounce };
  const occurredAt = arrivedAt.toISOString();
  await tenant.transaction((tx) => recordBouncedMessage(tx, { ...message, learnerId }, { ...bounced, occurredAt }));
  return true;
}
