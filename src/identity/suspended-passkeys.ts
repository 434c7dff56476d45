// Suspended passkeys: how a change to an admin's e-mail address affects the passkeys.
//
// When the e-mail address changes, a trigger suspends the admin's passkeys for seven days
// (migrations/*_suspend_passkeys.ts), so this applies however the address is changed. A suspended passkey neither signs
// in nor confirms a session, and does not count as a passkey of the admin. Unless it is restored, it is deleted after
// the seven days. An account can thus be handed over by changing its e-mail address: nobody keeps access through an
// earlier passkey.
//
// A restoration needs two proofs in one browser:
// - of the new address: a session that began after the change, because the change ends all earlier ones, and a proof in
//   it of the last ten minutes.
// - of the old access: one of the suspended passkeys, or a link that the session has mailed to the former address.
//
// A proof restores only the passkeys that were suspended together: passkeys from other addresses might belong to
// somebody else. If the address changes again, a suspended passkey keeps its end and its former address, so that
// neither a change back nor a second change counts as a proof. Such a change also invalidates the mailed link. A former
// address proves nothing while it is the current address again, or the address of another admin.
//
// Restoring passkeys locks the admin, as do changes of address and sign-ins.
import { literal, sql, type Sql } from '../db/sql.ts';
import { mutation, type Parameters } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { ApiError } from '../contract/errors.ts';
import type { Origin } from '../auth/caller.ts';
import { SignInRefused, toUndefined } from './begin-session.ts';
import { createPersonToken, hashPersonToken, readPersonToken } from './person-token.ts';
import type { Session } from './person-sessions.ts';
import { lockPerson } from './session-repository.ts';
import { hasRecentProof } from './sign-in-rules.ts';

/** Maximum number of passkeys of an admin that are not suspended. */
export const MAX_PASSKEYS = 10;

// Reads all admins of the company: under row-level security no index serves lower(), and the owner of the tables gets
// the same plan without the index.
/** The condition that a link which restores a passkey `k` can be mailed to the former address. */
export const canMailLink = (p: Parameters<object>): Sql => sql`
  (k.former_email is not null and not exists (
    select from admins h where h.company_id = ${p.companyId} and lower(h.email) || '' = lower(k.former_email)))`;

/** The condition that a session of an admin exists, and has a recent proof. */
const hasProvenSession = (p: Parameters<{ adminId: string; sessionHash: Buffer }>): Sql => sql`
  exists (select from person_sessions s
           where s.company_id = ${p.companyId} and s.token_hash = ${p.sessionHash} and s.admin_id = ${p.adminId}
             and s.expires_at > now() and ${hasRecentProof})`;

interface Restoration {
  adminId: string;
  sessionHash: Buffer;
  /** SHA-256 of a mailed link's secret, or the credential id of a suspended passkey. */
  proof: Buffer;
  isLink: boolean;
}

// Restores either all of the passkeys that were suspended together, or none.
const restore = mutation<Restoration, { id: string }>(
  'passkey_restore',
  (p) => sql`
    with proven as (
      select k.id from passkeys q
        join passkeys k on k.company_id = ${p.companyId} and k.admin_id = q.admin_id and k.expires_at = q.expires_at
                       and lower(k.former_email) = lower(q.former_email)
       where q.company_id = ${p.companyId} and q.admin_id = ${p.adminId} and q.expires_at > now()
         and case when ${p.isLink}::boolean
                  then q.link_hash = ${p.proof} and q.link_expires_at > now() and ${canMailLink(p)}
                  else q.credential_id = ${p.proof} end
         and ${hasProvenSession(p)}
    )
    update passkeys set expires_at = null, former_email = null, link_hash = null, link_expires_at = null
     where company_id = ${p.companyId} and admin_id = ${p.adminId} and id in (select id from proven)
       and (select count(distinct id) from proven)
           + (select count(*) from passkeys
               where company_id = ${p.companyId} and admin_id = ${p.adminId} and expires_at is null) <= ${literal(MAX_PASSKEYS)}
    returning id`,
);

