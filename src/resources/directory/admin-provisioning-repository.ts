import type { Schemas } from '../../contract/contract.ts';
import { literal, sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import {
  type Candidate,
  type ChangedAdmin,
  type CurrentAdmin,
  MAX_PROVISIONED_ADMINS,
} from './admin-provisioning-rules.ts';

/** The role that a group gives its members. */
export type StoredRole = Pick<Schemas['RoleOfDirectoryGroup'], 'groupId' | 'role' | 'roleId'>;

/** Admin provisioning of a company. */
export interface Provisioning {
  enabled: boolean;
  joinsExistingAdmins: boolean;
  roles: StoredRole[];
}

const SETTING = sql`
  provisions_admins as enabled, joins_admins as "joinsExistingAdmins", admin_groups as roles`;
const OFF: Provisioning = { enabled: false, joinsExistingAdmins: false, roles: [] };

const stored = query<object, Provisioning>(
  'admin_provisioning',
  (p) => sql`select ${SETTING} from company_settings where company_id = ${p.companyId}`,
);

export async function findProvisioning(tenant: TenantReader): Promise<Provisioning> {
  return (await tenant.queryOne(stored, {})) ?? OFF;
}

const lock = mutation<object, Provisioning>(
  'admin_provisioning_lock',
  (p) => sql`
    select ${SETTING} from company_settings where company_id = ${p.companyId} and provisions_admins for no key update`,
);

/**
 * Returns the setting, and locks it until the transaction ends, so that changes to the same directory take turns. If
 * the directory provisions no admins, returns undefined and locks nothing.
 */
export async function lockProvisioning(tenant: TenantWriter): Promise<Provisioning | undefined> {
  return (await tenant.mutate(lock, {}))[0];
}

interface SettingRow extends Omit<Provisioning, 'roles'> {
  roles: string;
}

const store = mutation<SettingRow>(
  'admin_provisioning_store',
  (p) => sql`
    insert into company_settings as c (company_id, provisions_admins, joins_admins, admin_groups)
    values (${p.companyId}, ${p.enabled}, ${p.joinsExistingAdmins}, ${p.roles}::jsonb)
    on conflict (company_id) do update
       set provisions_admins = excluded.provisions_admins, joins_admins = excluded.joins_admins,
           admin_groups = excluded.admin_groups`,
  { roles: '[]' },
);

/** Stores the setting, and locks it until the transaction ends. */
export async function storeProvisioning(tenant: TenantWriter, { roles, ...setting }: Provisioning): Promise<void> {
  await tenant.mutate(store, { ...setting, roles: JSON.stringify(roles) });
}

const groupNames = query<{ groupIds: string[] }, { id: string; name: string }>(
  'admin_provisioning_groups',
  (p) => sql`select id, name from groups where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])`,
);

/** Returns the names of the groups that exist, by id. */
export async function findGroupNames(tenant: TenantReader, groupIds: string[]): Promise<Map<string, string>> {
  const rows = await tenant.queryAll(groupNames, { groupIds });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

// Further members are skipped, and reported as such.
const MAX_CANDIDATES = MAX_PROVISIONED_ADMINS + 100;

interface RoleColumns {
  groupIds: string[];
  roles: string[];
  roleIds: (string | null)[];
}

// Only members whom the directory has added count, with the e-mail address, names and state that the directory has
// sent. Otherwise, anybody who can change learners and groups through the API could become an admin.
const candidates = query<RoleColumns, Candidate>(
  'admin_provisioning_candidates',
  (p) => sql`
    select m.learner_id as "learnerId", coalesce(d.email, '') as email, coalesce(d.given_name, '') as "firstName",
           coalesce(d.family_name, '') as "lastName", l.locale,
           m.role, m.role_id as "roleId"
      from (
        select distinct on (gl.learner_id) gl.learner_id, r.role, r.role_id
          from unnest(${p.groupIds}::uuid[], ${p.roles}::text[], ${p.roleIds}::uuid[]) with ordinality
               as r (group_id, role, role_id, place)
          join group_learners gl on gl.company_id = ${p.companyId} and gl.group_id = r.group_id and gl.by_directory
         order by gl.learner_id, r.place) as m
      join directory_learners d on d.company_id = ${p.companyId} and d.learner_id = m.learner_id
      join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
     where d.removed_at is null and d.active and d.email is not null and not l.inactive
     order by m.learner_id limit ${literal(MAX_CANDIDATES)}`,
);

/** Returns the users whose groups give them an admin role, ordered by learner id. */
export function findCandidates(tenant: TenantReader, roles: readonly StoredRole[]): Promise<Candidate[]> {
  return tenant.queryAll(candidates, {
    groupIds: roles.map(({ groupId }) => groupId),
    roles: roles.map(({ role }) => role),
    roleIds: roles.map(({ roleId }) => roleId),
  });
}

const concerned = query<{ learnerId: string; groupIds: string[] }, { id: string }>(
  'admin_provisioning_concerns',
  (p) => sql`
    select gl.learner_id as id from group_learners gl
     where gl.company_id = ${p.companyId} and gl.learner_id = ${p.learnerId} and gl.group_id = any(${p.groupIds}::uuid[])
    union
    select a.id from admins a where a.company_id = ${p.companyId} and a.directory_learner_id = ${p.learnerId}`,
);

/** Reports whether a learner is in one of the groups, or stands for an admin of the directory. */
export async function concernsLearner(tenant: TenantReader, learnerId: string, groupIds: string[]): Promise<boolean> {
  return (await tenant.queryAll(concerned, { learnerId, groupIds })).length > 0;
}

const CURRENT = sql`
  id, email, first_name as "firstName", last_name as "lastName", status, role, role_id as "roleId",
  emergency_access as "emergencyAccess", directory_learner_id as "directoryLearnerId", kept_as_last_owner as "isKept"`;

const current = query<object, CurrentAdmin>(
  'admin_provisioning_admins',
  (p) => sql`select ${CURRENT} from admins where company_id = ${p.companyId} order by id`,
);

export function findCurrentAdmins(tenant: TenantReader): Promise<CurrentAdmin[]> {
  return tenant.queryAll(current, {});
}

const lockCurrent = mutation<object, CurrentAdmin>(
  'admin_provisioning_lock_admins',
  (p) => sql`select ${CURRENT} from admins where company_id = ${p.companyId} order by id for update`,
);

/** Returns all admins of the company, and locks them until the transaction ends, in the same order as removals. */
export function lockCurrentAdmins(tenant: TenantWriter): Promise<CurrentAdmin[]> {
  return tenant.mutate(lockCurrent, {});
}

interface AdminColumns {
  ids: string[];
  learnerIds: string[];
  emails: string[];
  firstNames: string[];
  lastNames: string[];
  roles: string[];
  roleIds: (string | null)[];
}

function toColumns(rows: readonly (Candidate & { id: string })[]): AdminColumns {
  return {
    ids: rows.map(({ id }) => id),
    learnerIds: rows.map(({ learnerId }) => learnerId),
    emails: rows.map(({ email }) => email),
    firstNames: rows.map(({ firstName }) => firstName),
    lastNames: rows.map(({ lastName }) => lastName),
    roles: rows.map(({ role }) => role),
    roleIds: rows.map(({ roleId }) => roleId),
  };
}

// If an admin with the same e-mail address was invited at the same time, that admin takes precedence.
const insert = mutation<AdminColumns & { locales: (string | null)[] }, { id: string }>(
  'admin_provisioning_insert',
  (p) => sql`
    insert into admins
      (company_id, id, email, first_name, last_name, locale, status, activated_at, role, role_id, directory_learner_id)
    select ${p.companyId}, n.id, n.email, n.first_name, n.last_name, n.locale, 'active', now(), n.role, n.role_id,
           n.learner_id
      from unnest(${p.ids}::uuid[], ${p.learnerIds}::uuid[], ${p.emails}::text[], ${p.firstNames}::text[],
                  ${p.lastNames}::text[], ${p.roles}::text[], ${p.roleIds}::uuid[], ${p.locales}::text[])
           as n (id, learner_id, email, first_name, last_name, role, role_id, locale)
    on conflict do nothing returning id`,
);

/** Adds active admins. */
export async function insertAdmins(tenant: TenantWriter, rows: readonly (Candidate & { id: string })[]): Promise<void> {
  await tenant.mutate(insert, { ...toColumns(rows), locales: rows.map(({ locale }) => locale) });
}

const update = mutation<AdminColumns & { areKept: boolean[]; now: string }>(
  'admin_provisioning_update',
  (p) => sql`
    update admins a
       set email = n.email,
           email_changed_at = case when lower(n.email) <> lower(a.email) then ${p.now}::timestamptz else a.email_changed_at end,
           emergency_access = a.emergency_access and lower(n.email) = lower(a.email),
           first_name = n.first_name, last_name = n.last_name, directory_learner_id = n.learner_id,
           role_changed_at = case when n.role <> a.role or n.role_id is distinct from a.role_id then ${p.now}::timestamptz
                                  else a.role_changed_at end,
           role = n.role, role_id = n.role_id, kept_as_last_owner = n.is_kept,
           activated_at = case when a.status = 'active' then a.activated_at else ${p.now}::timestamptz end,
           status = 'active', setup_token_hash = null, setup_expires_at = null
      from unnest(${p.ids}::uuid[], ${p.learnerIds}::uuid[], ${p.emails}::text[], ${p.firstNames}::text[],
                  ${p.lastNames}::text[], ${p.roles}::text[], ${p.roleIds}::uuid[], ${p.areKept}::boolean[])
           as n (id, learner_id, email, first_name, last_name, role, role_id, is_kept)
     where a.company_id = ${p.companyId} and a.id = n.id`,
);

// E-mail addresses must be unique after each row of an update, so a chain of moves must free the addresses first.
const vacate = mutation<{ adminIds: string[] }>(
  'admin_provisioning_vacate',
  (p) => sql`
    update admins set email = id::text || '@moving.invalid'
     where company_id = ${p.companyId} and id = any(${p.adminIds}::uuid[])`,
);

export async function updateAdmins(tenant: TenantWriter, changed: readonly ChangedAdmin[]): Promise<void> {
  const moved = changed.filter(({ before, after }) => before.email.toLowerCase() !== after.email.toLowerCase());
  const targets = new Set(moved.map(({ after }) => after.email.toLowerCase()));
  const inTheWay = moved.filter(({ before }) => targets.has(before.email.toLowerCase()));
  if (inTheWay.length > 0) await tenant.mutate(vacate, { adminIds: inTheWay.map(({ before }) => before.id) });
  const rows = changed.map(({ before, after }) => ({ id: before.id, ...after }));
  const areKept = rows.map(({ isKept }) => isKept);
  await tenant.mutate(update, { ...toColumns(rows), areKept, now: new Date().toISOString() });
}

/** Marks admins who keep the role only because the company has no other active owner. */
export const markKept = mutation<{ adminIds: string[] }>(
  'admin_provisioning_mark_kept',
  (p) => sql`
    update admins set kept_as_last_owner = true
     where company_id = ${p.companyId} and id = any(${p.adminIds}::uuid[])`,
);

/** Converts the admins that the directory provisions to ordinary admins. */
export const releaseAdmins = mutation<object, { id: string }>(
  'admin_provisioning_release',
  (p) => sql`
    update admins set directory_learner_id = null, kept_as_last_owner = false
     where company_id = ${p.companyId} and directory_learner_id is not null returning id`,
);
