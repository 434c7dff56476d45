// Risk over time: the scores of learners and the means of groups, each with its factors.
//
// An entry records a figure that had changed by the end of a day, and applies until the next entry. Each night
// therefore stores only the changes, not a row for each learner. recordRisk writes the entries of a day: first the
// learners' entries, then the groups' entries, which are means of the learners' entries in force. Recording a day again
// corrects its entries.
//
// A group's entry also has the smallest number of people by which the company or another group exceeds the group
// (rest-counts.ts). When entries are read, both numbers of people are compared with the company's minimum group size,
// so a new minimum also applies to past days.
import type { Schemas } from '../../contract/contract.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, pagedQuery, type Parameters } from '../../db/statement.ts';
import { selectRestCounts } from './rest-counts.ts';
import type { RiskFactor } from './risk-rules.ts';

type Factors = Schemas['RiskFactors'];

const FACTORS = sql`simulations, courses, policies, breaches`;
/**
 * Builds the mean of a column; null for a single person, because a person's value must not be kept after the person is
 * deleted.
 */
const mean = (column: Sql): Sql => sql`case when count(*) > 1 then round(avg(${column}), 1) end`;
const MEANS = sql`
  ${mean(sql`score`)} as average_score, ${mean(sql`simulations`)} as simulations, ${mean(sql`courses`)} as courses,
  ${mean(sql`policies`)} as policies, ${mean(sql`breaches`)} as breaches`;

interface ScoredDay extends Record<RiskFactor, (number | null)[]> {
  day: string;
  learnerIds: string[];
  scores: number[];
}

// Locks the learners against deletion, in the order of their ids, so that the foreign key cannot fail.
export const recordLearnerRisks = mutation<ScoredDay>(
  'risk_record_learners',
  (p) => sql`
    with scored as (
      select l.id, s.* from learners l
        join unnest(${p.learnerIds}::uuid[], ${p.scores}::smallint[], ${p.simulations}::numeric[],
                    ${p.courses}::numeric[], ${p.policies}::numeric[], ${p.breaches}::numeric[])
             as s (learner_id, score, ${FACTORS}) on s.learner_id = l.id
       where l.company_id = ${p.companyId}
       order by l.id for key share of l
    )
    insert into learner_risks (company_id, learner_id, date, score, ${FACTORS})
    select ${p.companyId}, s.id, ${p.day}::date, s.score, s.simulations, s.courses, s.policies, s.breaches
      from scored s
      left join lateral (
        select r.* from learner_risks r
         where r.company_id = ${p.companyId} and r.learner_id = s.id and r.date <= ${p.day}::date
         order by r.date desc limit 1) as last on true
     where ${isChanged(sql`s.score, s.simulations, s.courses, s.policies, s.breaches`, sql`last.score`)}
    on conflict (company_id, learner_id, date)
      do update set score = excluded.score, simulations = excluded.simulations, courses = excluded.courses,
                    policies = excluded.policies, breaches = excluded.breaches`,
);

/** Condition that values differ from the values of the entry `last`, or that there is no such entry. */
function isChanged(values: Sql, firstOfLast: Sql): Sql {
  return sql`
    (${values}) is distinct from (${firstOfLast}, last.simulations, last.courses, last.policies, last.breaches)`;
}