/** Reports restored passkeys in the transaction that restores them. */
export type ReportPasskeys = (tenant: TenantWriter, passkeyIds: string[]) => Promise<void>;

/**
 * Restores the suspended passkeys that a proof is about. The caller must hold the lock of the admin.
 * @throws {SignInRefused} if there are no passkeys to restore, if the session lacks a recent proof, or if the admin
 *   would exceed the maximum
 */
export async function restorePasskeys(
  tx: TenantWriter,
  restoration: Restoration,
  report: ReportPasskeys,
): Promise<void> {
  const ids = (await tx.mutate(restore, restoration)).map(({ id }) => id).toSorted();
  if (ids.length === 0) throw new SignInRefused();
  tx.addTargets('passkeyId', ids);
  await report(tx, ids);
}

const setLink = mutation<
  { adminId: string; sessionHash: Buffer; passkeyId: string; linkHash: Buffer },
  { formerEmail: string }
>(
  'passkey_set_link',
  (p) => sql`
    update passkeys s set link_hash = ${p.linkHash}, link_expires_at = now() + interval '1 hour'
      from passkeys k
     where s.company_id = ${p.companyId} and k.company_id = ${p.companyId} and k.admin_id = ${p.adminId}
       and k.id = ${p.passkeyId} and k.expires_at > now() and ${canMailLink(p)} and s.id = k.id
       and ${hasProvenSession(p)}
    returning coalesce(k.former_email, '') as "formerEmail"`,
);

/** The email with a link to the former address. */
export interface PasskeyLinkMail {
  adminId: string;
  formerEmail: string;
  token: string;
}

/** Queues the email in the transaction that creates the link. Returns false if the admin has reached a limit. */
export type QueuePasskeyLink = (tenant: TenantWriter, mail: PasskeyLinkMail) => Promise<boolean>;

/**
 * Mails a link to the former address. The link restores a suspended passkey, and the passkeys that were suspended with
 * it. An earlier link of the passkey stops working.
 * @returns false if the passkey has no such link, or if the session has no recent proof
 * @throws rate_limited
 */
export async function requestPasskeyLink(
  { open, companyId, id: adminId, tokenHash: sessionHash }: Session,
  passkeyId: string,
  { origin, queue }: { origin: Origin; queue: QueuePasskeyLink },
): Promise<boolean> {
  const targets = [{ field: 'passkeyId', count: 1, ids: [passkeyId] }];
  const isQueued = await open({ operation: 'requestPasskeyLink', targets }, origin)
    .transaction(async (tx) => {
      await lockPerson(tx, 'admin', adminId);
      const token = createPersonToken(companyId);
      const link = { adminId, sessionHash, passkeyId, linkHash: hashPersonToken(token) };
      const [former] = await tx.mutate(setLink, link);
      if (!former) throw new SignInRefused();
      if (await queue(tx, { adminId, ...former, token })) return true;
      throw new ApiError('rate_limited', 'Five links were mailed in 24 hours; wait until tomorrow.');
    })
    .catch(toUndefined);
  return isQueued ?? false;
}

interface Reporting {
  origin: Origin;
  /** Runs in the transaction of the restoration. */
  report: ReportPasskeys;
}

/** Restores passkeys by the secret of a mailed link. Returns false where `restorePasskeys` throws. */
export async function restoreByLink(
  { open, companyId, id: adminId, tokenHash: sessionHash }: Session,
  token: string,
  { origin, report }: Reporting,
): Promise<boolean> {
  const link = readPersonToken(token);
  if (link?.companyId !== companyId) return false;
  const isRestored = await open({ operation: 'restorePasskeys' }, origin)
    .transaction(async (tx) => {
      await lockPerson(tx, 'admin', adminId);
      await restorePasskeys(tx, { adminId, sessionHash, proof: link.tokenHash, isLink: true }, report);
      return true;
    })
    .catch(toUndefined);
  return isRestored ?? false;
}
