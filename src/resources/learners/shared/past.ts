// Reports on the past: any day, based on what is known today or on what was known on a given day.
//
// A report has two times. `asOf` is the day that it describes; `knownAt` is the day whose state of knowledge it uses.
// Databases call them valid time and transaction time.
//
// - Learners, groups, memberships and courses are what the service recorded: a learner was inactive on a day if the
//   record said so at the end of the day. A learner or course that was recorded later is shown as it was first
//   recorded, so that imported results have an owner.
// - A group also has the members of imported periods (groups/membership-history.ts), as far as they were known. Such a
//   learner counts as recorded on the days of a period, and so does the group.
// - Attempts have dates and corrections. An attempt existed on a day if it had begun by then, unless it had been
//   removed by then. Its known state is its last version before the end of `knownAt`: a result that was recorded late
//   belongs to the day on which it happened, and a voided one to none. Anything that happened after `asOf` is left out.
//   Times of emails are those that were recorded by then. Milestones of recipients are treated in the same way
//   (src/resources/simulations/past-recipients.ts).
//
// The sources below find the version of a row by an index: the one that was superseded first after the day, or else the
// row itself. Migration create_versions keeps the versions.
//
// Guarantees:
// - `asOf` and `knownAt` of the same day return what the report returned at the end of that day. Learners who have
//   since been merged are shown as the learner who stays, and each record appears once; undoing the merge separates
//   them again.
// - Without `knownAt`, everything that is known today about that day is included.
//
// Not for: deleted learners, whose versions are deleted with them, and other times before the first record of a row.
import { invalidField, requireFound } from '../../../contract/errors.ts';
import { identifier, list, type Sql, sql } from '../../../db/sql.ts';
import { type Parameters, pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { formatDay, endOfDay, findTimeZone } from './company-days.ts';
import { hasAttributes, selectFormerProfileIds } from './learner-profile.ts';
import type { Leading, LearnersFilter } from './reported-learners.ts';

/** A past day, and the state of knowledge about it. */
export interface Past {
  /** The day, such as `2026-01-31`. */
  asOf: string;
  /** The end of that day, as an ISO 8601 time. */
  asOfEnd: string;
  /** The end of the day whose knowledge counts; `infinity` for current knowledge. */
  knownUntil: string;
}

interface PastQuery {
  asOf?: string | undefined;
  knownAt?: string | undefined;
  updatedSince?: string | undefined;
}

/**
 * Reads the day that a report describes; null for now. Days end at midnight in the company's time zone.
 * @throws invalid_request if a day is in the future, the knowledge is older than the day, or changes are requested
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
 * Builds the version of a row that was in force at the end of the day; the first version if the row is younger.
 * @param columns the columns, without alias, of the row and its versions
 * @param versions FROM and WHERE clauses that select the row's versions
 * @param row the alias of the row
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

/** Builds a source of a table's rows that belong to the given learners. */
export type RowsIn = (table: Sql) => Sql;

/** The rows of all learners. */
export const rowsOfCompany =
  (p: Parameters<object>): RowsIn =>
  (table) =>
    sql`(select * from ${table} as t where t.company_id = ${p.companyId})`;

/** The rows of the learners whose ids a query selects as `learner_id`, each of whom is looked up. */
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

/** Source of a learner `l` as of the day. @param isWanted the condition on the learner's row `o` */
export function pastLearner(p: Parameters<Past>, isWanted: Sql): Sql {
  const own = list(PERSON_COLUMNS.map((column) => sql`o.${column}`));
  const versions = sql`from learner_versions v where v.company_id = ${p.companyId} and v.learner_id = o.id`;
  return sql`
    (select o.id, o.created_at, version.* from learners o cross join lateral ${versionInForce(p, PERSON, versions, own)} as version
      where o.company_id = ${p.companyId} and ${isWanted} and o.created_at < ${p.knownUntil}::timestamptz)`;
}

/**
 * Condition that an imported membership period contains the day and was known to the report. None counts for today: the
 * company's time zone can change after a period was recorded.
 */
const isInPeriod = (p: Parameters<Past>, period: Sql): Sql => sql`
  ${period}.company_id = ${p.companyId} and ${p.asOfEnd}::timestamptz <= now()
    and ${p.asOf}::date between ${period}.first_day and ${period}.last_day
    and ${period}.recorded_at < ${p.knownUntil}::timestamptz
    and coalesce(${period}.superseded_at >= ${p.knownUntil}::timestamptz, true)`;

/** Condition that a learner `l` had been recorded by the end of the day, or was a member of a group in the past. */
export const wasRecorded = (p: Parameters<Past>): Sql => sql`
  (l.created_at < ${p.asOfEnd}::timestamptz
   or (select m.id from membership_periods m
        where m.learner_id = l.id and ${isInPeriod(p, sql`m`)} limit 1) is not null)`;

/**
 * Condition that no membership of the group and learner of `row` was in force at the end of the day. A membership is in
 * `group_learners` and not superseded, or it is a version.
 * @param versions the condition on the version `o`
 */
const hasNoOther = (p: Parameters<Past>, row: Sql, versions: Sql): Sql => sql`
  (select gl.learner_id from group_learners gl
    where gl.company_id = ${p.companyId} and gl.group_id = ${row}.group_id and gl.learner_id = ${row}.learner_id
      and gl.recorded_at < ${p.asOfEnd}::timestamptz limit 1) is null
  and (select o.learner_id from membership_versions o
        where o.company_id = ${p.companyId} and o.group_id = ${row}.group_id and o.learner_id = ${row}.learner_id
          and o.recorded_at < ${p.asOfEnd}::timestamptz and ${versions} limit 1) is null`;

/**
 * Memberships that were in force at the end of the day, each once: those of two learners who were merged can overlap. The
 * subqueries look up each former membership and imported period: a join would read all memberships of the company.
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
 * Source of the learners `l` as of the day, in the order of their ids. For a group, its members of that day; for a profile,
 * those who had it on that day. OFFSET 0 makes Postgres look up each of these: with few statistics, it would compare all
 * candidates with all learners.
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

/** Condition that a learner `l` was a member of the group on the day, if one is given. */
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

/** Selects the groups of a learner `l` on the day, as JSON with the names of that day. */
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

/** Condition that a group had a member of an imported period on the day. */
const hadPeriod = (p: Parameters<Past>, groupId: Sql): Sql => sql`
  (select m.id from membership_periods m
    where m.group_id = ${groupId} and ${isInPeriod(p, sql`m`)} limit 1) is not null`;

/**
 * Source of the company's groups on the day, with their names on that day. A group that was recorded later and had
 * members of an imported period has its first name.
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

/** Selects the memberships of active learners on the day: `group_id` and the `id` of the learner, who is in `active`. */
export const selectPastMembers = (p: Parameters<Past>): Sql => sql`
  select member.group_id, active.id
    from ${pastMemberships(p, () => sql`true`)} as member join active on active.id = member.learner_id`;

/**
 * Source of the active members `l` of a group on the day. Looks up each member: a join would read all learners of the
 * company for each group.
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

/** @throws not_found, if the company never had the group */
export async function requirePastGroup(tenant: TenantReader, groupId: string): Promise<void> {
  requireFound(await tenant.queryOne(existed, { groupId }), 'group');
}
