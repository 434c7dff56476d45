import { sql } from '../db/sql.ts';
import { mutation, pointQuery, query } from '../db/statement.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import { KINDS } from './people.ts';
import { lockPerson } from './session-repository.ts';
import { canMailLink, MAX_PASSKEYS } from './suspended-passkeys.ts';
import { allowsMethod, hasRecentProof, missingPasskey, mustUseProvider } from './sign-in-rules.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Time when the passkey ends unless the admin restores it; null for a passkey that works. */
  suspendedUntil: string | null;
}

/** A passkey with the data that its owner needs to manage it. */
export interface OwnPasskey extends Passkey {
  credentialId: Buffer;
  /** The former e-mail address to which a link that restores the passkey can be mailed; null if there is none. */
  linkEmail: string | null;
}

const selectPasskeys = query<{ adminId: string }, OwnPasskey>(
  'passkey_list',
  (p) => sql`
    select k.id, k.name, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.expires_at as "suspendedUntil",
           k.credential_id as "credentialId", case when ${canMailLink(p)} then k.former_email end as "linkEmail"
      from passkeys k
     where k.company_id = ${p.companyId} and k.admin_id = ${p.adminId} and (k.expires_at is null or k.expires_at > now())
     order by k.id`,
);

/** Lists the passkeys of an admin, oldest first. */
export function listPasskeys(tenant: TenantReader, adminId: string): Promise<OwnPasskey[]> {
  return tenant.queryAll(selectPasskeys, { adminId });
}

/** A passkey that a device has created. */
export interface NewPasskey {
  id: string;
  adminId: string;
  /** SHA-256 of the secret of the session that adds the passkey. */
  sessionHash: Buffer;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  name: string;
}

/**
 * Locks an admin. A transaction that ends the admin's sessions either waits for the lock, or has ended the sessions
 * before the lock is granted.
 */
export const lockAdmin = mutation<{ adminId: string }>('passkey_lock_admin', (p, knex) =>
  knex('admins').select('id').where({ company_id: p.companyId, id: p.adminId }).forShare(),
);

const insert = mutation<NewPasskey & { max: number }, { id: string }>(
  'passkey_insert',
  (p) => sql`
    insert into passkeys (company_id, id, admin_id, credential_id, public_key, counter, name)
    select p.company_id, ${p.id}, p.id, ${p.credentialId}, ${p.publicKey}, ${p.counter}::bigint, ${p.name} from admins p
     where p.company_id = ${p.companyId} and p.id = ${p.adminId} and ${KINDS.admin.canSignIn}
       and exists (select from person_sessions s
                    where s.company_id = ${p.companyId} and s.token_hash = ${p.sessionHash} and s.admin_id = p.id
                      and ${hasRecentProof} and coalesce(${missingPasskey(p, 'admin')}, '') <> 'proof')
       and (select count(*) from passkeys
             where company_id = ${p.companyId} and admin_id = ${p.adminId} and expires_at is null) < ${p.max}::integer
    on conflict do nothing
    returning id`,
);

/** Reports a new passkey in the transaction that stores it. */
export type ReportPasskey = (tenant: TenantWriter, passkeyId: string) => Promise<void>;

/**
 * Marks the session as proved by a new or restored passkey, for which the device has verified the person. Does nothing
 * if the admin cannot use passkeys.
 */
export const proveByPasskey = mutation<{ sessionHash: Buffer }>(
  'passkey_prove_session',
  (p) => sql`
    update person_sessions s set proved_at = statement_timestamp(), proved_by = 'passkey'
      from admins p
     where s.company_id = ${p.companyId} and s.token_hash = ${p.sessionHash} and p.company_id = ${p.companyId}
       and p.id = s.admin_id and ${allowsMethod(p, 'admin', sql`'passkey'`)}`,
);

/**
 * Inserts a passkey. Returns false if the passkey exists, if the admin cannot sign in or has `MAX_PASSKEYS`, if the
 * session has ended, or if the admin must confirm first. The lock on the admin keeps two sessions from both adding the
 * first passkey while passkeys are required.
 */
export function insertPasskey(tenant: TenantWriter, passkey: NewPasskey, report: ReportPasskey): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    await lockPerson(tx, 'admin', passkey.adminId);
    if ((await tx.mutate(insert, { ...passkey, max: MAX_PASSKEYS })).length === 0) return false;
    await tx.mutate(proveByPasskey, { sessionHash: passkey.sessionHash });
    await report(tx, passkey.id);
    return true;
  });
}

export interface StoredPasskey {
  adminId: string;
  publicKey: Buffer;
  /** The counter as a string, because its column type is bigint. */
  counter: string;
  /** Whether admins must sign in with an identity provider, which the admin does not use. */
  isEmergency: boolean;
  /** Whether the admin can use passkeys, and this one is not suspended. */
  isAllowed: boolean;
}

export const passkeyByCredential = pointQuery<{ credentialId: Buffer }, StoredPasskey>(
  'passkey_by_credential',
  (p) => sql`
    select k.admin_id as "adminId", k.public_key as "publicKey", k.counter::text as counter,
           ${mustUseProvider(p, 'admin')} as "isEmergency",
           k.expires_at is null and ${allowsMethod(p, 'admin', sql`'passkey'`)} as "isAllowed"
      from passkeys k join admins p on p.company_id = ${p.companyId} and p.id = k.admin_id
     where k.company_id = ${p.companyId} and k.credential_id = ${p.credentialId} and ${KINDS.admin.canSignIn}
       and (k.expires_at is null or k.expires_at > now())`,
);

interface PasskeyUse {
  credentialId: Buffer;
  counter: number;
}

const stampUse = mutation<PasskeyUse & { isSuspended: boolean }, { adminId: string }>(
  'passkey_stamp_use',
  (p) => sql`
    update passkeys set counter = ${p.counter}::bigint, last_used_at = statement_timestamp()
     where company_id = ${p.companyId} and credential_id = ${p.credentialId}
       and (expires_at is null or ${p.isSuspended}::boolean)
       and (counter < ${p.counter}::bigint or (counter = 0 and ${p.counter}::bigint = 0))
    returning admin_id as "adminId"`,
);

/**
 * Records a use. Returns false if the passkey is suspended, or if the device's counter has not increased, which
 * suggests a copied passkey. Devices that do not count always send 0, which is accepted.
 * @param isSuspended whether a suspended passkey is also accepted
 */
export async function stampPasskey(tenant: TenantWriter, use: PasskeyUse, isSuspended = false): Promise<boolean> {
  return (await tenant.mutate(stampUse, { ...use, isSuspended })).length > 0;
}
