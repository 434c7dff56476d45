import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import type { AssignedRole } from '../../auth/roles.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { languageTag } from '../../contract/languages.ts';
import type { RequestedRole, RemovableAdmin } from './admin-rules.ts';

export type Admin = Schemas['Admin'];

const ADMIN = sql`
  id, email, first_name as "firstName", last_name as "lastName", locale, status,
  invited_at as "invitedAt", created_at as "createdAt", role, role_id as "roleId",
  emergency_access as "emergencyAccess", case when directory_learner_id is not null then 'directory' end as "managedBy"`;
const CUSTOM_SCOPES = (p: Parameters<object>) => sql`
  (select r.scopes from roles r where r.company_id = ${p.companyId} and r.id = role_id) as "customScopes"`;

export const listAdmins = pagedQuery<object, Admin>(
  'admin_list',
  BY_ID,
  (p) => sql`select ${ADMIN} from admins where company_id = ${p.companyId}`,
);

export type LockedAdmin = Admin & AssignedRole;

const lock = mutation<{ adminId: string }, LockedAdmin>(
  'admin_lock',
  (p) => sql`
    select ${ADMIN}, ${CUSTOM_SCOPES(p)} from admins where company_id = ${p.companyId} and id = ${p.adminId} for no key update`,
);

/** Locks the row of an admin until the transaction ends, and returns the admin. @throws not_found */
export async function lockAdmin(tenant: TenantWriter, adminId: string): Promise<LockedAdmin> {
  return requireFound((await tenant.mutate(lock, { adminId }))[0], 'admin');
}

/**
 * Locks the admin and all active admins, who read notices, in the order in which removals lock. Must run before the
 * other locks of a transaction that changes one admin and notifies all. Otherwise, the transaction and a removal could
 * deadlock.
 */
export const lockReaders = mutation<{ adminId: string }>(
  'admin_lock_readers',
  (p) => sql`
    select id from admins where company_id = ${p.companyId} and (status = 'active' or id = ${p.adminId})
     order by id for key share`,
);

const keepRole = mutation<{ roleId: string }, { scopes: string[] }>(
  'admin_keep_role',
  (p) => sql`select scopes from roles where company_id = ${p.companyId} and id = ${p.roleId} for key share`,
);

/** Returns a role that the company created, and prevents its deletion until the transaction ends. @throws not_found */
export async function keepCustomRole(tenant: TenantWriter, roleId: string): Promise<RequestedRole> {
  const { scopes } = requireFound((await tenant.mutate(keepRole, { roleId }))[0], 'role');
  return { role: 'custom', roleId, customScopes: scopes };
}

interface NewAdmin extends Pick<Schemas['CreateAdminInput'], 'email' | 'firstName' | 'lastName' | 'locale'> {
  role: string;
  roleId: string | null;
}

const insert = mutation<NewAdmin & { id: string }>(
  'admin_insert',
  (p) => sql`
    insert into admins (company_id, id, email, first_name, last_name, locale, status, role, role_id)
    values (${p.companyId}, ${p.id}, ${p.email}, ${p.firstName}, ${p.lastName}, ${p.locale}, 'invited', ${p.role},
            ${p.roleId})`,
);

/** Inserts an admin, who has no setup link yet. Returns the id. */
export async function insertAdmin(tenant: TenantWriter, admin: NewAdmin): Promise<string> {
  const id = uuidv7();
  await tenant.mutate(insert, { id, ...admin, locale: admin.locale && languageTag(admin.locale) });
  return id;
}

/** Changes to an admin. Omitted fields keep their values. */
interface AdminChanges extends Partial<NewAdmin> {
  adminId: string;
  /** Whether the role differs from the stored one. */
  isNewRole: boolean;
  emergencyAccess?: boolean | undefined;
}

const update = mutation<AdminChanges & { now: string }, Admin>(
  'admin_update',
  (p) => sql`
    update admins
       set email = coalesce(${p.email}, email),
           email_changed_at = case when lower(${p.email}) <> lower(email) then ${p.now}::timestamptz else email_changed_at end,
           first_name = coalesce(${p.firstName}, first_name),
           last_name = coalesce(${p.lastName}, last_name),
           locale = coalesce(${p.locale}, locale),
           role_changed_at = case when ${p.isNewRole}::boolean then ${p.now}::timestamptz else role_changed_at end,
           role = coalesce(${p.role}, role),
           emergency_access = case when ${p.emergencyAccess}::boolean is not null then ${p.emergencyAccess}::boolean
                                   else emergency_access and lower(coalesce(${p.email}, email)) = lower(email) end,
           role_id = case when ${p.role}::text is null then role_id else ${p.roleId} end
     where company_id = ${p.companyId} and id = ${p.adminId}
    returning ${ADMIN}`,
);

/** @throws not_found */
export async function updateAdmin(tenant: TenantWriter, changes: AdminChanges): Promise<Admin> {
  const locale = changes.locale && languageTag(changes.locale);
  return requireFound((await tenant.mutate(update, { ...changes, locale, now: new Date().toISOString() }))[0], 'admin');
}

interface SetupLink {
  adminId: string;
  tokenHash: Buffer;
}

const setLink = mutation<SetupLink & { days: number }, Admin>(
  'admin_set_setup_link',
  (p) => sql`
    update admins
       set setup_token_hash = ${p.tokenHash},
           setup_expires_at = now() + ${p.days}::integer * interval '1 day',
           invited_at = now()
     where company_id = ${p.companyId} and id = ${p.adminId}
    returning ${ADMIN}`,
);

/** Replaces the setup link of the admin. @throws not_found */
export async function setSetupLink(tenant: TenantWriter, link: SetupLink & { days: number }): Promise<Admin> {
  return requireFound((await tenant.mutate(setLink, link))[0], 'admin');
}

type FinishedSetup = SetupLink & { firstName: string; lastName: string };

const activate = mutation<FinishedSetup, { id: string }>(
  'admin_activate',
  (p) => sql`
    update admins
       set first_name = ${p.firstName}, last_name = ${p.lastName}, status = 'active', activated_at = now(),
           setup_token_hash = null, setup_expires_at = null
     where company_id = ${p.companyId} and id = ${p.adminId} and setup_token_hash = ${p.tokenHash}
       and setup_expires_at > now()
    returning id`,
);

/** Finishes the setup of an admin. Returns false if the link has been used or replaced, or has expired. */
export async function activateAdmin(tenant: TenantWriter, setup: FinishedSetup): Promise<boolean> {
  return (await tenant.mutate(activate, setup)).length > 0;
}

/**
 * Returns all admins of the company, and locks them until the transaction ends. All are locked, in the same order.
 * Otherwise, two concurrent removals could each leave only the admin that the other removes.
 */
export const lockAdmins = mutation<object, RemovableAdmin>(
  'admin_lock_all',
  (p) => sql`
    select id, status, role, ${CUSTOM_SCOPES(p)},
           case when directory_learner_id is not null then 'directory' end as "managedBy"
      from admins where company_id = ${p.companyId} order by id for update`,
);

/** Removes admins, and the messages to them. */
export const removeAdmins = mutation<{ adminIds: string[] }>(
  'admin_remove',
  (p) => sql`delete from admins where company_id = ${p.companyId} and id = any(${p.adminIds}::uuid[])`,
);
