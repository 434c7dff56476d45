import { IS_QUEUED } from '../../db/expressions.ts';
import { literal, sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import { KINDS, type PersonKind } from '../../identity/people.ts';
import type { LinkAsker } from '../../identity/sign-in-links.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { JOBS_OF_QUEUED } from './outbox.ts';

/**
 * Maximum number of sign-in links that one origin can request for a person. The person's known devices together are one
 * origin; each network is another. Keeps strangers from filling a mailbox.
 */
const MAX_AN_HOUR = 3;
const MAX_A_DAY = 10;
/**
 * Maximum number of sign-in links that all networks together can request for a person. Requests from the person's known
 * devices do not count.
 */
const MAX_OF_NETWORKS_AN_HOUR = 10;
const MAX_OF_NETWORKS_A_DAY = 30;
/** Value of `asked_from` that replaces the network in a request from a device on which the person has signed in. */
const DEVICE = literal('device');

interface LinkRequest extends LinkAsker {
  personId: string;
}

// Sign-in links do not count towards the daily limit of an e-mail address (mail_log). Otherwise, a stranger could use
// up the limit that messages about courses and policies need. A person without a working link always gets one.
// Otherwise, strangers could use up these limits and lock the person out. Each email contains a working link, so this
// adds at most one email per link lifetime.
const queueFor = (kind: PersonKind) => {
  const { table, column, canSignIn } = KINDS[kind];
  const message = literal(kind === 'admin' ? 'admin_sign_in' : 'sign_in');
  return mutation<LinkRequest>(
    `message_queue_sign_in_of_${kind}`,
    (p) => sql`
    with person as (
      select p.company_id, p.id from ${table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${canSignIn} for no key update
    ), asker as (
      select case when exists (
               select from known_devices
                where company_id = ${p.companyId} and person_id = ${p.personId} and expires_at > now()
                  and token_hash = decode(${p.device}::text, 'hex'))
             then ${DEVICE} else ${p.network}::text end as place
    ), recent as (
      select m.asked_from = asker.place as is_same, m.asked_from is distinct from ${DEVICE} as is_of_network,
             m.created_at > now() - interval '1 hour' as is_of_hour
        from messages m cross join asker
       where m.company_id = ${p.companyId} and m.${column} = ${p.personId} and m.kind = ${message}
         and m.created_at > now() - interval '1 day'
    ), counted as (
      select count(*) filter (where is_same and is_of_hour) as of_hour, count(*) filter (where is_same) as of_day,
             count(*) filter (where is_of_network and is_of_hour) as of_networks_of_hour,
             count(*) filter (where is_of_network) as of_networks_of_day
        from recent
    ), inserted as (
      insert into messages (company_id, id, kind, ${column}, asked_from)
      select person.company_id, gen_random_uuid(), ${message}, person.id, asker.place
        from person cross join asker cross join counted
       where of_hour < ${literal(MAX_AN_HOUR)} and of_day < ${literal(MAX_A_DAY)}
             and (asker.place = ${DEVICE} or of_networks_of_hour < ${literal(MAX_OF_NETWORKS_AN_HOUR)}
                                             and of_networks_of_day < ${literal(MAX_OF_NETWORKS_A_DAY)})
          or not exists (select from messages
                          where company_id = ${p.companyId} and ${column} = ${p.personId} and kind = ${message}
                            and status = 'queued')
             and not exists (select from sign_in_links
                              where company_id = ${p.companyId} and ${column} = ${p.personId} and expires_at > now()
                                and used_at is null)
      returning company_id, id
    ), queued as (
      select company_id, id, 0::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
    { network: '192.0.2.0/24', device: '00' },
  );
};
const queues = { learner: queueFor('learner'), admin: queueFor('admin') };

/** Queues an email with a sign-in link for a person who can sign in, unless a limit is reached. */
export async function queueSignInMessage(tenant: TenantWriter, kind: PersonKind, request: LinkRequest): Promise<void> {
  await tenant.mutate(queues[kind], request);
}

/** A message, with the secret and the lifetime of its link. */
export interface MessageLink {
  messageId: string;
  token: string;
  minutes: number;
}

interface LinksParams {
  messageIds: string[];
  tokens: string[];
  minutes: number[];
}

// The locks keep the people from being deleted before the links are stored, and do not wait for statements that hold
// `no key update` locks. A message that is sent again keeps its link.
const mint = mutation<LinksParams, { messageId: string; token: string | null }>(
  'message_mint_link',
  (p) => sql`
    with learner as (
      select id from learners where company_id = ${p.companyId} and id in (
        select learner_id from messages where company_id = ${p.companyId} and id = any(${p.messageIds}::uuid[]))
       order by id for key share
    ), admin as (
      select id from admins where company_id = ${p.companyId} and id in (
        select admin_id from messages where company_id = ${p.companyId} and id = any(${p.messageIds}::uuid[]))
       order by id for key share
    ), message as (
      update messages m set setup_token = coalesce(m.setup_token, n.token)
        from unnest(${p.messageIds}::uuid[], ${p.tokens}::text[], ${p.minutes}::integer[]) as n (message_id, token, minutes)
       where m.company_id = ${p.companyId} and m.id = n.message_id and ${IS_QUEUED}
         and (m.learner_id in (select id from learner) or m.admin_id in (select id from admin))
      returning m.id, m.setup_token, m.learner_id, m.admin_id, n.minutes
    ), link as (
      insert into sign_in_links (company_id, token_hash, learner_id, admin_id, expires_at)
      select ${p.companyId}, sha256(convert_to(setup_token, 'UTF8')), learner_id, admin_id,
             now() + minutes * interval '1 minute'
        from message
      on conflict (company_id, token_hash) do nothing
      returning company_id
    )
    select id as "messageId", setup_token as token from message`,
);

/**
 * Returns the secrets of the links in messages, by message. The first attempt creates the links. A message that is
 * settled, or whose person no longer exists, has no link.
 */
export async function mintMessageLinks(
  tenant: TenantWriter,
  links: readonly MessageLink[],
): Promise<Map<string, string>> {
  if (links.length === 0) return new Map();
  const minted = await tenant.mutate(mint, {
    messageIds: links.map(({ messageId }) => messageId),
    tokens: links.map(({ token }) => token),
    minutes: links.map(({ minutes }) => minutes),
  });
  return new Map(minted.map(({ messageId, token }) => [messageId, token!]));
}
