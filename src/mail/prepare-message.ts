import type { TenantWriter } from '../db/tenant.ts';
import { createPersonToken } from '../identity/person-token.ts';
import { compose, getLinkMinutes, type MailSettings } from './compose.ts';
import {
  findQueuedMessage,
  lockMessage,
  type MessageRow,
  narrowMessage,
  type Settlement,
  settleMessage,
} from './message-repository.ts';
import { causeIsGone, isWhole } from './message-rules.ts';
import type { Prepare } from './send-message.ts';
import { mintMessageLink } from './sign-in-messages.ts';

/** How the messages of the service itself are prepared. */
export function preparing(settings: MailSettings): Prepare {
  return async (tenant, messageId, attempt) => {
    const message = await messageToSend(tenant, messageId, attempt);
    if (!message || message === 'cancelled') return message;
    const linked = await withLink(tenant, message, settings);
    if (!linked) return undefined;
    const settle = (settlement: Settlement) => settleMessage(tenant, messageId, attempt, settlement);
    return { mail: compose(linked, settings), settle };
  };
}

/** The message with the secret of its sign-in link, where it has one; undefined when it has gone meanwhile. */
async function withLink(
  tenant: TenantWriter,
  message: MessageRow,
  settings: MailSettings,
): Promise<MessageRow | undefined> {
  const minutes = getLinkMinutes(message, settings);
  if (minutes === undefined) return message;
  const link = { messageId: message.id, token: createPersonToken(tenant.companyId), minutes };
  const setupToken = await mintMessageLink(tenant, link);
  return setupToken === undefined ? undefined : { ...message, setupToken };
}

/**
 * The message to send; undefined when it is settled already, `cancelled` when there is no reason left to send it. What
 * the learner has done meanwhile is removed from the message: when it is to be done again within the hour,
 * `learnerMessages` leaves out what a message names. Therefore the message is locked and judged again.
 */
async function messageToSend(
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
): Promise<MessageRow | 'cancelled' | undefined> {
  const read = await findQueuedMessage(tenant, messageId);
  if (!read || isWhole(read, new Date())) return read;
  return tenant.transaction(async (tx) => {
    await tx.mutate(lockMessage, { messageId });
    const message = await findQueuedMessage(tx, messageId);
    const reason = message && causeIsGone(message, new Date());
    if (!reason) {
      await tx.mutate(narrowMessage, { messageId });
      return message;
    }
    await settleMessage(tx, messageId, attempt, { status: 'cancelled', reason });
    return 'cancelled';
  });
}
