import type { BounceSettings } from '../../config/bounce-settings.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { createPersonToken } from '../../identity/person-token.ts';
import { withReturnPath } from '../bounces/bounce-token.ts';
import { recordRefusal } from '../bounces/record-bounce.ts';
import { waitForMorning } from '../messages/campaign-messages.ts';
import { compose, getLinkMinutes, type MailSettings } from '../messages/compose.ts';
import { findQueuedMessages, lockMessages, type MessageRow, narrowMessages } from '../messages/message-repository.ts';
import { getObsoleteReason, isWhole, waitsForMorning } from './message-rules.ts';
import { waitForDigest } from '../messages/overdue-team.ts';
import type { Attempt, Preparation, Prepared, PreparedResult } from './preparation.ts';
import { settleMessages } from './settle-messages.ts';
import { mintMessageLinks } from '../outbox/sign-in-messages.ts';

/**
 * Returns the functions that prepare and settle the service's own messages.
 * @param clock returns the current time
 */
export function preparing(
  settings: MailSettings & { bounces?: BounceSettings | undefined },
  clock: () => Date = () => new Date(),
): Preparation<MessageRow> {
  return {
    prepare: async (tenant, attempts) => {
      const { wanted, cancelled } = await messagesToSend(tenant, attempts, clock());
      const linked = await withLinks(tenant, wanted, settings);
      const toPrepared = (message: MessageRow): Prepared<MessageRow> => {
        try {
          const mail = withReturnPath(compose(message, settings), settings.bounces, message);
          return { mail, context: message };
        } catch (error) {
          // Only this message is tried again, not all messages of its company in the batch.
          return error as Error;
        }
      };
      return new Map<string, Prepared<MessageRow>>([
        ...cancelled.map((id) => [id, 'cancelled'] as const),
        ...linked.map((message) => [message.id, toPrepared(message)] as const),
      ]);
    },
    settle,
  };
}

/**
 * Settles messages. Records refusals of the learners' current addresses as bounces. If recording fails after the
 * messages are settled, the next call with `waits` settles nothing, but records the refusals.
 */
async function settle(
  tenant: TenantWriter,
  results: readonly PreparedResult<MessageRow>[],
  waits: boolean,
): Promise<string[]> {
  const settledIds = await settleMessages(tenant, results, waits);
  for (const { messageId, settlement, context } of results) {
    if (settlement.status !== 'failed' || !context) continue;
    const isSettled = waits || settledIds.includes(messageId);
    if (isSettled && context.learnerId !== null && !context.isToFormerAddress)
      await recordRefusal(tenant, context.learnerId, context, settlement.reason);
  }
  return settledIds;
}

/**
 * Adds the secrets of their sign-in links to messages that have one. Leaves out messages that were settled or deleted
 * after they were read.
 */
async function withLinks(
  tenant: TenantWriter,
  messages: readonly MessageRow[],
  settings: MailSettings,
): Promise<MessageRow[]> {
  const links = messages.flatMap((message) => {
    const minutes = getLinkMinutes(message, settings);
    return minutes === undefined ? [] : { messageId: message.id, token: createPersonToken(tenant.companyId), minutes };
  });
  const linkedIds = new Set(links.map(({ messageId }) => messageId));
  const tokens = await mintMessageLinks(tenant, links);
  return messages.flatMap((message) => {
    const setupToken = linkedIds.has(message.id) ? tokens.get(message.id) : message.setupToken;
    return setupToken === undefined ? [] : { ...message, setupToken };
  });
}

interface ToSend {
  wanted: MessageRow[];
  /** Ids of the messages that were cancelled, because they are no longer needed. */
  cancelled: string[];
}

/**
 * Returns the messages to send; leaves out those that are already settled.
 *
 * Removes subjects that the learner has completed in the meantime, under a lock and after reading the messages again.
 * Otherwise, if a subject is assigned again within the hour, `learnerMessages` would leave it out as already named.
 */
async function messagesToSend(tenant: TenantWriter, attempts: readonly Attempt[], now: Date): Promise<ToSend> {
  const ids = attempts.map(({ messageId }) => messageId);
  const read = Map.groupBy(await findQueuedMessages(tenant, ids, now), (message) => isWhole(message, now));
  const whole = read.get(true) ?? [];
  const partial = (read.get(false) ?? []).map(({ id }) => id);
  if (partial.length === 0) return { wanted: whole, cancelled: [] };
  return tenant.transaction(async (tx) => {
    await tx.mutate(lockMessages, { messageIds: partial });
    const locked = await findQueuedMessages(tx, partial, now);
    const gone = await cancelGone(tx, locked, { attempts, now });
    const wanted = locked.filter(({ id }) => !gone.includes(id));
    if (wanted.length > 0) await tx.mutate(narrowMessages, { messageIds: wanted.map(({ id }) => id) });
    return { wanted: [...whole, ...wanted], cancelled: gone };
  });
}

/** Cancels the messages that are no longer needed, and returns their ids. */
async function cancelGone(
  tx: TenantWriter,
  messages: readonly MessageRow[],
  { attempts, now }: { attempts: readonly Attempt[]; now: Date },
): Promise<string[]> {
  const numbers = new Map(attempts.map(({ messageId, attempt }) => [messageId, attempt]));
  const results = messages.flatMap((message) => {
    const reason = getObsoleteReason(message, now);
    if (reason === undefined) return [];
    const settlement = { status: 'cancelled' as const, reason };
    return { messageId: message.id, attempts: numbers.get(message.id)!, settlement };
  });
  await settleMessages(tx, results, true);
  const waiting = Map.groupBy(
    messages.filter((message) => waitsForMorning(message, now)),
    ({ kind }) => kind === 'assignments_overdue',
  );
  for (const [isToManager, toWait] of waiting) {
    const wait = isToManager ? waitForDigest : waitForMorning;
    await tx.mutate(wait, { messageIds: toWait.map(({ id }) => id), at: now });
  }
  return results.map(({ messageId }) => messageId);
}
