import type { Origin } from '../auth/caller.ts';
import { sql } from '../db/sql.ts';
import { mutation, pointQuery } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { KINDS } from './people.ts';
import type { Session } from './person-sessions.ts';
import { allowsMethod, hasPasskey } from './sign-in-rules.ts';
import { recordSignIn, type SignInFailure, type SignInMethod } from './sign-in-log.ts';

/**
 * Method by which an admin confirms who they are. A setup link cannot confirm a session, because it works only once.
 */
export type ConfirmationMethod = Exclude<SignInMethod, 'setup'>;

interface Confirmed {
  tokenHash: Buffer;
  personId: string;
  method: string;
}

const confirm = mutation<Confirmed, { id: string }>(
  'session_confirm',
  (p) => sql`
    update person_sessions s set proved_at = statement_timestamp(), proved_by = ${p.method}
      from admins p
     where s.company_id = ${p.companyId} and s.token_hash = ${p.tokenHash} and s.admin_id = ${p.personId}
       and s.expires_at > now() and p.company_id = ${p.companyId} and p.id = s.admin_id and ${KINDS.admin.canSignIn}
       and ${allowsMethod(p, 'admin', sql`${p.method}::text`)}
    returning s.id`,
  { method: 'passkey' },
);

type ConfirmedSession = Pick<Session, 'id' | 'tokenHash'>;

/**
 * Records that the admin of a session has confirmed who they are, and adds the confirmation to the sign-in log. Run
 * this in the transaction that checked the proof.
 * @returns false if the session has ended, or if the admin cannot use the method
 */
export async function confirmSession(
  tx: TenantWriter,
  { id, tokenHash }: ConfirmedSession,
  { method, origin }: { method: ConfirmationMethod; origin: Origin },
): Promise<boolean> {
  if ((await tx.mutate(confirm, { tokenHash, personId: id, method })).length === 0) return false;
  await recordSignIn(tx, { kind: 'admin', personId: id, method, action: 'confirmation', reason: null, origin });
  return true;
}

/** Adds a failed confirmation to the sign-in log. */
export async function recordFailedConfirmation(
  { tenant, id }: Pick<Session, 'id' | 'tenant'>,
  failure: { method: ConfirmationMethod; reason: SignInFailure; origin: Origin },
): Promise<void> {
  await recordSignIn(tenant, { kind: 'admin', personId: id, action: 'confirmation', ...failure });
}

/** Methods by which the admin of a session can confirm who they are. */
interface Ways {
  hasPasskey: boolean;
  /** The identity provider with which the session began, or another one that admins must use; null for none. */
  providerId: string | null;
  hasLink: boolean;
}

const ways = pointQuery<{ tokenHash: Buffer }, Ways>(
  'session_confirmation_ways',
  (p) => sql`
    select ${hasPasskey(p)} and ${allowsMethod(p, 'admin', sql`'passkey'`)} as "hasPasskey",
           (select i.id from identity_providers i
             where i.company_id = ${p.companyId}
               and (i.admins = 'required' or i.admins = 'optional' and i.id = s.provider_id)
             order by (i.id = s.provider_id) desc nulls last, i.id limit 1) as "providerId",
           ${allowsMethod(p, 'admin', sql`'sign_in_link'`)} as "hasLink"
      from person_sessions s join admins p on p.company_id = ${p.companyId} and p.id = s.admin_id
     where s.company_id = ${p.companyId} and s.token_hash = ${p.tokenHash}`,
);

/** Method of confirmation that a page offers; `none` if the admin must sign in again instead. */
export type ConfirmationWay =
  { method: 'identity_provider'; providerId: string } | { method: 'passkey' | 'sign_in_link' | 'none' };

/**
 * Chooses the strongest method by which the admin of a session can confirm who they are: a passkey, then the identity
 * provider, then a mailed link.
 * @param supportsPasskeys whether browsers support passkeys for the service's URL
 */
export async function chooseConfirmation(
  { tenant, tokenHash }: Pick<Session, 'tenant' | 'tokenHash'>,
  supportsPasskeys: boolean,
): Promise<ConfirmationWay> {
  const found = await tenant.queryOne(ways, { tokenHash });
  if (found?.hasPasskey && supportsPasskeys) return { method: 'passkey' };
  if (found && found.providerId !== null) return { method: 'identity_provider', providerId: found.providerId };
  return { method: found?.hasLink ? 'sign_in_link' : 'none' };
}
