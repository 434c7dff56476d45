import type { Schemas } from '../../../contract/contract.ts';
import { fullName } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';
import {
  hasProfile,
  matchesProfile,
  NO_PROFILE,
  type ProfileFilter,
  type ProfileQuery,
  readProfile,
  selectProfileIds,
} from './learner-profile.ts';

/**
 * Selects the learners of a report; null for no restriction. Inactive learners are included on request, or if named.
 */
export interface LearnersFilter extends ProfileFilter {
  learnerId: string | null;
  groupId: string | null;
  includeInactive: boolean;
}

/** Filter of a list that shows all learners, active or not. Add a profile to restrict it. */
export const ALL_LEARNERS = { learnerId: null, groupId: null, includeInactive: true } as const;

export interface LearnersQuery extends ProfileQuery {
  learnerId?: string | undefined;
  groupId?: string | undefined;
  includeInactive?: boolean | undefined;
}

/** @throws invalid_request if filters cannot be combined */
export function readLearnersFilter(input: LearnersQuery): LearnersFilter {
  const { learnerId = null, groupId = null, includeInactive = false } = input;
  return { learnerId, groupId, includeInactive, ...readProfile(input) };
}

/** Filters of learners. The first filter that is set finds the learners through an index, and has its own statement. */
const LEADING = ['learner', 'group', 'profile', 'all'] as const;
export type Leading = (typeof LEADING)[number];

/** Returns the first filter that is set. */
export function findLeading(filter: LearnersFilter): Leading {
  if (filter.learnerId !== null) return 'learner';
  if (filter.groupId !== null) return 'group';
  return hasProfile(filter) ? 'profile' : 'all';
}

/** Creates a statement for each leading filter. Returns a function that selects the statement for a filter. */
export function byLeading<T>(make: (leading: Leading) => T): (filter: LearnersFilter) => T {
  const made = new Map(LEADING.map((leading) => [leading, make(leading)]));
  return (filter) => made.get(findLeading(filter))!;
}

/** Sample parameters with which tests run the statements; a profile has the department of the tests. */
export function sampleLearners(leading: Leading): Partial<LearnersFilter> {
  const { department, ...others } = NO_PROFILE;
  const without = { learnerId: null, groupId: null, ...others, ...(leading !== 'profile' && { department }) };
  return Object.fromEntries(Object.entries(without).filter(([name]) => name !== `${leading}Id`));
}

/** Columns of a learner `l`, or of a version of a learner. */
export const PROFILE = sql`
  l.department, l.job_title as "jobTitle", l.country, l.location, l.time_zone as "timeZone", l.manager_id as "managerId"`;

/** Columns of a learner `l` that a report shows, as `splitReportLearner` expects them. */
export const LEARNER = sql`
  ${fullName(sql`l`)} as name, l.email, l.external_learner_id as "externalLearnerId", l.inactive, ${PROFILE}`;

export type ReportLearnerRow = Omit<Schemas['ReportLearner'], 'id'>;

/** Condition that the report includes a learner `l` who is not named in the filter. */
export const isReported = (p: Parameters<LearnersFilter>): Sql => sql`(${p.includeInactive} or not l.inactive)`;

/** Condition that the report includes a learner `l`, who can be the one named in the filter. */
export const isNamedOrReported = (p: Parameters<Pick<LearnersFilter, 'learnerId' | 'includeInactive'>>): Sql => sql`
  (${p.learnerId}::uuid is not null or ${p.includeInactive} or not l.inactive)`;

/** Condition that a learner `l` is a member of the group, if a group is given. */
export const isMember = (p: Parameters<Pick<LearnersFilter, 'groupId'>>): Sql => sql`
  (${p.groupId}::uuid is null or exists (
    select from group_learners gl
     where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and gl.learner_id = l.id))`;

/**
 * Source of the reported learners `l`, ordered by id.
 * @param continued builds the condition that a learner is not before the page
 */
export function selectLearners(leading: Leading, p: Parameters<LearnersFilter>, continued: (column: Sql) => Sql): Sql {
  if (leading === 'all')
    return sql`
      (select * from learners l
        where l.company_id = ${p.companyId} and ${continued(sql`l.id`)} and ${isReported(p)}) as l`;
  if (leading === 'learner')
    return sql`
      (select * from learners l
        where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and ${isMember(p)} and ${matchesProfile(p)}) as l`;
  return sql`
    (${selectMemberIds(leading, p, continued)}) as member
   cross join lateral (
     select * from learners l
      where l.company_id = ${p.companyId} and l.id = member.learner_id and ${isReported(p)} and ${matchesProfile(p)}
     offset 0) as l`;
}

/** Selects the ids of the learners in a group or with a profile, as `learner_id`. */
export function selectMemberIds(
  leading: 'group' | 'profile',
  p: Parameters<Pick<LearnersFilter, 'groupId'> & ProfileFilter>,
  continued: (column: Sql) => Sql,
): Sql {
  if (leading === 'profile') return selectProfileIds(p, continued);
  return sql`
    select gl.learner_id from group_learners gl
     where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and ${continued(sql`gl.learner_id`)}`;
}

/** Selects the id of a learner from the table that determines the order of the learners. */
export const selectLearnerId = (leading: Leading): Sql =>
  leading === 'group' || leading === 'profile' ? sql`member.learner_id` : sql`l.id`;

/** Nests the learner of a row. Returns the learner and the other columns. */
export function splitReportLearner<Row extends ReportLearnerRow & { learnerId: string }>(
  row: Row,
): { learner: Schemas['ReportLearner']; others: Omit<Row, keyof ReportLearnerRow> } {
  const {
    name,
    email,
    externalLearnerId,
    inactive,
    department,
    jobTitle,
    country,
    location,
    timeZone,
    managerId,
    ...others
  } = row;
  const profile = { department, jobTitle, country, location, timeZone, managerId };
  return { learner: { id: row.learnerId, name, email, externalLearnerId, inactive, ...profile }, others };
}
