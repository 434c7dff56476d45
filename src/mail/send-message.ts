import { setTimeout as sleep } from 'node:timers/promises';
import { translateDatabaseError } from '../db/database-errors.ts';
import type { TenantWriter } from '../db/tenant.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { traced } from '../telemetry/tracing.ts';
import { compose, type MailSettings } from './compose.ts';
import { findQueuedMessage, postponeMessage, type Settlement, settleMessage } from './message-repository.ts';
import { causeIsGone, type DeliveryError, isPermanent, MOST_ATTEMPTS, reasonOf } from './message-rules.ts';
import type { Post } from './post.ts';

const RETRY_RECORD_MS = 500;

/** The message was not taken; the queue tries again later. Its message names nobody: the queue stores it. */
export class NotSentYet extends Error {}

/** How mails leave, and what they say of the service. */
export interface Mailing {
  post: Post;
  settings: MailSettings;
  logger: Logger;
  metrics: Pick<Metrics, 'messageSettled'>;
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
  { post, settings, logger, metrics }: Mailing,
): Promise<void> {
  const settle = async (settlement: Settlement) => {
    await settleMessage(tenant, messageId, attempt, settlement);
    metrics.messageSettled(settlement.status);
  };
  const message = await findQueuedMessage(tenant, messageId);
  if (!message) return;
  const gone = causeIsGone(message, new Date());
  if (gone) return settle({ status: 'cancelled', reason: gone });
  try {
    await traced('hand over mail', { kind: 'client' }, () => post.send(compose(message, settings)));
  } catch (error) {
    const failure = error as DeliveryError;
    const reason = reasonOf(failure);
    const isLast = isPermanent(failure) || attempt >= MOST_ATTEMPTS;
    // Not the server's own words: they repeat the address.
    const { companyId } = tenant;
    const { code, responseCode } = failure;
    logger.warn({ companyId, messageId, attempt, code, responseCode }, isLast ? 'message failed' : 'message postponed');
    if (isLast) return settle({ status: 'failed', reason });
    await postponeMessage(tenant, messageId, attempt, reason);
    throw new NotSentYet(`attempt ${attempt} failed`);
  }
  await untilAvailable(() => settle({ status: 'sent' }));
}

/**
 * Tries again for as long as the database is away: a mail that is not recorded as sent is sent again. Nobody takes the job
 * meanwhile, and no other could be worked on.
 */
async function untilAvailable(record: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (translateDatabaseError(error)?.code !== 'service_unavailable') throw error;
      await sleep(RETRY_RECORD_MS);
    }
  }
}
