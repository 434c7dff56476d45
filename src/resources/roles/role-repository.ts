import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { requireFound } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

export type Role = Schemas['Role'];

const ROLE = sql`'custom' as role, id, name, description, scopes`;

export const listRoles = query<object, Role>(
  'role_all',
  (p) => sql`select ${ROLE} from roles where company_id = ${p.companyId} order by id`,
);

const byId = pointQuery<{ roleId: string }, Role>(
  'role_by_id',
  (p) => sql`select ${ROLE} from roles where company_id = ${p.companyId} and id = ${p.roleId}`,
);

/** @throws not_found */
export async function getRole(tenant: TenantReader, roleId: string): Promise<Role> {
  return requireFound(await tenant.queryOne(byId, { roleId }), 'role');
}

const lockPlaces = mutation<object>(
  'role_lock_places',
  (p) => sql`select from pg_advisory_xact_lock(hashtextextended('roles ' || ${p.companyId}::text, 0))`,
);

const count = mutation<object, { roles: number }>(
  'role_count',
  (p) => sql`select count(*)::integer as roles from roles where company_id = ${p.companyId}`,
);

/** Returns the number of the company's roles. Until the transaction ends, no other transaction can create one. */
export async function lockRoleCount(tenant: TenantWriter): Promise<number> {
  await tenant.mutate(lockPlaces, {});
  return (await tenant.mutate(count, {}))[0]!.roles;
}

type NewRole = Schemas['CreateRoleInput'];

const insert = mutation<{ id: string; name: string; description: string | null; scopes: string[] }, Role>(
  'role_insert',
  (p) => sql`
    insert into roles (company_id, id, name, description, scopes)
    values (${p.companyId}, ${p.id}, ${p.name}, ${p.description}, ${p.scopes})
    returning ${ROLE}`,
);

/** @throws role_name_taken */
export async function insertRole(tenant: TenantWriter, { name, description = null, scopes }: NewRole): Promise<Role> {
  return (await tenant.mutate(insert, { id: uuidv7(), name, description, scopes }))[0]!;
}

const lock = mutation<{ roleId: string }, Role>(
  'role_lock',
  (p) => sql`select ${ROLE} from roles where company_id = ${p.companyId} and id = ${p.roleId} for update`,
);

/**
 * Locks a role until the transaction ends, so that it cannot be assigned to an admin, and returns the role.
 * @throws not_found
 */
export async function lockRole(tenant: TenantWriter, roleId: string): Promise<Role> {
  return requireFound((await tenant.mutate(lock, { roleId }))[0], 'role');
}

const update = mutation<{ roleId: string; name: string; description: string | null; scopes: string[] }, Role>(
  'role_update',
  (p) => sql`
    update roles set name = ${p.name}, description = ${p.description}, scopes = ${p.scopes}
     where company_id = ${p.companyId} and id = ${p.roleId}
    returning ${ROLE}`,
);

/** Records that the permissions of the admins with a role have changed. */
export const stampAdmins = mutation<{ roleId: string; now: string }>(
  'role_stamp_admins',
  (p) => sql`
    update admins set role_changed_at = ${p.now}::timestamptz
     where company_id = ${p.companyId} and role_id = ${p.roleId}`,
);

/** Changes the given fields of a locked role. @throws role_name_taken */
export async function updateRole(
  tenant: TenantWriter,
  { id, name, description, scopes }: Role,
  changes: Schemas['UpdateRoleInput'],
): Promise<Role> {
  const changed = { name, description, scopes: scopes!, ...changes };
  return (await tenant.mutate(update, { roleId: id!, ...changed }))[0]!;
}

const adminsWith = mutation<{ roleId: string }, { id: string }>(
  'role_admins',
  (p) => sql`select id from admins where company_id = ${p.companyId} and role_id = ${p.roleId} order by id`,
);

/** Returns the ids of the admins who have a locked role. */
export async function listAdminIds(tenant: TenantWriter, roleId: string): Promise<string[]> {
  return (await tenant.mutate(adminsWith, { roleId })).map(({ id }) => id);
}

const providersWith = mutation<{ roleId: string }, { id: string }>(
  'role_identity_providers',
  (p) => sql`
    select id from identity_providers
     where company_id = ${p.companyId} and roles @> jsonb_build_array(jsonb_build_object('roleId', ${p.roleId}::text))
     limit 1`,
);

/** Reports whether an identity provider gives a locked role to a group. */
export async function isGivenByProvider(tenant: TenantWriter, roleId: string): Promise<boolean> {
  return (await tenant.mutate(providersWith, { roleId })).length > 0;
}

const directoriesWith = mutation<{ roleId: string }, { id: string }>(
  'role_directory_groups',
  (p) => sql`
    select company_id as id from company_settings
     where company_id = ${p.companyId}
       and admin_groups @> jsonb_build_array(jsonb_build_object('roleId', ${p.roleId}::text))`,
);

/** Reports whether a group of the directory gives a locked role. */
export async function isGivenByDirectory(tenant: TenantWriter, roleId: string): Promise<boolean> {
  return (await tenant.mutate(directoriesWith, { roleId })).length > 0;
}

export const removeRole = mutation<{ roleId: string }>(
  'role_remove',
  (p) => sql`delete from roles where company_id = ${p.companyId} and id = ${p.roleId}`,
);