// Locks the groups against deletion, in the order of their ids, so that the foreign key cannot fail.
export const recordGroupRisks = mutation<{ day: string }>(
  'risk_record_groups',
  (p) => sql`
    with existing as (
      select g.id from groups g where g.company_id = ${p.companyId} order by g.id for key share
    ), people as (
      select l.id, r.score, r.simulations, r.courses, r.policies, r.breaches
        from learners l
       cross join lateral (
         select r.* from learner_risks r
          where r.company_id = ${p.companyId} and r.learner_id = l.id and r.date <= ${p.day}::date
          order by r.date desc limit 1) as r
       where l.company_id = ${p.companyId} and not l.inactive
         and l.created_at < (${p.day}::date + 1)::timestamp at time zone 'utc'
    ), members as (
      select gl.group_id, people.* from group_learners gl join people on people.id = gl.learner_id
       where gl.company_id = ${p.companyId}
    ), means as (
      select group_id, count(*)::integer as learner_count, ${MEANS} from members group by group_id
    ), current as (
      select existing.id, coalesce(m.learner_count, 0) as learner_count, rest.rest_count, m.average_score,
             m.simulations, m.courses, m.policies, m.breaches
        from existing
        left join means m on m.group_id = existing.id
        left join ${selectRestCounts(sql`(select count(*) from people)`)} as rest on rest.group_id = existing.id
    )
    insert into group_risks (company_id, group_id, date, learner_count, rest_count, average_score, ${FACTORS})
    select ${p.companyId}, c.id, ${p.day}::date, c.learner_count, c.rest_count, c.average_score, c.simulations,
           c.courses, c.policies, c.breaches
      from current c
      left join lateral (
        select r.* from group_risks r
         where r.company_id = ${p.companyId} and r.group_id = c.id and r.date <= ${p.day}::date
         order by r.date desc limit 1) as last on true
     where last.date is null or (c.learner_count, c.rest_count) is distinct from (last.learner_count, last.rest_count)
        or ${isChanged(sql`c.average_score, c.simulations, c.courses, c.policies, c.breaches`, sql`last.average_score`)}
    on conflict (company_id, group_id, date)
      do update set learner_count = excluded.learner_count, rest_count = excluded.rest_count,
                    average_score = excluded.average_score, simulations = excluded.simulations,
                    courses = excluded.courses, policies = excluded.policies, breaches = excluded.breaches`,
);

interface EntryPeriod {
  from: string | null;
  to: string | null;
}

/** Condition that an entry `r` was in force on a day of the period. @param isOwn condition on other entries `e` */
function isInForce(p: Parameters<EntryPeriod>, table: Sql, isOwn: Sql): Sql {
  return sql`
    r.date <= coalesce(${p.to}::date, 'infinity')
    and r.date >= coalesce((
      select e.date from ${table} e where ${isOwn} and e.date <= ${p.from}::date order by e.date desc limit 1), '-infinity')`;
}

const NEWEST_FIRST = { date: 'date desc' } as const;
const ALWAYS = { from: null, to: null };

export type LearnerRiskRow = Omit<Schemas['LearnerRiskHistoryEntry'], 'level' | 'factors'> & Factors;

export const listLearnerRisks = pagedQuery<EntryPeriod & { learnerId: string }, LearnerRiskRow>(
  'risk_of_learner',
  NEWEST_FIRST,
  (p) => sql`
    select r.date, r.score, r.simulations, r.courses, r.policies, r.breaches
      from learner_risks r
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId}
       and ${isInForce(p, sql`learner_risks`, sql`e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId}`)}`,
  ALWAYS,
);

export interface GroupRiskRow extends Factors {
  date: string;
  learnerCount: number;
  /**
   * Smallest number of people by which the company or another group exceeds the group; null if the number is large, or
   * if there is no difference.
   */
  restCount: number | null;
  averageScore: number | null;
}

export const listGroupRisks = pagedQuery<EntryPeriod & { groupId: string }, GroupRiskRow>(
  'risk_of_group',
  NEWEST_FIRST,
  (p) => sql`
    select r.date, r.learner_count as "learnerCount", r.rest_count as "restCount", r.average_score as "averageScore",
           r.simulations, r.courses, r.policies, r.breaches
      from group_risks r
     where r.company_id = ${p.companyId} and r.group_id = ${p.groupId}
       and ${isInForce(p, sql`group_risks`, sql`e.company_id = ${p.companyId} and e.group_id = ${p.groupId}`)}`,
  ALWAYS,
);
