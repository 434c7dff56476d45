import { isId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { type RecordedBounce, recordBounce } from '../../mail/bounces/record-bounce.ts';
import { voidBouncedMessage } from '../simulations/events/void-bounced-message.ts';

/** A message that a bounce refers to. */
export interface SentMessage {
  id: string;
  kind: string;
  status: string;
  createdAt: string;
  subjectIds: string[];
  /** Id of the learner; null for a message to an admin. `email` is the learner's current address. */
  learnerId: string | null;
  email: string | null;
}

const sentMessage = query<{ messageId: string }, SentMessage>(
  'mail_bounce_message',
  (p) => sql`
    select m.id, m.kind, m.status, m.created_at as "createdAt", coalesce(m.subject_ids, '{}') as "subjectIds",
           m.learner_id as "learnerId", l.email
      from messages m left join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
     where m.company_id = ${p.companyId} and m.id = ${p.messageId}`,
);

export function findSentMessage(tenant: TenantReader, messageId: string): Promise<SentMessage | undefined> {
  return tenant.queryOne(sentMessage, { messageId });
}

/** Reads a message id from the prefix of a Message-ID; undefined if the service did not send the message. */
export function readMessageId(messageId: string | undefined): string | undefined {
  const id = messageId?.trim().replace(/^<|>$/g, '').split('@')[0]!.toLowerCase();
  return id !== undefined && isId(id) ? id : undefined;
}

// The caller has locked the learner.
const markFailed = mutation<{ messageId: string; reason: string }>(
  'mail_bounce_fail_message',
  (p) => sql`
    with failed as (
      update messages set status = 'failed', reason = ${p.reason}
       where company_id = ${p.companyId} and id = ${p.messageId} and status = 'sent'
      returning learner_id, kind, subject_ids
    )
    update enrollments e set mail_failed_at = now() from failed f
     where e.company_id = ${p.companyId} and e.learner_id = f.learner_id and e.course_id = any(f.subject_ids)
       and f.kind like 'course%' and e.finish_date is null`,
);

/** Records the bounce of a message to a learner in the caller's transaction. The message then counts as failed. */
export async function recordBouncedMessage(
  tx: TenantWriter,
  { id, kind, createdAt, subjectIds, learnerId }: SentMessage & { learnerId: string },
  bounced: Pick<RecordedBounce, 'eventId' | 'address' | 'source' | 'occurredAt' | 'bounce'>,
): Promise<void> {
  const { reason, status } = bounced.bounce;
  // Locks the simulation before the learner.
  if (kind === 'simulation') {
    await voidBouncedMessage(tx, { simulationId: subjectIds[0]!, learnerId, messageId: id });
  }
  await recordBounce(tx, { ...bounced, learnerId, messageId: id, queuedAt: createdAt });
  await tx.mutate(markFailed, {
    messageId: id,
    reason: `bounced: ${status === null ? reason : `${reason} ${status}`}`,
  });
}
