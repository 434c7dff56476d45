import type pg from 'pg';
import { NIL } from 'uuid';
import type { Origin } from '../../../auth/caller.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../../db/tenant-session.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';

/** The recipient to whom the unsubscribe link of an email belongs. */
export interface BoardSubscription {
  companyName: string;
  scheduleName: string;
  language: 'en' | 'de' | 'fr';
  isUnsubscribed: boolean;
  /** Unsubscribes the recipient, or subscribes the recipient again. */
  change: (isUnsubscribed: boolean) => Promise<void>;
}

type Row = Omit<BoardSubscription, 'change'> & { recipientId: string };

const byToken = pointQuery<{ tokenHash: Buffer }, Row>(
  'board_recipient_by_token',
  (p) => sql`
    select r.id as "recipientId", k.name as "companyName", s.name as "scheduleName", s.language,
           r.unsubscribed_at is not null as "isUnsubscribed"
      from board_deliveries d
      join board_recipients r on r.company_id = ${p.companyId} and r.id = d.recipient_id
      join board_schedules s on s.company_id = ${p.companyId} and s.id = r.schedule_id
      join companies k on k.id = d.company_id
     where d.company_id = ${p.companyId} and d.token_hash = ${p.tokenHash}`,
);

const change = mutation<{ recipientId: string; at: Date | null }>(
  'board_recipient_unsubscribe',
  (p) => sql`
    update board_recipients
       set unsubscribed_at = ${p.at}::timestamptz
     where company_id = ${p.companyId} and id = ${p.recipientId}
       and (unsubscribed_at is null) <> (${p.at}::timestamptz is null)`,
  { at: new Date() },
);

/**
 * Finds recipients by the secret in the unsubscribe link of their emails, for people who are not signed in. A secret
 * can only change whether its recipient gets the reports of one schedule.
 */
export class BoardUnsubscriptions {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Returns undefined if the secret belongs to no recipient, or if the recipient or the schedule was removed. */
  async find(token: string, from: Pick<Origin, 'address'>): Promise<BoardSubscription | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    // Nothing proves at this point that the recipient exists.
    const unproved = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => unproved.queryOne(byToken, { tokenHash }));
    if (!row) return undefined;
    const { recipientId, ...subscription } = row;
    return {
      ...subscription,
      change: async (isUnsubscribed) => {
        await createTenantWriter(this.#pool, companyId).mutate(change, {
          recipientId,
          at: isUnsubscribed ? new Date() : null,
        });
      },
    };
  }
}
