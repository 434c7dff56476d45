// Past reports: a report on any day, based on current knowledge or on what was known on a given day.
//
// A report has two times. `asOf` is the day that the report describes; `knownAt` is the day whose state of knowledge it
// uses. In databases, these are called valid time and transaction time.
//
// - Learners, groups, memberships and courses are shown as the service had recorded them: a learner was inactive on a
//   day if the record said so at the end of the day. A learner or course that was recorded later is shown as it was
//   first recorded, so that imported results have an owner.
// - A group also has the members of imported periods (groups/membership-history.ts), if the periods were known. On the
//   days of such a period, both the learner and the group count as recorded.
// - Attempts have dates and corrections. An attempt existed on a day if it had begun by then and had not been removed
//   by then. Its known state is its last version before the end of `knownAt`: a result that was recorded late belongs
//   to the day on which it happened, and a voided result to no day. Anything that happened after `asOf` is left out.
//   Times of emails are those recorded by the end of `asOf`. Milestones of recipients are treated in the same way
//   (src/resources/simulations/past-recipients.ts).
//
// The sources below find the version of a row through an index: the first version superseded after the day, or else the
// row itself. The triggers of migration create_versions keep the versions.
//
// Guarantees:
// - `asOf` and `knownAt` of the same day return what the report returned at the end of that day. Learners who have been
//   merged in the meantime are shown as the learner who stays, and each record appears once. Undoing the merge
//   separates them again.
// - Without `knownAt`, a report includes everything that is known today about the day.
//
// Not for: deleted learners, whose versions are deleted with them, or states of a row before its first record.
import { invalidField, requireFound } from '../../../contract/errors.ts';
import { identifier, list, type Sql, sql } from '../../../db/sql.ts';
import { type Parameters, pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { formatDay, endOfDay, findTimeZone } from './company-days.ts';
import { hasAttributes, selectFormerProfileIds } from './learner-profile.ts';
import type { Leading, LearnersFilter } from './reported-learners.ts';

/** A past day, and the state of knowledge to use for it. */
export interface Past {
  /** The day that the report describes, such as `2026-01-31`. */
  asOf: string;
  /** End of the day `asOf`, as an ISO 8601 time. */
  asOfEnd: string;
  /** End of the day whose state of knowledge counts; `infinity` for current knowledge. */
  knownUntil: string;
}

interface PastQuery {
  asOf?: string | undefined;
  knownAt?: string | undefined;
  updatedSince?: string | undefined;
}

/**
 * Reads the day that a report describes; null for the current state. Days end at midnight in the company's time zone.
 * @throws invalid_request if a day is in the future, `knownAt` is before `asOf`, or changes are requested
 */
export async function readPast(tenant: TenantReader, { asOf, knownAt, updatedSince }: PastQuery): Promise<Past | null> {
  const day = asOf ?? knownAt;
  if (day === undefined) return null;
  const timeZone = await findTimeZone(tenant);
  const today = formatDay(new Date(), timeZone);
  for (const [name, value] of Object.entries({ asOf, knownAt })) {
    if (value === undefined) continue;
    if (value > today) throw invalidField(`query/${name}`, 'must not be in the future');
    if (updatedSince !== undefined) throw invalidField(`query/${name}`, 'cannot be combined with `updatedSince`');
  }
  if (knownAt !== undefined && day > knownAt) throw invalidField('query/asOf', 'must not be after `knownAt`');
  const knownUntil = knownAt === undefined ? 'infinity' : endOfDay(knownAt, timeZone);
  return { asOf: day, asOfEnd: endOfDay(day, timeZone), knownUntil };
}

/** Sample parameters with which tests run the statements. */
export const PAST_SAMPLES = {
  asOf: '2999-12-30',
  asOfEnd: '2999-12-31T00:00:00.000Z',
  knownUntil: 'infinity',
} as const satisfies Past;

/**
 * Builds a subquery with the version of a row that was in force at the end of the day; the first version if the row was
 * created later.
 * @param columns columns, without alias, of the row and its versions
 * @param versions FROM and WHERE clauses that select the row's versions
 * @param row alias of the row
 */
export function versionInForce(p: Parameters<Past>, columns: Sql, versions: Sql, row: Sql): Sql {
  return sql`
    (select ${columns}
       from ((select ${columns}, superseded_at ${versions} and superseded_at >= ${p.asOfEnd}::timestamptz
               order by superseded_at limit 1)
             union all
             select ${row}, 'infinity') as versions
      order by superseded_at limit 1)`;
}

/** Builds a source of those rows of a table that belong to the given learners. */
export type RowsIn = (table: Sql) => Sql;

/** Selects the rows of all learners. */
export const rowsOfCompany =
  (p: Parameters<object>): RowsIn =>
  (table) =>
    sql`(select * from ${table} as t where t.company_id = ${p.companyId})`;

/** Selects the rows of the learners whose ids a query selects as `learner_id`. Looks up each learner. */
export const rowsOfLearners =
  (p: Parameters<object>, ids: Sql): RowsIn =>
  (table) => sql`
    (select own.*
       from (${ids}) as wanted
      cross join lateral (
        select * from ${table} as t where t.company_id = ${p.companyId} and t.learner_id = wanted.learner_id offset 0) as own)`;

const PERSON_COLUMNS = [
  ...['email', 'first_name', 'last_name', 'external_learner_id', 'inactive', 'department', 'job_title', 'country'],
  ...['location', 'time_zone', 'manager_id', 'department_key', 'location_key'],
].map(identifier);
const PERSON = list(PERSON_COLUMNS);

/** Source of a learner `l` as of the day. @param isWanted condition on the learner's row `o` */
export function pastLearner(p: Parameters<Past>, isWanted: Sql): Sql {
  const own = list(PERSON_COLUMNS.map((column) => sql`o.${column}`));
  const versions = sql`from learner_versions v where v.company_id = ${p.companyId} and v.learner_id = o.id`;
  return sql`
    (select o.id, o.created_at, version.* from learners o cross join lateral ${versionInForce(p, PERSON, versions, own)} as version
      where o.company_id = ${p.companyId} and ${isWanted} and o.created_at < ${p.knownUntil}::timestamptz)`;
}

/**
 * Condition that an imported membership period contains the day and was known to the report. No period counts for
 * today, because the company's time zone can change after a period was recorded.
 */
const isInPeriod = (p: Parameters<Past>, period: Sql): Sql => sql`
  ${period}.company_id = ${p.companyId} and ${p.asOfEnd}::timestamptz <= now()
    and ${p.asOf}::date between ${period}.first_day and ${period}.last_day
    and ${period}.recorded_at < ${p.knownUntil}::timestamptz
    and coalesce(${period}.superseded_at >= ${p.knownUntil}::timestamptz, true)`;

/**
 * Condition that a learner `l` had been recorded by the end of the day, or that an imported membership period contains
 * the day.
 */
export const wasRecorded = (p: Parameters<Past>): Sql => sql`
  (l.created_at < ${p.asOfEnd}::timestamptz
   or (select m.id from membership_periods m
        where m.learner_id = l.id and ${isInPeriod(p, sql`m`)} limit 1) is not null)`;

/**
 * Condition that no membership of the group and learner of `row` was in force at the end of the day. A membership in
 * force is either a row of `group_learners` that was not superseded, or a version.
 * @param versions condition on the version `o`
 */
const hasNoOther = (p: Parameters<Past>, row: Sql, versions: Sql): Sql => sql`
  (select gl.learner_id from group_learners gl
    where gl.company_id = ${p.companyId} and gl.group_id = ${row}.group_id and gl.learner_id = ${row}.learner_id
      and gl.recorded_at < ${p.asOfEnd}::timestamptz limit 1) is null
  and (select o.learner_id from membership_versions o
        where o.company_id = ${p.companyId} and o.group_id = ${row}.group_id and o.learner_id = ${row}.learner_id
          and o.recorded_at < ${p.asOfEnd}::timestamptz and ${versions} limit 1) is null`;

/**
 * Source of the memberships that were in force at the end of the day, without duplicates: the memberships of two merged
 * learners can overlap. The subqueries look up each former membership and imported period, because a join would read
 * all memberships of the company.
 * @param isWanted builds the condition on a membership
 */
const pastMemberships = (p: Parameters<Past>, isWanted: (membership: Sql) => Sql): Sql => sql`
  (select gl.learner_id, gl.group_id from group_learners gl
    where gl.company_id = ${p.companyId} and ${isWanted(sql`gl`)} and gl.recorded_at < ${p.asOfEnd}::timestamptz
   union all
   select v.learner_id, v.group_id from membership_versions v
    where v.company_id = ${p.companyId} and ${isWanted(sql`v`)} and v.recorded_at < ${p.asOfEnd}::timestamptz
      and v.superseded_at >= ${p.asOfEnd}::timestamptz
      and ${hasNoOther(p, sql`v`, sql`o.superseded_at > v.superseded_at`)}
   union all
   select m.learner_id, m.group_id from membership_periods m
    where ${isInPeriod(p, sql`m`)} and ${isWanted(sql`m`)}
      and ${hasNoOther(p, sql`m`, sql`o.superseded_at >= ${p.asOfEnd}::timestamptz`)}
      and (select o.id from membership_periods o
            where o.group_id = m.group_id and o.learner_id = m.learner_id and o.id < m.id
              and ${isInPeriod(p, sql`o`)} limit 1) is null)`;

/**
 * Source of the learners `l` as of the day, ordered by id: for a group, those who were members on that day; for a
 * profile, those who had it on that day. OFFSET 0 makes Postgres look up each of these learners. Otherwise, with few
 * statistics, it would compare all candidates with all learners.
 */
export function selectPastLearners(
  leading: Leading,
  p: Parameters<Past & LearnersFilter>,
  continued: (column: Sql) => Sql,
): Sql {
  if (leading === 'all') return sql`${pastLearner(p, continued(sql`o.id`))} as l`;
  const matching = (isWanted: Sql) =>
    sql`(select l.* from ${pastLearner(p, isWanted)} as l where ${hasAttributes(p)}) as l`;
  if (leading === 'learner') return matching(sql`o.id = ${p.learnerId}`);
  const isOfGroup = (membership: Sql) =>
    sql`${membership}.group_id = ${p.groupId} and ${continued(sql`${membership}.learner_id`)}`;
  const candidates =
    leading === 'group' ? pastMemberships(p, isOfGroup) : sql`(${selectFormerProfileIds(p, continued)})`;
  return sql`
    ${candidates} as member
    cross join lateral (select * from ${matching(sql`o.id = member.learner_id`)} offset 0) as l`;
}

/** Condition that a learner `l` was a member of the group on the day, if a group is given. */
export function wasMember(p: Parameters<Past & Pick<LearnersFilter, 'groupId'>>): Sql {
  const isOfLearner = (membership: Sql) =>
    sql`${membership}.group_id = ${p.groupId} and ${membership}.learner_id = l.id`;
  return sql`(${p.groupId}::uuid is null or exists (select from ${pastMemberships(p, isOfLearner)} as member))`;
}

/** Source of the ids of a learner's groups on the day. */
export const pastGroupIds = (p: Parameters<Past>): Sql =>
  pastMemberships(p, (membership) => sql`${membership}.learner_id = l.id`);

/** Selects the ids of the learners who were members of the group on the day. */
export const selectPastMemberIds = (p: Parameters<Past & { groupId: string | null }>): Sql => sql`
  select member.learner_id
    from ${pastMemberships(p, (membership) => sql`${membership}.group_id = ${p.groupId}`)} as member`;

/** Selects the groups of a learner `l` on the day, as JSON with the names that they had on that day. */
export function selectPastGroups(p: Parameters<Past>): Sql {
  return sql`
    coalesce((
      select json_agg(json_build_object('id', member.group_id, 'name', g.name) order by g.name)
        from ${pastGroupIds(p)} as member
       cross join lateral (
         select coalesce(
           (select v.name from group_versions v
             where v.company_id = ${p.companyId} and v.group_id = member.group_id
               and v.superseded_at >= ${p.asOfEnd}::timestamptz order by v.superseded_at limit 1),
           (select o.name from groups o where o.company_id = ${p.companyId} and o.id = member.group_id)) as name
       ) as g), '[]')`;
}

/** Condition that an imported membership period of a group contains the day. */
const hadPeriod = (p: Parameters<Past>, groupId: Sql): Sql => sql`
  (select m.id from membership_periods m
    where m.group_id = ${groupId} and ${isInPeriod(p, sql`m`)} limit 1) is not null`;

/**
 * Source of the company's groups on the day, with their names on that day. A group that was recorded later, but has an
 * imported membership period on the day, has its first name.
 */
export const pastGroups = (p: Parameters<Past>): Sql => sql`
  (select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.recorded_at < ${p.asOfEnd}::timestamptz
    union all
   select v.group_id, v.name from group_versions v
    where v.company_id = ${p.companyId} and v.recorded_at < ${p.asOfEnd}::timestamptz
      and v.superseded_at >= ${p.asOfEnd}::timestamptz
    union all
   select g.id, g.name from groups g
    where g.company_id = ${p.companyId} and g.recorded_at >= ${p.asOfEnd}::timestamptz
      and (select v.group_id from group_versions v
            where v.company_id = ${p.companyId} and v.group_id = g.id limit 1) is null
      and ${hadPeriod(p, sql`g.id`)}
    union all
   select v.group_id, v.name from group_versions v
    where v.company_id = ${p.companyId} and v.recorded_at >= ${p.asOfEnd}::timestamptz
      and (select o.group_id from group_versions o
            where o.company_id = ${p.companyId} and o.group_id = v.group_id and o.superseded_at < v.superseded_at
            limit 1) is null
      and ${hadPeriod(p, sql`v.group_id`)})`;

/** Selects the ids of the learners who were recorded and active on the day. */
export const selectPastActive = (p: Parameters<Past>): Sql => sql`
  select l.id from ${pastLearner(p, sql`true`)} as l where not l.inactive and ${wasRecorded(p)}`;

/**
 * Selects the memberships of active learners on the day: `group_id` and the learner's `id`. The learner must be in
 * `active`.
 */
export const selectPastMembers = (p: Parameters<Past>): Sql => sql`
  select member.group_id, active.id
    from ${pastMemberships(p, () => sql`true`)} as member join active on active.id = member.learner_id`;

/**
 * Source of the active members `l` of a group on the day. Looks up each member, because a join would read all learners
 * of the company for each group.
 */
export const pastActiveMembers = (p: Parameters<Past>, groupId: Sql): Sql => sql`
  (select l.id
     from ${pastMemberships(p, (membership) => sql`${membership}.group_id = ${groupId}`)} as member
    cross join lateral (select * from ${pastLearner(p, sql`o.id = member.learner_id`)} as one offset 0) as l
    where not l.inactive and ${wasRecorded(p)})`;

const existed = pointQuery<{ groupId: string }, { id: string }>(
  'past_group_exists',
  (p) => sql`
    select g.id from groups g where g.company_id = ${p.companyId} and g.id = ${p.groupId}
     union
    select v.group_id from group_versions v where v.company_id = ${p.companyId} and v.group_id = ${p.groupId}`,
);

/** @throws not_found if the company never had the group */
export async function requirePastGroup(tenant: TenantReader, groupId: string): Promise<void> {
  requireFound(await tenant.queryOne(existed, { groupId }), 'group');
}
