import type { Schemas } from '../../../contract/contract.ts';
import { fullName } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';

/** The learners of a report; null without a limit. An inactive learner is included on request or if named. */
export interface LearnersFilter {
  learnerId: string | null;
  groupId: string | null;
  includeInactive: boolean;
}

/** Filters of learners. The first one that is given leads to the learners by an index, and has its own statement. */
const LEADING = ['learner', 'group'] as const;
export type Leading = (typeof LEADING)[number] | 'all';

export function findLeading(filter: LearnersFilter): Leading {
  return LEADING.find((name) => filter[`${name}Id`] !== null) ?? 'all';
}

/** Creates a statement for each leading filter. Returns a function that selects the statement for a filter. */
export function byLeading<T>(make: (leading: Leading) => T): (filter: LearnersFilter) => T {
  const made = new Map([...LEADING, 'all' as const].map((leading) => [leading, make(leading)]));
  return (filter) => made.get(findLeading(filter))!;
}

/** Sample parameters with which tests run the statements. */
export function sampleLearners(leading: Leading): Partial<LearnersFilter> {
  if (leading === 'learner') return { groupId: null };
  return leading === 'group' ? { learnerId: null } : { learnerId: null, groupId: null };
}

/** Columns of a learner `l`. */
export const LEARNER = sql`
  ${fullName(sql`l`)} as name, l.email, l.external_learner_id as "externalLearnerId", l.inactive`;

export type ReportLearnerRow = Omit<Schemas['ReportLearner'], 'id'>;

/** Condition that the report includes a learner `l` who is not named. */
export const isReported = (p: Parameters<LearnersFilter>): Sql => sql`(${p.includeInactive} or not l.inactive)`;

/** Condition that a learner `l` is a member of the group, if one is given. */
export const isMember = (p: Parameters<Pick<LearnersFilter, 'groupId'>>): Sql => sql`
  (${p.groupId}::uuid is null or exists (
    select from group_learners gl
     where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and gl.learner_id = l.id))`;

/**
 * Source of the reported learners `l`, in the order of their ids.
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
        where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and ${isMember(p)}) as l`;
  return sql`
    (select gl.learner_id from group_learners gl
      where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and ${continued(sql`gl.learner_id`)}) as member
   cross join lateral (
     select * from learners l
      where l.company_id = ${p.companyId} and l.id = member.learner_id and ${isReported(p)} offset 0) as l`;
}

/** Selects the id of a learner from the table that the order of the learners comes from. */
export const selectLearnerId = (leading: Leading): Sql => (leading === 'group' ? sql`member.learner_id` : sql`l.id`);

/** Nests the learner of a row. */
export function toReportLearner(id: string, { name, email, externalLearnerId, inactive }: ReportLearnerRow) {
  return { id, name, email, externalLearnerId, inactive };
}
