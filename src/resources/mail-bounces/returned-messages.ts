import type pg from 'pg';
import type { JobTenants } from '../../db/tenant.ts';
import type { Bounce } from '../../mail/bounces/bounce-rules.ts';
import type { RecordedBounce } from '../../mail/bounces/record-bounce.ts';
import type { Logger } from '../../observability/logger.ts';
import { findSentMessage, recordBouncedMessage } from './bounced-message.ts';

/** The bounce of a message that the report identifies. */
export interface ReturnedMessage {
  messageId: string;
  bounce: Bounce;
  source: RecordedBounce['source'];
  occurredAt: Date;
  /** Reports whether the report proves that the message went to the learner's current address. */
  isSentTo: (email: string) => boolean;
}

export interface ReturnedMessagesOptions {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
}

/**
 * Result of recording a bounce: `sending` if the message bounced before its sending was recorded. The caller must then
 * try again later.
 */
export type Recording = 'recorded' | 'unknown' | 'sending';

/**
 * Records bounces for messages of all companies. The message determines the company, because the bounce mailbox and the
 * provider accounts belong to the operator. A repeated bounce changes nothing, whatever channel it comes through.
 */
export class ReturnedMessages {
  readonly #options: ReturnedMessagesOptions;

  constructor(options: ReturnedMessagesOptions) {
    this.#options = options;
  }

  async record({ messageId, bounce, source, occurredAt, isSentTo }: ReturnedMessage): Promise<Recording> {
    const { pool, access, logger } = this.#options;
    const text = 'select find_company_of_message($1) as "companyId"';
    const { companyId } = (await pool.query<{ companyId: string | null }>(text, [messageId])).rows[0]!;
    if (companyId === null) return 'unknown';
    const tenant = access.ofJob(companyId);
    const message = await findSentMessage(tenant, messageId);
    if (!message) return 'unknown';
    const { learnerId, email } = message;
    if (learnerId === null || email === null) {
      logger.warn({ companyId, messageId, reason: bounce.reason }, 'message to an admin bounced');
      return 'recorded';
    }
    if (!isSentTo(email)) return 'unknown';
    if (message.status === 'queued') return 'sending';
    const bounced = { eventId: `bounce-${messageId}`, address: email, source, bounce };
    const at = { ...bounced, occurredAt: occurredAt.toISOString() };
    await tenant.transaction((tx) => recordBouncedMessage(tx, { ...message, learnerId }, at));
    return 'recorded';
  }
}
