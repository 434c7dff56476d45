import type { Origin } from '../auth/caller.ts';
import { literal, sql } from '../db/sql.ts';
import { mutation, query } from '../db/statement.ts';
import { toRateLimitNetwork } from '../net/rate-limit-network.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { writeEvents } from '../db/write-events.ts';
import type { PersonKind } from './people.ts';
import type { PersonFaultReason } from './providers/sign-in-fault.ts';

/** Methods of signing in, as the contract names them (`SignInMethod`). */
export type SignInMethod = 'sign_in_link' | 'passkey' | 'setup' | 'identity_provider';

/** The reasons why a sign-in failed, as the contract names them (`SignInFailureReason`). */
export type SignInFailure =
  | ('link_expired' | 'link_used' | 'person_inactive' | 'passkey_rejected' | 'not_allowed' | 'person_differs')
  | PersonFaultReason;

/** Whether a person signed in, or confirmed in a session who they are (`SignInAction`). */
export type SignInAction = 'sign_in' | 'confirmation';

const MAX_USER_AGENT_LENGTH = 300;

/** The IP address and the browser of a client, in the form that the database stores. */
export interface StoredClient {
  address: string | null;
  userAgent: string | null;
}

/** Returns the client of a request. Replaces all characters of its user agent that are not printable ASCII. */
export function toStoredClient({ address, userAgent }: Pick<Origin, 'address' | 'userAgent'>): StoredClient {
  const text = userAgent?.slice(0, MAX_USER_AGENT_LENGTH).replaceAll(/[^ -~]/g, '?');
  return { address, userAgent: text || null };
}

/** An attempt to sign in. */
export interface SignIn {
  kind: PersonKind;
  /** The learner or the admin; null if a failed attempt was for somebody whom the company does not know. */
  personId: string | null;
  method: SignInMethod;
  /** By default, a sign-in. */
  action?: SignInAction;
  /** The reason of the failure; null if the attempt succeeded. */
  reason: SignInFailure | null;
  origin: Origin;
}

/** Maximum number of failures per hour that the log keeps for a person, and for unknown people from one network. */
const MAX_FAILURES_AN_HOUR = 20;
/** Maximum number of failures per hour of unknown people, from all networks. */
const MAX_UNKNOWN_AN_HOUR = 200;

type Row = Required<Omit<SignIn, 'origin'>> & StoredClient & { network: string | null };

// Counts two ranges of an index, because no index supports `is not distinct from`. An attack from one network hides no
// failures from others.
const insert = mutation<Row, { id: string }>(
  'sign_in_insert',
  (p) => sql`
    insert into sign_ins (company_id, kind, person_id, method, action, reason, address, network, user_agent)
    select ${p.companyId}, ${p.kind}, ${p.personId}::uuid, ${p.method}, ${p.action}, ${p.reason}::text, ${p.address},
           ${p.network}, ${p.userAgent}
     where ${p.reason}::text is null
        or ${p.personId}::uuid is not null and ${literal(MAX_FAILURES_AN_HOUR)} > (
             select count(*) from (
               select id from sign_ins
                where company_id = ${p.companyId} and person_id = ${p.personId}::uuid and reason is not null
                  and occurred_at > now() - interval '1 hour' limit ${literal(MAX_FAILURES_AN_HOUR)}) as recent)
        or ${p.personId}::uuid is null and (
             select count(*) < ${literal(MAX_UNKNOWN_AN_HOUR)}
                    and count(*) filter (where network is not distinct from ${p.network}) < ${literal(MAX_FAILURES_AN_HOUR)}
               from (
                 select network from sign_ins
                  where company_id = ${p.companyId} and person_id is null and reason is not null
                    and occurred_at > now() - interval '1 hour' limit ${literal(MAX_UNKNOWN_AN_HOUR)}) as recent)
    returning id`,
  { kind: 'learner', action: 'sign_in' },
);

/** Selects one row if the person has signed in before, but not from this network. */
const selectNewNetwork = query<{ personId: string; network: string }, { isNew: boolean }>(
  'sign_in_network',
  (p) => sql`
    select true as "isNew" from sign_ins
     where company_id = ${p.companyId} and person_id = ${p.personId} and reason is null
    having count(*) > 0 and count(*) filter (where network = ${p.network}) = 0`,
);

/** The task that mails an admin that somebody has signed in as them from a new network. */
export const NOTIFY_NEW_NETWORK = 'notify_new_network';

const queueNotice = mutation<{ adminId: string; signInId: string }>(
  'sign_in_queue_notice',
  (p) => sql`
    select from sign_ins s
     cross join lateral graphile_worker.add_job(${literal(NOTIFY_NEW_NETWORK)}, json_build_object(
       'companyId', s.company_id, 'adminId', s.person_id, 'signInId', s.id))
     where s.company_id = ${p.companyId} and s.person_id = ${p.adminId} and s.id = ${p.signInId}`,
);

/**
 * Appends an attempt to the sign-in log. More than 20 failures per hour and person are dropped, so that nobody fills
 * the log. Record a failure only if the company is certain, and if a stranger cannot fabricate the attempt. The first
 * sign-in of an admin from a new network queues an email to the admin, and writes an event.
 */
export async function recordSignIn(
  tenant: TenantWriter,
  { origin, action = 'sign_in', ...signIn }: SignIn,
): Promise<void> {
  const { kind, personId, reason } = signIn;
  const network = origin.address === null ? null : toRateLimitNetwork(origin.address);
  const isWatched = kind === 'admin' && reason === null && personId !== null && network !== null;
  const isNew = isWatched && (await tenant.queryAll(selectNewNetwork, { personId, network })).length > 0;
  const [entry] = await tenant.mutate(insert, { ...signIn, action, ...toStoredClient(origin), network });
  if (!isNew || !entry) return;
  await tenant.mutate(queueNotice, { adminId: personId, signInId: entry.id });
  await writeEvents(tenant, [{ type: 'admin.new_network', data: { adminId: personId, signInId: entry.id } }]);
}
