import { fullName } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, pointQuery, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

/** A learner as a directory sees it. */
export interface DirectoryUser {
  id: string;
  userName: string;
  externalId: string | null;
  givenName: string;
  familyName: string;
  displayName: string | null;
  email: string;
  active: boolean;
  preferredLanguage: string | null;
  employeeNumber: string | null;
  department: string | null;
  jobTitle: string | null;
  country: string | null;
  location: string | null;
  timeZone: string | null;
  managerId: string | null;
  /** Last day of the leave. */
  absentUntil: string | null;
  managerName: string | null;
  groups: { id: string; name: string }[];
  createdAt: string;
  updatedAt: string;
  /** Time at which a directory deleted the user, which hides the user from directories. */
  removedAt: string | null;
  /** Whether a directory has ever created or changed the user. */
  managed: boolean;
  /** Fields that the directory itself sent last, regardless of changes through the API; null if unknown. */
  stated: StatedUser | null;
}

/** Fields of a directory user from which an admin is provisioned. */
export type StatedUser = Pick<DirectoryUser, 'email' | 'givenName' | 'familyName' | 'active'>;

const USER = (p: Parameters<object>): Sql => sql`
  l.id, coalesce(d.user_name, l.email) as "userName", d.external_id as "externalId", l.first_name as "givenName",
  l.last_name as "familyName", d.display_name as "displayName", l.email, not l.inactive as active,
  l.locale as "preferredLanguage", l.external_learner_id as "employeeNumber", l.department,
  l.job_title as "jobTitle", l.country, l.location, l.time_zone as "timeZone", l.manager_id as "managerId", l.absent_until::text as "absentUntil",
  (select ${fullName(sql`m`)} from learners m where m.company_id = ${p.companyId} and m.id = l.manager_id) as "managerName",
  coalesce((
    select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)
      from group_learners gl
      cross join lateral (
        select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.id = gl.group_id offset 0) as g
     where gl.company_id = ${p.companyId} and gl.learner_id = l.id), '[]') as groups,
  l.created_at as "createdAt", l.updated_at as "updatedAt", d.removed_at as "removedAt",
  d.learner_id is not null as managed,
  case when d.email is not null
       then json_build_object('email', d.email, 'givenName', d.given_name, 'familyName', d.family_name, 'active', d.active)
  end as stated`;

const LINK = (p: Parameters<object>): Sql => sql`
  left join lateral (
    select * from directory_learners d where d.company_id = ${p.companyId} and d.learner_id = l.id offset 0) as d on true`;

const byId = pointQuery<{ learnerId: string }, DirectoryUser>(
  'directory_user_by_id',
  (p) => sql`
    select ${USER(p)} from learners l ${LINK(p)}
     where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and d.removed_at is null`,
);

/** @throws not_found, also for a user whom a directory has deleted */
export async function getUser(tenant: TenantReader, learnerId: string): Promise<DirectoryUser> {
  return requireFound(await tenant.queryOne(byId, { learnerId }), 'user');
}

/** Keys by which users are found. User names and e-mail addresses are in lower case. */
export interface UserKeys {
  ids: string[];
  userNames: string[];
  externalIds: string[];
  emails: string[];
  employeeNumbers: string[];
  managerIds: string[];
}
export const NO_KEYS: UserKeys = {
  ...{ ids: [], userNames: [], externalIds: [], emails: [], employeeNumbers: [], managerIds: [] },
};

const byKeys = query<UserKeys, DirectoryUser>(
  'directory_users_by_keys',
  (p) => sql`
    select ${USER(p)}
      from (select l.id from learners l where l.company_id = ${p.companyId} and l.id = any(${p.ids}::uuid[])
            union
            select l.id from learners l where l.company_id = ${p.companyId} and l.email_key = any(${p.emails}::text[])
            union
            select l.id from learners l
             where l.company_id = ${p.companyId} and l.external_learner_id = any(${p.employeeNumbers}::text[])
            union
            select d.learner_id from directory_learners d
             where d.company_id = ${p.companyId} and d.user_name_key = any(${p.userNames}::text[])
            union
            (select d.learner_id from directory_learners d
              where d.company_id = ${p.companyId} and d.external_id = any(${p.externalIds}::text[])
              order by d.learner_id limit 1000)
            union
            (select l.id from learners l
              where l.company_id = ${p.companyId} and l.manager_id = any(${p.managerIds}::uuid[])
              order by l.id limit 1000)) as found
     cross join lateral (
       select * from learners l where l.company_id = ${p.companyId} and l.id = found.id offset 0) as l ${LINK(p)}
     order by l.id`,
);

/**
 * Returns the users with any of the keys, including hidden ones. The e-mail address replaces a missing user name. An
 * `externalId` should be unique in a directory. If more than 1,000 users share one, or share a manager, only the first
 * 1,000 are found.
 */
