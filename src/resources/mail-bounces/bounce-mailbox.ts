// The bounce mailbox, to which mail servers report that a message was not delivered.
//
// Each email is read in a process with limits on time and memory (src/mail/mailboxes/read-mail.ts). An email that
// reports no failure, such as an automatic reply, is marked as seen. A bounce counts only if it has the token of a
// message, signed for the learner's current address (src/mail/bounces/bounce-token.ts). Other bounces change nothing:
// they are forged, or concern an e-mail address that the learner no longer has. An email that cannot be read is flagged
// for manual review.
//
// The service never replies to an email in this mailbox, so it cannot be part of a mail loop. Logs have only ids.
import type { BounceSettings } from '../../config/bounce-settings.ts';
import type { MailboxAccount } from '../../config/mailbox-account.ts';
import type { Poller } from '../../limits/poller.ts';
import { findTokens, isSignedFor } from '../../mail/bounces/bounce-token.ts';
import type { BounceMail } from '../../mail/bounces/read-bounce.ts';
import { type FetchedMail, type Outcome, readMailbox } from '../../mail/mailboxes/mailbox-reader.ts';
import { readMail } from '../../mail/mailboxes/read-mail.ts';
import { ReturnedMessages, type ReturnedMessagesOptions } from './returned-messages.ts';

/** Number of connections in the pool; one of them holds the lock. */
export const BOUNCE_CONNECTIONS = 2;

const PROGRAM = new URL('../../mail/bounces/bounce-program.ts', import.meta.url);

export interface BounceMailboxOptions extends ReturnedMessagesOptions {
  settings: BounceSettings;
  account: MailboxAccount;
}

/** Reads the bounce mailbox. */
export function startBounceMailbox(options: BounceMailboxOptions): Poller {
  const { account: mailbox, pool, logger } = options;
  const messages = new ReturnedMessages(options);
  const take = (mail: FetchedMail) => takeBounce(mail, messages, options);
  return readMailbox({ purpose: 'bounce', mailbox, pool, logger, take });
}

async function takeBounce(
  { uid, source, arrivedAt }: FetchedMail,
  messages: ReturnedMessages,
  { settings, logger }: BounceMailboxOptions,
): Promise<Outcome> {
  const read = await readMail<BounceMail>(PROGRAM, source);
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
    // The email is read again at the next poll.
    if (recording === 'sending') throw new Error('the message that bounced is still being sent');
    if (recording === 'recorded') return 'seen';
  }
  logger.info({ uid }, 'bounce of an unknown message ignored');
  return 'seen';
}
