// Simulation sending: the planned messages of a company are sent at their times, unless something stops them.
//
// A process with the role `simulate` polls twice a second for companies with work to do, and handles up to twenty at a
// time (simulation-poller.ts). For each company it runs these steps:
//
// 1. Look up the proof of the domain in DNS again, once an hour.
// 2. Start approved simulations whose domain is proved. End simulations whose window is over (move-simulations.ts). If
//    a simulation cannot start, `blocked_because` has the reason, and the simulation is checked again every minute.
// 3. Queue the messages that are due (this file). For each message, a row and a job are added to the outbox
//    (src/mail/outbox/outbox.ts).
// 4. Ten minutes after a recipient has followed a link, enrol the recipient in the training of the simulation
//    (assign-follow-up-training.ts).
//
// Rate. A company is sent at most SIMULATION_RATE_PER_MINUTE messages a minute, because all its recipients are in one
// domain. The row of the company's settings serialises sending: the process that locks the row queues messages, and
// moves `next_send_at` forward. After a pause, at most five seconds' worth of messages are sent at once. Rows that
// another call has locked wait until the next poll.
//
// Stops (sending-stops.ts). A permanent reason, such as an inactive learner, an exclusion or an e-mail address outside
// the domain, marks the recipient as failed. A temporary reason, such as an admin's stop, a lost proof or a time
// outside the working hours, makes the message wait. Both kinds of reasons are checked when the message is queued,
// before each attempt, and twice a second while the email is being transferred (prepare-phishing-email.ts). A stop
// closes the connection unless the server already has the whole email.
//
// Guarantees: a recipient has only one message at a time. If a stop applies before a message's first attempt, the
// message is removed from the queue, and the recipient gets another message later. After the first attempt, the message
// is kept until it is given up, because it might have arrived. The transaction that settles the message also records
// `sent`.
//
// Failures: a message that has not been sent within a day after the end of the window is never sent. If a worker dies,
// see src/mail/sending/send-message.ts. If an email is delivered twice, both copies have the same Message-ID.
//
// Secrecy: links contain a secret; the recipient's row has only its SHA-256.
//
// Not for: simulations that other systems run; these systems only report events.
import { v7 as uuidv7 } from 'uuid';
import { addInterval } from '../../../db/expressions.ts';
import { literal, sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { queuedJobsSql } from '../../../mail/outbox/outbox.ts';
import { type SendingLimits, permanentBlockReason, temporaryBlockReason } from './sending-stops.ts';

/** Name of the task that sends a simulation message. The payload is the id of the message. */
export const SEND_SIMULATION_MESSAGE = 'send_simulation_message';
/** Seconds' worth of messages that can be sent at once after a pause, however many are due. */
const BURST_S = 5;
const MAX_AT_ONCE = 500;

interface Queueing extends SendingLimits {
  ratePerMinute: number;
  messageIds: string[];
  tokens: string[];
  tokenHashes: Buffer[];
}

// Lock order: the settings, then learners before their recipients. Locked rows are skipped, so the statement never
// waits.
const queueDue = mutation<Queueing, { queued: number }>(
  'simulation_queue_due',
  (p) => sql`
    with gate as (
      select greatest(coalesce(next_send_at, '-infinity'), now() - ${literal(BURST_S)} * interval '1 second') as free_from,
             interval '1 minute' / ${p.ratePerMinute}::integer as step
        from simulation_settings where company_id = ${p.companyId} and coalesce(next_send_at, '-infinity') <= now()
         for no key update skip locked
    ), due as (
      select r.simulation_id, r.learner_id, r.scheduled_at, ${permanentBlockReason(p)} as failure
        from simulations s
        join simulation_recipients r on r.company_id = ${p.companyId} and r.simulation_id = s.id
        join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
        join companies k on k.id = ${p.companyId}
        join simulation_settings c on c.company_id = ${p.companyId}
       where s.company_id = ${p.companyId} and s.is_own and s.status = 'running' and ${temporaryBlockReason(p)} is null
         and r.scheduled_at <= now() and r.template_id is not null and r.message_id is null and r.failed_at is null
         and r.sent_at is null
       order by r.scheduled_at, r.learner_id
       limit coalesce((select least(cardinality(${p.messageIds}::uuid[]),
                                    1 + floor(extract(epoch from now() - free_from) / extract(epoch from step)))
                         from gate), 0)
         for key share of l skip locked
         for no key update of r skip locked
    ), placed as (
      select simulation_id, learner_id, row_number() over (order by scheduled_at, learner_id) as place
        from due where failure is null
    ), new as (
      select simulation_id, learner_id, message_id, token, token_hash
        from placed join unnest(${p.messageIds}::uuid[], ${p.tokens}::text[], ${p.tokenHashes}::bytea[]) with ordinality
                           as fresh (message_id, token, token_hash, place) using (place)
    ), failed as (
      update simulation_recipients r set failed_at = now(), failure = d.failure from due d
       where r.company_id = ${p.companyId} and r.simulation_id = d.simulation_id and r.learner_id = d.learner_id
         and d.failure is not null
      returning r.learner_id
    ), marked as (
      update simulation_recipients r set message_id = n.message_id, token_hash = n.token_hash
        from new n
       where r.company_id = ${p.companyId} and r.simulation_id = n.simulation_id and r.learner_id = n.learner_id
      returning r.learner_id
    ), paced as (
      update simulation_settings c set next_send_at = ${addInterval(sql`g.free_from`, sql`g.step * n.taken`)}
        from gate g, (select count(*) as taken from new) as n
       where c.company_id = ${p.companyId} and n.taken > 0
      returning c.company_id
    ), inserted as (
      insert into messages (company_id, id, kind, learner_id, subject_ids, setup_token)
      select ${p.companyId}, message_id, 'simulation', learner_id, array[simulation_id], token from new
      returning company_id, id
    ), queued as (
      select company_id, id, 1::smallint as priority from inserted
    )${queuedJobsSql(SEND_SIMULATION_MESSAGE)}`,
);

export interface Queue extends SendingLimits {
  ratePerMinute: number;
  /** Creates the secret in a message's links. */
  createToken: (companyId: string) => string;
  /** Computes the stored hash by which links are looked up. */
  hashToken: (token: string) => Buffer;
}

/**
 * Queues the due messages of a company, each only once, within the rate limit.
 * @returns the number of queued messages
 */
export async function queueDueMessages(
  tenant: TenantWriter,
  { senders, ratePerMinute: ratePerMinute, createToken, hashToken }: Queue,
): Promise<number> {
  const max = Math.min(MAX_AT_ONCE, Math.ceil((ratePerMinute * BURST_S) / 60) + 1);
  const messageIds = Array.from({ length: max }, () => uuidv7());
  const tokens = messageIds.map(() => createToken(tenant.companyId));
  const tokenHashes = tokens.map(hashToken);
  const [row] = await tenant.mutate(queueDue, { senders, ratePerMinute, messageIds, tokens, tokenHashes });
  return row!.queued;
}
