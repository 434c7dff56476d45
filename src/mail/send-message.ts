import type { TenantWriter } from '../db/tenant.ts';
import { compose, type MailSettings } from './compose.ts';
import { findQueuedMessage, postponeMessage, settleMessage } from './message-repository.ts';
import { causeIsGone, type DeliveryError, isPermanent, MOST_ATTEMPTS, reasonOf } from './message-rules.ts';
import type { Post } from './post.ts';

/** The message was not taken; the queue tries again later. Its message names nobody: the queue stores it. */
export class NotSentYet extends Error {}

/** How mails leave, and what they say of the service. */
export interface Mailing {
  post: Post;
  settings: MailSettings;
}

/**
 * Sends a queued message, and records what became of it. It is recorded after it is sent: a worker that dies in between
 * sends it again, and the same, rather than never.
 * @param attempt how often it has been tried, this time included
 * @throws {NotSentYet} when another attempt is worth while
 */
export async function sendMessage(
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
  { post, settings }: Mailing,
): Promise<void> {
  const message = await findQueuedMessage(tenant, messageId);
  if (!message) return;
  const gone = causeIsGone(message, new Date());
  if (gone) return settleMessage(tenant, messageId, attempt, { status: 'cancelled', reason: gone });
  try {
    await post.send(compose(message, settings));
  } catch (error) {
    const reason = reasonOf(error as DeliveryError);
    if (isPermanent(error as DeliveryError) || attempt >= MOST_ATTEMPTS) {
      return settleMessage(tenant, messageId, attempt, { status: 'failed', reason });
    }
    await postponeMessage(tenant, messageId, attempt, reason);
    throw new NotSentYet(`attempt ${attempt} failed`);
  }
  await settleMessage(tenant, messageId, attempt, { status: 'sent' });
}
