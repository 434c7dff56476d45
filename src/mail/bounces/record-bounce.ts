// Bounces and the mail status of learners.
//
// A bounce is a fact about one message: the mail server refused the message (`smtp`), an email in the bounce mailbox
// reports it (`mailbox`), the webhook of a mail provider reports it (`provider`), or a system reports it through the
// API (`report`). bounce-rules.ts classifies all four. The bounces of a learner's current address decide the learner's
// mail status:
//
// - `undeliverable` after a hard bounce, or after soft bounces on three days within two weeks. The learner gets no
//   messages about training and no simulations. Sign-in links that the learner requests are still sent.
// - `bouncing` after any other bounce. Messages are still sent. After two weeks without a bounce, the address is
//   deliverable again (migration create_mail_bounces).
// - `deliverable` otherwise, after a change of address, and after an admin has cleared the status. Bounces of messages
//   that were queued before that are ignored.
//
// Guarantees: a repeated bounce and a bounce of a former address change nothing.
import { v7 as uuidv7 } from 'uuid';
import { literal, sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type Bounce, type BounceClass, classifyRefusal } from './bounce-rules.ts';

/**
 * Number of days with soft bounces after which an e-mail address is undeliverable, and the number of days within which
 * these bounces count.
 */
const SOFT_BOUNCES = { days: 3, within: 14 };

export interface RecordedBounce {
  /** Id by which a repeated bounce is recognised. */
  eventId: string;
  learnerId: string;
  /** The e-mail address that the message was sent to. */
  address: string;
  /** The message; null if it is unknown. */
  messageId: string | null;
  /** Time at which the message was queued; null if it is unknown. */
  queuedAt: string | null;
  source: 'smtp' | 'mailbox' | 'provider' | 'report';
  occurredAt: string;
  bounce: Bounce;
}

interface Parameters extends Omit<RecordedBounce, 'bounce'> {
  id: string;
  class: BounceClass;
  reason: string;
  status: string | null;
}

const record = mutation<Parameters, { id: string }>(
  'mail_bounce_record',
  (p) => sql`
    with learner as (
      select id, email, mail_status, mail_status_since from learners
       where company_id = ${p.companyId} and id = ${p.learnerId} and email_key = lower(${p.address})
         for no key update
    ), added as (
      insert into mail_bounces (company_id, id, event_id, learner_id, message_id, address_hash, class, reason, status,
                                source, occurred_at)
      select ${p.companyId}, ${p.id}, ${p.eventId}, id, ${p.messageId}, address_hash(email), ${p.class}, ${p.reason},
             ${p.status}, ${p.source}, ${p.occurredAt}
        from learner
      on conflict (company_id, event_id) do nothing returning id
    ), soft as (
      select distinct (occurred_at at time zone 'UTC')::date as day
        from mail_bounces b join learner l on b.learner_id = l.id and b.address_hash = address_hash(l.email)
       where b.company_id = ${p.companyId} and b.class = 'soft'
         and b.occurred_at > now() - ${literal(SOFT_BOUNCES.within)} * interval '1 day'
         and b.received_at >= coalesce(l.mail_status_since, '-infinity')
      union
      select (${p.occurredAt}::timestamptz at time zone 'UTC')::date where ${p.class}::text = 'soft'
    ), next as (
      select id, case when mail_status = 'undeliverable' or ${p.class}::text = 'hard'
                        or ${p.class}::text = 'soft' and (select count(*) from soft) >= ${literal(SOFT_BOUNCES.days)}
                      then 'undeliverable' else 'bouncing' end as status
        from learner
       where exists (select from added)
         and (mail_status <> 'deliverable' or mail_status_since is null or ${p.queuedAt}::timestamptz is null
              or mail_status_since <= ${p.queuedAt}::timestamptz)
    )
    update learners l
       set mail_status = n.status, updated_at = t.now,
           mail_status_reason = ${p.reason},
           mail_status_since = case when l.mail_status = n.status then l.mail_status_since else t.now end
      from next n cross join (select now() as now) as t
     where l.company_id = ${p.companyId} and l.id = n.id
       and (l.mail_status <> n.status or l.mail_status <> 'undeliverable' and l.mail_status_reason <> ${p.reason})
    returning l.id`,
  { class: 'hard', source: 'smtp', occurredAt: '2026-11-30T08:00:00.000Z', queuedAt: '2026-11-30T08:00:00.000Z' },
);

/** Records a bounce, and changes the mail status of its learner. Returns whether the status changed. */
export async function recordBounce(tenant: TenantWriter, { bounce, ...recorded }: RecordedBounce): Promise<boolean> {
  return (await tenant.mutate(record, { ...recorded, ...bounce, id: uuidv7() })).length > 0;
}

/** A message to a learner that a mail server did not accept. */
export interface RefusedMessage {
  id: string;
  createdAt: string;
  email: string;
}

/**
 * Records a mail server's refusal of a message as a bounce, if the refusal is about the recipient.
 * @param reason the server's response, or the text of another failure
 */
export async function recordRefusal(
  tenant: TenantWriter,
  learnerId: string,
  { id, createdAt, email }: RefusedMessage,
  reason: string,
): Promise<void> {
  const bounce = classifyRefusal(reason);
  if (!bounce) return;
  const message = { messageId: id, queuedAt: createdAt, address: email, eventId: `bounce-${id}` };
  await recordBounce(tenant, { ...message, learnerId, source: 'smtp', occurredAt: new Date().toISOString(), bounce });
}

const clear = mutation<{ learnerId: string }, { id: string }>(
  'learner_mail_status_clear',
  (p) => sql`
    update learners
       set mail_status = 'deliverable', mail_status_reason = null, mail_status_since = now(), updated_at = now()
     where company_id = ${p.companyId} and id = ${p.learnerId} and mail_status <> 'deliverable'
    returning id`,
);

/** Makes a learner's e-mail address deliverable again. Returns false if it already was. */
export async function clearMailStatus(tenant: TenantWriter, learnerId: string): Promise<boolean> {
  return (await tenant.mutate(clear, { learnerId })).length > 0;
}
