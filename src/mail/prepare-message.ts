import type { BounceSettings } from '../config/bounce-settings.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { createPersonToken } from '../identity/person-token.ts';
import { withReturnPath } from './bounces/bounce-token.ts';
import { recordRefusal } from './bounces/record-bounce.ts';
import { waitForMorning } from './campaign-messages.ts';
import { compose, getLinkMinutes, type MailSettings } from './compose.ts';
import {
  findQueuedMessage,
  lockMessage,
  type MessageRow,
  narrowMessage,
  type Settlement,
  settleMessage,
} from './message-repository.ts';
import { causeIsGone, isWhole, waitsForMorning } from './message-rules.ts';
import { waitForDigest } from './overdue-team.ts';
import type { Prepare } from './send-message.ts';
import { mintMessageLink } from './sign-in-messages.ts';

/**
 * Returns the function that prepares the service's own messages.
 * @param clock returns the current time
 */
export function preparing(
  settings: MailSettings & { bounces?: BounceSettings | undefined },
  clock: () => Date = () => new Date(),
): Prepare {
  return async (tenant, messageId, attempt) => {
    const message = await messageToSend(tenant, { messageId, attempt, now: clock() });
    if (!message || message === 'cancelled') return message;
    const linked = await withLink(tenant, message, settings);
    if (!linked) return undefined;
    const settle = async (settlement: Settlement) => {
      if (settlement.status === 'failed' && linked.learnerId !== null && !linked.isToFormerAddress)
        await recordRefusal(tenant, linked.learnerId, linked, settlement.reason);
      await settleMessage(tenant, messageId, attempt, settlement);
    };
    return { mail: withReturnPath(compose(linked, settings), settings.bounces, linked), settle };
  };
}

/**
 * Returns the message with the secret of its sign-in link, if it has one; undefined if the message was settled or
 * deleted after it was read.
 */
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
 * Returns the message to send, undefined if it is already settled, or `cancelled` if no reason is left to send it.
 *
 * Removes subjects that the learner has completed since, under a lock and after reading the message again. Otherwise,
 * if a subject is assigned again within the hour, `learnerMessages` would leave it out as already named.
 */
async function messageToSend(
  tenant: TenantWriter,
  { messageId, attempt, now }: { messageId: string; attempt: number; now: Date },
): Promise<MessageRow | 'cancelled' | undefined> {
  const read = await findQueuedMessage(tenant, messageId, now);
  if (!read || isWhole(read, now)) return read;
  return tenant.transaction(async (tx) => {
    await tx.mutate(lockMessage, { messageId });
    const message = await findQueuedMessage(tx, messageId, now);
    const reason = message && causeIsGone(message, now);
    if (!reason) {
      await tx.mutate(narrowMessage, { messageId });
      return message;
    }
    await settleMessage(tx, messageId, attempt, { status: 'cancelled', reason });
    if (waitsForMorning(message, now)) {
      const wait = message.kind === 'assignments_overdue' ? waitForDigest : waitForMorning;
      await tx.mutate(wait, { messageId, at: now });
    }
    return 'cancelled';
  });
}
