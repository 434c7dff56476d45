import { fillIn } from '../../sending/phishing-email-text.ts';
import { sql } from '../../../../db/sql.ts';
import { query } from '../../../../db/statement.ts';
import type { TenantReader } from '../../../../db/tenant.ts';
import { oneLineAmidText } from '../../../../mail/messages/one-line.ts';
import { hashToken, type Message } from './reported-messages.ts';

export interface Identifiers {
  messageIds: readonly string[];
  tokens: readonly string[];
  headerSecrets: readonly string[];
}

interface Lookup {
  messageIdTexts: readonly string[];
  tokenHashes: Buffer[];
}

/** A simulation message, and the identifier that led to it. */
export interface ForwardedMessage extends Message {
  messageId: string | null;
  tokenHash: string | null;
}

const forwardedBy = query<Lookup & { learnerId: string }, ForwardedMessage>(
  'simulation_messages_forwarded',
  (p) => sql`
    select simulation_id as "simulationId", learner_id as "learnerId", null::text as "messageId",
           encode(token_hash, 'hex') as "tokenHash"
      from simulation_recipients
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and token_hash = any(${p.tokenHashes}::bytea[])
    union
    select simulation_id, learner_id, message_id, null from simulation_events
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and message_id = any(${p.messageIdTexts}::text[])
       and voided_at is null`,
);

/** Finds the learner's own simulation messages that have one of the identifiers. */
export function findForwarded(
  tenant: TenantReader,
  learnerId: string,
  identifiers: Identifiers,
): Promise<readonly ForwardedMessage[]> {
  return tenant.queryAll(forwardedBy, { learnerId, ...toLookup(identifiers) });
}

const headerMarks = query<Lookup & { headerSecrets: readonly string[] }, { isMarked: boolean }>(
  'simulation_marks',
  (p) => sql`
    select true as "isMarked" from companies
     where id = ${p.companyId} and (
           exists (select from simulation_recipients
                    where company_id = ${p.companyId} and token_hash = any(${p.tokenHashes}::bytea[]))
           or exists (select from simulation_events
                       where company_id = ${p.companyId} and message_id = any(${p.messageIdTexts}::text[]))
           or exists (select from simulation_settings
                       where company_id = ${p.companyId} and header_secret = any(${p.headerSecrets}::text[])))`,
);

/** Reports whether an identifier belongs to a simulation message of the company, whoever received the message. */
export async function isMarked(tenant: TenantReader, identifiers: Identifiers): Promise<boolean> {
  const { headerSecrets } = identifiers;
  const row = await tenant.queryOne(headerMarks, { headerSecrets, ...toLookup(identifiers) });
  return row?.isMarked ?? false;
}

interface SentRow extends Message {
  subject: string;
  sender: string;
  firstName: string;
  lastName: string;
  companyName: string;
}

/** Number of days after sending within which a message is recognised by its subject and sender. */
const RECOGNISED_DAYS = 30;

const sentTo = query<{ learnerId: string; at: Date; days: number }, SentRow>(
  'simulation_messages_sent',
  (p) => sql`
    select r.simulation_id as "simulationId", r.learner_id as "learnerId",
           t.content -> r.locale ->> 'subject' as subject,
           (t.content -> r.locale ->> 'senderMailbox') || '@' || (s.plan ->> 'senderDomain') as sender,
           l.first_name as "firstName", l.last_name as "lastName", c.name as "companyName"
      from simulation_recipients r
      join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
      join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
      join companies c on c.id = ${p.companyId}
      join simulation_templates t on t.owner_id in (managed_catalogue(), ${p.companyId}) and t.id = r.template_id
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId}
       and r.sent_at between ${p.at}::timestamptz - make_interval(days => ${p.days}::int) and ${p.at}
       and t.content -> r.locale ->> 'subject' is not null and s.plan ->> 'senderDomain' is not null
     order by r.sent_at desc limit 50`,
  { at: new Date(0), days: 1 },
);

/** A message that was sent to the learner. */
export interface SentMessage extends Message {
  subject: string;
  sender: string;
}

/** Lists the messages that were recently sent to the learner, with their subjects as the learner saw them. */
export async function listSent(tenant: TenantReader, learnerId: string, at: Date): Promise<SentMessage[]> {
  const rows = await tenant.queryAll(sentTo, { learnerId, at, days: RECOGNISED_DAYS });
  return rows.map(({ subject, sender, firstName, lastName, companyName, ...message }) => {
    const names = { firstName, lastName, companyName };
    const safe = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, oneLineAmidText(value)]));
    return { ...message, sender, subject: fillIn(subject, safe) };
  });
}

function toLookup({ messageIds, tokens }: Identifiers): Lookup {
  return { messageIdTexts: messageIds, tokenHashes: tokens.map(hashToken) };
}