export function findUsers(tenant: TenantReader, keys: UserKeys): Promise<DirectoryUser[]> {
  return tenant.queryAll(byKeys, { ...keys, emails: [...keys.emails, ...keys.userNames] });
}

interface Selection {
  /** Selects active users (true) or inactive users (false); null selects both. */
  active: boolean | null;
}

const SELECTED = (p: Parameters<Selection>): Sql => sql`
  l.company_id = ${p.companyId} and (${p.active}::boolean is null or l.inactive <> ${p.active})
  and not exists (select from directory_learners d
                   where d.company_id = ${p.companyId} and d.learner_id = l.id and d.removed_at is not null)`;

const page = query<Selection & { offset: number; limit: number }, DirectoryUser>(
  'directory_user_page',
  (p) => sql`
    select ${USER(p)}
      from (select * from learners l where ${SELECTED(p)}
             order by l.id offset ${p.offset}::bigint limit ${p.limit}::integer) as l ${LINK(p)}
     order by l.id`,
);

const count = query<Selection, { count: number }>(
  'directory_user_count',
  (p) => sql`select count(*)::integer as count from learners l where ${SELECTED(p)}`,
);

/** Returns a page of the selected users, ordered by id, and the total number of selected users. */
export async function listUsers(
  tenant: TenantReader,
  { active, offset, limit }: Selection & { offset: number; limit: number },
): Promise<{ users: DirectoryUser[]; total: number }> {
  const { count: total } = (await tenant.queryOne(count, { active }))!;
  const users = limit === 0 || offset >= total ? [] : await tenant.queryAll(page, { active, offset, limit });
  return { users, total };
}

/** Data of a user that only directories use. */
interface UserLink {
  learnerId: string;
  userName: string;
  externalId: string | null;
  displayName: string | null;
  stated: StatedUser;
}

interface UserRow extends Omit<UserLink, 'stated'> {
  email: string;
  givenName: string;
  familyName: string;
  active: boolean;
}

const link = mutation<UserRow>(
  'directory_user_link',
  (p) => sql`
    insert into directory_learners
      (company_id, learner_id, user_name, user_name_key, external_id, display_name, email, given_name, family_name, active)
    values (${p.companyId}, ${p.learnerId}, ${p.userName}, lower(${p.userName}), ${p.externalId}, ${p.displayName}, ${p.email},
            ${p.givenName}, ${p.familyName}, ${p.active})
    on conflict (company_id, learner_id) do update
      set user_name = excluded.user_name, user_name_key = excluded.user_name_key, external_id = excluded.external_id,
          display_name = excluded.display_name, removed_at = null, email = excluded.email,
          given_name = excluded.given_name, family_name = excluded.family_name, active = excluded.active`,
);

/** Marks a learner as managed by a directory, and stores the directory's data. Shows a hidden user again. */
export async function linkUser(tenant: TenantWriter, user: UserLink): Promise<void> {
  const { stated, learnerId, userName, externalId, displayName } = user;
  await tenant.mutate(link, { learnerId, userName, externalId, displayName, ...stated });
}

const hide = mutation<{ learnerId: string }>(
  'directory_user_hide',
  (p) => sql`
    update directory_learners set removed_at = statement_timestamp()
     where company_id = ${p.companyId} and learner_id = ${p.learnerId}`,
);

/** Hides a linked user from directories. */
export async function hideUser(tenant: TenantWriter, learnerId: string): Promise<void> {
  await tenant.mutate(hide, { learnerId });
}

// The user name is replaced by the learner's id, which is never a user name.
const unname = mutation<{ learnerId: string }>(
  'directory_user_give_up_name',
  (p) => sql`
    update directory_learners set user_name = learner_id::text, user_name_key = learner_id::text
     where company_id = ${p.companyId} and learner_id = ${p.learnerId}`,
);

/** Frees the user name of a hidden user, so that another user can take it. */
export async function giveUpUserName(tenant: TenantWriter, learnerId: string): Promise<void> {
  await tenant.mutate(unname, { learnerId });
}

/** Lists users whom a directory deleted more than `retentionDays` days ago and whose learners are still inactive. */
export const listPurgeable = query<{ retentionDays: number; limit: number }, { learnerId: string }>(
  'directory_users_to_purge',
  (p) => sql`
    select d.learner_id as "learnerId" from directory_learners d
     where d.company_id = ${p.companyId} and d.removed_at < now() - ${p.retentionDays}::integer * interval '1 day'
       and (select l.inactive from learners l where l.company_id = ${p.companyId} and l.id = d.learner_id)
     order by d.removed_at limit ${p.limit}::integer`,
);
