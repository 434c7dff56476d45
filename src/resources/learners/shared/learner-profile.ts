// Filters of learners by data from HR systems: department, country, place of work and manager.
//
// Values are compared by their keys, which ignore case, accents and extra white space (migration add_profile_filters).
// Lists and reports use the same filters in two ways: as a condition on the learners that another filter has found, or
// as the leading filter, which finds the learners through an index.
//
// The manager is the effective manager, as shown by `GET /learners`. This manager depends on the managers of groups,
// whose former versions are not kept. The filter can therefore not be combined with a past day or `updatedSince`.
//
// Reports can also filter by a campaign: the learners to whom the campaign has assigned something, even if the
// assignment has ended. This filter cannot be combined with a past day or `updatedSince` either, because a result does
// not change when a campaign starts to include its learner.
import { invalidField } from '../../../contract/errors.ts';
import { type Parameter, type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';
import { effectiveManagerId } from '../../../db/manager-in-effect.ts';

/** Profile filters; null for a filter that the caller did not set. */
interface Profile {
  managerId: string | null;
  department: string | null;
  location: string | null;
  country: string | null;
}

export interface ProfileFilter extends Profile {
  /** Id of the campaign that has assigned something to the learners. */
  assignedBy: string | null;
}

export const NO_PROFILE = {
  managerId: null,
  department: null,
  location: null,
  country: null,
  assignedBy: null,
} as const satisfies ProfileFilter;

type ProfileInput = { readonly [Name in keyof Profile]?: Profile[Name] | undefined };

export interface ProfileQuery extends ProfileInput {
  campaignId?: string | undefined;
  asOf?: string | undefined;
  knownAt?: string | undefined;
  updatedSince?: string | undefined;
}

/** @throws invalid_request if a manager or a campaign is combined with a past day or with changes */
export function readProfile(input: ProfileQuery): ProfileFilter {
  const { managerId = null, department = null, location = null, country = null, campaignId: assignedBy = null } = input;
  const other = (['updatedSince', 'asOf', 'knownAt'] as const).find((name) => input[name] !== undefined);
  if (other !== undefined) {
    const current = managerId !== null ? 'managerId' : assignedBy !== null ? 'campaignId' : undefined;
    if (current !== undefined) throw invalidField(`query/${current}`, `cannot be combined with \`${other}\``);
  }
  return { managerId, department, location, country, assignedBy };
}

export function hasProfile(filter: ProfileFilter): boolean {
  return Object.keys(NO_PROFILE).some((name) => filter[name as keyof ProfileFilter] !== null);
}

/**
 * Builds the comparison key of a string. Postgres computes the key once, when it plans a list, and then knows how many
 * learners have it.
 */
const key = (text: Parameter): Sql => sql`profile_key(${text})`;

/** Condition that a learner `l`, or a version of a learner, has the department, country and place of work. */
export const hasAttributes = (p: Parameters<ProfileFilter>): Sql => sql`
  (${p.department}::text is null or l.department_key = ${key(p.department)})
  and (${p.location}::text is null or l.location_key = ${key(p.location)})
  and (${p.country}::text is null or l.country = ${p.country})`;

/** Condition that a learner `l` passes all profile filters. */
export const matchesProfile = (p: Parameters<ProfileFilter>): Sql => sql`
  ${hasAttributes(p)} and (${p.managerId}::uuid is null or ${effectiveManagerId(p)} = ${p.managerId})
  and (${p.assignedBy}::uuid is null or (
    select a.learner_id from campaign_assignments a
     where a.company_id = ${p.companyId} and a.campaign_id = ${p.assignedBy} and a.learner_id = l.id limit 1) is not null)`;

/**
 * A filter with an index. Only the first filter that is set leads. Filters are ordered so that the first usually leaves
 * the fewest learners.
 */
interface Indexed {
  column: Sql;
  value: Sql;
  isLeading: Sql;
}

function indexedFilters(p: Parameters<ProfileFilter>): Indexed[] {
  const { department, location, country } = p;
  return [
    { column: sql`department_key`, value: key(department), isLeading: sql`${department}::text is not null` },
    {
      column: sql`location_key`,
      value: key(location),
      isLeading: sql`${location}::text is not null and ${department}::text is null`,
    },
    {
      column: sql`country`,
      value: sql`${country}`,
      isLeading: sql`${country}::text is not null and coalesce(${department}::text, ${location}) is null`,
    },
  ];
}

/**
 * A limit that no list reaches. Only with a limit does Postgres consider that a query might be read only in part. It
 * then reads in the order of an index instead of sorting all rows.
 */
export const ANY_NUMBER = sql`limit 1000000000`;

/** Combines queries into one. Postgres merges ordered queries, and therefore reads only the rows of a page. */
export const unionAll = (queries: readonly Sql[]): Sql => queries.reduce((all, one) => sql`${all} union all ${one}`);

type Continued = (column: Sql) => Sql;

/**
 * Selects the ids of the learners that the leading filter finds as `learner_id`, in order and without duplicates.
 * Postgres leaves out the queries of the other filters, because it knows the parameters when it plans a list.
 */
export function selectProfileIds(p: Parameters<ProfileFilter>, continued: Continued): Sql {
  const managed = sql`
    (select managed.learner_id
      from (select r.id as learner_id from learners r
             where r.company_id = ${p.companyId} and r.manager_id = ${p.managerId} and ${continued(sql`r.id`)}
            union
            select gl.learner_id
              from group_managers gm
              join group_learners gl on gl.company_id = gm.company_id and gl.group_id = gm.group_id
             where gm.company_id = ${p.companyId} and gm.learner_id = ${p.managerId}
               and ${continued(sql`gl.learner_id`)}) as managed
     where ${p.managerId}::uuid is not null order by managed.learner_id ${ANY_NUMBER})`;
  const byAttribute = indexedFilters(p).map(
    ({ column, value, isLeading }) => sql`
      (select r.id from learners r
        where r.company_id = ${p.companyId} and r.${column} = ${value} and ${continued(sql`r.id`)}
          and ${isLeading} and ${p.managerId}::uuid is null order by r.id ${ANY_NUMBER})`,
  );
  const { department, location, country } = p;
  const assigned = sql`
    (select distinct a.learner_id from campaign_assignments a
      where a.company_id = ${p.companyId} and a.campaign_id = ${p.assignedBy} and ${continued(sql`a.learner_id`)}
        and ${p.managerId}::uuid is null and coalesce(${department}::text, ${location}, ${country}) is null
      order by a.learner_id ${ANY_NUMBER})`;
  return unionAll([managed, ...byAttribute, assigned]);
}

/** Selects, like `selectProfileIds`, the ids of learners if the leading filter finds any version of them. */
export function selectFormerProfileIds(p: Parameters<ProfileFilter>, continued: Continued): Sql {
  const byAttribute = indexedFilters(p).map(
    ({ column, value, isLeading }) => sql`
      (select r.id as learner_id from learners r
        where r.company_id = ${p.companyId} and r.${column} = ${value} and ${isLeading} and ${continued(sql`r.id`)}
        order by r.id ${ANY_NUMBER})
      union all
      (select distinct v.learner_id from learner_versions v
        where v.company_id = ${p.companyId} and v.${column} = ${value} and ${continued(sql`v.learner_id`)}
          and ${isLeading}
          and (select r.id from learners r
                where r.company_id = ${p.companyId} and r.id = v.learner_id and r.${column} = ${value} limit 1) is null
        order by v.learner_id ${ANY_NUMBER})`,
  );
  return unionAll(byAttribute);
}
