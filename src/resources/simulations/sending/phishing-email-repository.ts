import { fullName, IS_QUEUED } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { PhishingEmail } from './compose-phishing-email.ts';
import { type SendingLimits, permanentBlockReason, temporaryBlockReason } from './sending-stops.ts';

/** A queued simulation message with current data, and the reasons not to send it. */
export interface QueuedPhishingEmail extends PhishingEmail {
  simulationId: string;
  learnerId: string;
  recipientId: string;
  /** Reason why the message must never be sent; null if there is none. */
  never: string | null;
  /** Reason why the message must not be sent for now; null if there is none. */
  notNow: string | null;
}

/** Finds the given messages that are still queued. */
export const queuedPhishingEmails = query<SendingLimits & { messageIds: readonly string[] }, QueuedPhishingEmail>(
  'simulation_message_queued',
  (p) => sql`
    select m.id, m.created_at as "createdAt", coalesce(m.setup_token, '') as token, k.name as "companyName", l.email,
           l.first_name as "firstName", l.last_name as "lastName", ${fullName(sql`l`)} as name,
           s.id as "simulationId", l.id as "learnerId", r.id as "recipientId", coalesce(r.locale, '') as locale,
           s.plan ->> 'senderDomain' as sender, s.delivery_method as "deliveryMethod",
           t.content -> r.locale as texts, c.header_secret as "headerSecret",
           case when s.status is distinct from 'running' then 'the simulation has ended'
                when r.id is null then 'another message is sent'
                when t.content -> r.locale is null then 'the template is gone'
                else coalesce(${permanentBlockReason(p)}, case when m.setup_token is null then 'the address has changed' end) end as never,
           ${temporaryBlockReason(p)} as "notNow"
      from messages m
      join companies k on k.id = ${p.companyId}
      join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
      left join simulations s on s.company_id = ${p.companyId} and s.id = m.subject_ids[1]
      left join simulation_recipients r on r.company_id = ${p.companyId} and r.simulation_id = m.subject_ids[1]
            and r.learner_id = m.learner_id and r.message_id = m.id
      left join simulation_templates t on t.id = r.template_id and t.owner_id in (managed_catalogue(), ${p.companyId})
      left join simulation_settings c on c.company_id = ${p.companyId}
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[]) and m.kind = 'simulation' and ${IS_QUEUED}`,
);

/** Messages that are not to be sent, each with the reason. */
export interface StoppedMessages {
  messageIds: string[];
  reasons: string[];
}

/** Settles messages that are not to be sent, and records the reasons with the recipients. */
export const failMessages = mutation<StoppedMessages & { statuses: string[]; attempts: number[] }, { id: string }>(
  'simulation_message_fail',
  (p) => sql`
    with settled as (
      update messages m set status = f.status, reason = f.reason, attempts = f.attempts, setup_token = null,
                            settled_at = now()
        from unnest(${p.messageIds}::uuid[], ${p.statuses}::text[], ${p.reasons}::text[], ${p.attempts}::integer[])
               as f (message_id, status, reason, attempts)
       where m.company_id = ${p.companyId} and m.id = f.message_id and ${IS_QUEUED}
      returning m.id, m.learner_id, m.subject_ids[1] as simulation_id, m.reason
    ), recorded as (
      update simulation_recipients r set failed_at = now(), failure = s.reason from settled s
       where r.company_id = ${p.companyId} and r.simulation_id = s.simulation_id
       and r.learner_id = any(array(select learner_id from settled)) and r.learner_id = s.learner_id
         and r.message_id = s.id
    )
    select id from settled`,
  { statuses: ['failed', 'cancelled'] },
);

/** Removes messages that were never attempted from the queue. Their recipients get other messages later. */
export const unqueueMessages = mutation<StoppedMessages>(
  'simulation_message_take_back',
  (p) => sql`
    with settled as (
      update messages m set status = 'cancelled', reason = f.reason, setup_token = null, settled_at = now()
        from unnest(${p.messageIds}::uuid[], ${p.reasons}::text[]) as f (message_id, reason)
       where m.company_id = ${p.companyId} and m.id = f.message_id and ${IS_QUEUED}
      returning m.id, m.learner_id, m.subject_ids[1] as simulation_id
    )
    update simulation_recipients r set message_id = null, token_hash = null from settled s
     where r.company_id = ${p.companyId} and r.simulation_id = s.simulation_id
       and r.learner_id = any(array(select learner_id from settled)) and r.learner_id = s.learner_id
       and r.message_id = s.id`,
);
