// The bounce mailbox, to which mail servers report that a message was not delivered.
//
// Emails are read in batches, each batch in a process with limits on time and memory (src/mail/mailboxes/read-mail.ts),
// because most of a process's time goes into starting it. An email that reports no failure, such as an automatic reply,
// is marked as seen. A bounce counts only if it contains the token of a message, signed for the learner's current
// e-mail address (src/mail/bounces/bounce-token.ts). Other bounces change nothing, because they are forged, or concern
// an address that the learner no longer has. An email that cannot be read is flagged for manual review.
//
// The service never replies to an email in this mailbox, so it cannot cause a mail loop. Logs contain only ids.
import type { BounceSettings } from '../../config/bounce-settings.ts';
import type { MailboxAccount } from '../../config/mailbox-account.ts';
import type { Poller } from '../../limits/poller.ts';
import { findTokens, isSignedFor } from '../../mail/bounces/bounce-token.ts';
import type { BounceMail } from '../../mail/bounces/read-bounce.ts';
import { type FetchedMail, type Outcome, readMailbox } from '../../mail/mailboxes/mailbox-reader.ts';
import { readMails } from '../../mail/mailboxes/read-mail.ts';
import { ReturnedMessages, type ReturnedMessagesOptions } from './returned-messages.ts';

/** Number of connections in the pool; one of them holds the lock. */
export const BOUNCE_CONNECTIONS = 2;

/** Maximum number of emails in a batch. Memory holds up to 2 MiB of each email. */
const BATCH_SIZE = 25;

const PROGRAM = new URL('../../mail/bounces/bounce-program.ts', import.meta.url);

export interface BounceMailboxOptions extends ReturnedMessagesOptions {
  settings: BounceSettings;
  account: MailboxAccount;
}

export function startBounceMailbox(options: BounceMailboxOptions): Poller {
  const { account: mailbox, pool, logger } = options;
  const messages = new ReturnedMessages(options);
  const take = async (mails: readonly FetchedMail[]) => {
    const sources = mails.map(({ source }) => source);
    const reads = await readMails<BounceMail>(PROGRAM, sources);
    const results: PromiseSettledResult<Outcome>[] = [];
    for (const [index, mail] of mails.entries())
      results.push(...(await Promise.allSettled([takeBounce(mail, reads[index], messages, options)])));
    return results;
  };
  return readMailbox({ purpose: 'bounce', mailbox, pool, logger, batchSize: BATCH_SIZE, take });
}

/** @param read the data of the email; undefined if it could not be read */
async function takeBounce(
  { uid, source, arrivedAt }: FetchedMail,
  read: BounceMail | undefined,
  messages: ReturnedMessages,
  { settings, logger }: BounceMailboxOptions,
): Promise<Outcome> {
  if (!read) {
    logger.warn({ uid, bytes: source.length }, 'unreadable email in the bounce mailbox left for manual review');
    return 'flagged';
  }
  const { bounce, texts } = read;
  if (!bounce) return 'seen';
  for (const token of texts.flatMap(findTokens)) {
    const isSentTo = (email: string) => isSignedFor(settings, token, email);
    const returned = {
      messageId: token.messageId,
      bounce,
      source: 'mailbox',
      occurredAt: arrivedAt,
      isSentTo,
    } as const;
    const recording = await messages.record(returned);
    // This error makes the reader process the email again at the next poll.
    if (recording === 'sending') throw new Error('the message that bounced is still being sent');
    if (recording === 'recorded') return 'seen';
  }
  logger.info({ uid }, 'bounce of an unknown message ignored');
  return 'seen';
}
