// The rules for what each sign-in method can do. They are SQL conditions, so that a statement which begins or proves a
// session applies them at the time of the change. No other file decides what a method can do.
//
// - A required identity provider is the only way to sign in, except that admins with emergency access can use a passkey.
// - If the company requires passkeys for the console, an admin who has a passkey must use it, or an identity provider.
//   Mailed links and the setup then sign in only admins without a passkey, whose sessions can do nothing except add
//   one. This includes an admin whose passkeys were all removed or suspended: anybody who can read the admin's email
//   can then add a passkey.
// - A session that was proved only by a mailed link or the setup, possibly before the company required passkeys, must be
//   proved by the passkey first.
// - Actions that matter (`x-recent-sign-in` in the contract) need proof of identity from the last ten minutes: a
//   sign-in, or a confirmation in the session, by the same rules.
import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';
import { KINDS, type PersonKind } from './people.ts';

/** The condition that people of a kind must sign in with an identity provider of their company. */
export const mustUseProvider = (p: Parameters<object>, kind: PersonKind): Sql => sql`
  exists (select from identity_providers r where r.company_id = ${p.companyId} and r.${KINDS[kind].table} = 'required')`;

/** The condition that admins need a passkey for the console. */
const mustUsePasskey = (p: Parameters<object>): Sql => sql`
  exists (select from company_settings o where o.company_id = ${p.companyId} and o.admin_passkeys = 'required')`;

/** The condition that an admin `p` has a passkey that is not suspended (suspended-passkeys.ts). */
export const hasPasskey = (p: Parameters<object>): Sql => sql`
  exists (select from passkeys h where h.company_id = ${p.companyId} and h.admin_id = p.id and h.expires_at is null)`;

/** Builds the condition under which a person `p` can sign in, or confirm who they are, with a method (SignInMethod). */
export function allowsMethod(p: Parameters<object>, kind: PersonKind, method: Sql): Sql {
  if (kind === 'learner') return sql`(${method} = 'identity_provider' or not ${mustUseProvider(p, kind)})`;
  return sql`case ${method} when 'identity_provider' then true
         when 'passkey' then p.emergency_access or not ${mustUseProvider(p, kind)}
         else not ${mustUseProvider(p, kind)} and not (${mustUsePasskey(p)} and ${hasPasskey(p)}) end`;
}

/**
 * A passkey that a session lacks: `proof` if the admin must confirm with an existing passkey, and `registration` if the
 * admin must add the first one. Null if no passkey is missing.
 */
export type MissingPasskey = 'proof' | 'registration' | null;

/** Selects the passkey that a session `s` of a person `p` lacks (`MissingPasskey`). */
export const missingPasskey = (p: Parameters<object>, kind: PersonKind): Sql =>
  kind === 'learner'
    ? sql`null::text`
    : sql`
    case when coalesce(s.proved_by, s.method) in ('passkey', 'identity_provider') or not ${mustUsePasskey(p)} then null
         when ${hasPasskey(p)} then 'proof' else 'registration' end`;

/** The condition that the person of a session `s` has recently confirmed who they are. */
export const hasRecentProof: Sql = sql`(s.proved_at > now() - interval '10 minutes')`;
