import type { Schemas } from '../../../contract/contract.ts';
import { fullName } from '../../../db/expressions.ts';
import type { Order } from '../../../db/keyset.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import {
  ANY_ATTEMPT,
  areNewest,
  countedAttempts,
  newestAttempts,
  reportedAttempts,
  type ReportedAttempts,
} from '../../courses/results/reported-attempts.ts';
import { PROGRESS } from '../../courses/results/result-repository.ts';
import { hasProfile, matchesProfile, NO_PROFILE } from '../../learners/shared/learner-profile.ts';
import {
  type LearnersFilter,
  PROFILE,
  selectMemberIds,
  isNamedOrReported,
} from '../../learners/shared/reported-learners.ts';
import { selectRecipientIds } from '../../simulations/recipient-repository.ts';

export interface LearningFilter extends ReportedAttempts, LearnersFilter {
  courseId: string | null;
  status: Schemas['LearningStatusFilter'] | null;
  /** Simulation in which learners must have the `outcome`; null if and only if `outcome` is null. */
  simulationId: string | null;
  outcome: Schemas['SimulationOutcome'] | null;
}

/** Source of the report's rows: FROM and WHERE clauses with enrolments `e`, learners `l` and courses `c`. */
interface Source {
  /** Distinguishes the names of the statements. */
  shape: string;
  order: Order<Schemas['LearningReportRow']>;
  /**
   * Builds the clauses. In a list, `continued` builds the condition that a learner is not before the page. Totals have
   * no such condition.
   */
  build: (p: Parameters<LearningFilter>, continued?: (column: Sql) => Sql) => Sql;
  samples: Partial<LearningFilter>;
}

/**
 * Combinations of filters on the newest attempts. Each combination has its own statement, so that it can use its own
 * index.
 */
const SHAPES = [
  ...['all', 'learner', 'course', 'simulation'],
  ...['learner_course', 'learner_simulation', 'course_simulation', 'learner_course_simulation'],
];

/**
 * Filters on other attempts, ordered by how few rows they usually leave. The first filter that is set finds the rows
 * through an index.
 */
const LEADING = ['learner', 'simulation', 'group', 'profile', 'course'] as const;
type Leading = (typeof LEADING)[number] | 'all';

/** Creates a statement for each source. Returns a function that selects the statement for a filter. */
function bySource<T>(make: (source: Source) => T): (filter: LearningFilter) => T {
  const newest = new Map(SHAPES.map((shape) => [shape, make(newestSource(shape))]));
  const reported = new Map([...LEADING, 'all' as const].map((leading) => [leading, make(reportedSource(leading))]));
  return (filter) => {
    if (areNewest(filter) && filter.groupId === null && !hasProfile(filter)) return newest.get(buildShape(filter))!;
    const isGiven = (name: (typeof LEADING)[number]) =>
      name === 'profile' ? hasProfile(filter) : filter[`${name}Id`] !== null;
    return reported.get(LEADING.find(isGiven) ?? 'all')!;
  };
}

function buildShape({ learnerId, courseId, simulationId }: LearningFilter): string {
  const given = [learnerId && 'learner', courseId && 'course', simulationId && 'simulation'];
  return given.filter(Boolean).join('_') || 'all';
}

const BY_PAIR = { learnerId: 'uuid', courseId: 'uuid' } as const;

const STATUS = sql`
  case when e.finish_date is not null then 'finished' when e.start_date is null then 'not_started' else 'in_progress' end`;

/** Condition that an attempt `e` has the status, if a status is given. */
export function hasStatus(p: Parameters<LearningFilter>): Sql {
  return sql`
    case ${p.status}::text when 'not_started' then e.start_date is null
                           when 'in_progress' then e.start_date is not null and e.finish_date is null
                           when 'finished' then e.finish_date is not null
                           when 'unfinished' then e.finish_date is null
                           else true end`;
}

const notPaged = (): Sql => sql`true`;

const joined = (p: Parameters<object>, isContinued: Sql): Sql => sql`
  join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id and ${isContinued}
  join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id`;

// Uses an array: with a join, Postgres could search all recipients for each enrolment while it lacks statistics.
const isRecipient = (p: Parameters<LearningFilter>): Sql => sql`e.learner_id = any(array(${selectRecipientIds(p)}))`;

/**
 * Source of the newest attempts. If no learner is named, inactive learners count only with `includeInactive`. If no
 * course is named, only training courses count.
 */
function newestSource(shape: string): Source {
  return {
    shape,
    order: BY_PAIR,
    samples: {},
    build(p, continued = notPaged) {
      const ofLearners = shape.includes('learner')
        ? sql`e.learner_id = ${p.learnerId}`
        : sql`(${p.includeInactive} or not l.inactive)`;
      const inCourses = shape.includes('course') ? sql`e.course_id = ${p.courseId}` : sql`c.type = 'training'`;
      const ofRecipients = shape.includes('simulation') ? isRecipient(p) : sql`true`;
      return sql`
          from ${newestAttempts(p)} e ${joined(p, continued(sql`l.id`))}
         where ${ofLearners} and ${inCourses} and ${ofRecipients} and ${hasStatus(p)}`;
    },
  };
}

const NO_FILTERS = { learnerId: null, simulationId: null, groupId: null, courseId: null, status: null, ...NO_PROFILE };

/** Source of the reported attempts, by the same rules as the newest attempts. */
function reportedSource(leading: Leading): Source {
  const leadingId = leading === 'profile' ? 'department' : `${leading}Id`;
  const otherFilters = Object.fromEntries(Object.entries(NO_FILTERS).filter(([name]) => name !== leadingId));
  return {
    shape: `attempts_${leading}`,
    order: { ...BY_PAIR, attempt: 'integer' },
    samples: { ...otherFilters, ...ANY_ATTEMPT },
    build: (p, continued) => sql`
      from ${selectAttempts(leading, p, continued)} ${joined(p, (continued ?? notPaged)(sql`l.id`))}
     where ${isNamedOrReported(p)}
       and (c.type = 'training' or ${p.courseId}::uuid is not null)
       and ${passesCourse(p, leading)} and ${passesGroup(p, leading)} and ${passesSimulation(p, leading)}
       and ${leading === 'learner' ? sql`e.learner_id = ${p.learnerId}` : sql`true`}
       and ${matchesProfile(p)} and ${hasStatus(p)}`,
  };
}

/** Selects attempts `e`. For a group or a profile, looks up the attempts of each learner, even for totals. */
function selectAttempts(leading: Leading, p: Parameters<LearningFilter>, continued?: (column: Sql) => Sql): Sql {
  if (leading !== 'group' && leading !== 'profile')
    return sql`${continued ? reportedAttempts(p) : countedAttempts(p)} e`;
  return sql`
    (${selectMemberIds(leading, p, continued ?? notPaged)}) as member
    join ${reportedAttempts(p)} e on e.learner_id = member.learner_id`;
}

function passesCourse(p: Parameters<LearningFilter>, leading: Leading): Sql {
  if (leading === 'course') return sql`e.course_id = ${p.courseId}`;
  return sql`(${p.courseId}::uuid is null or e.course_id = ${p.courseId})`;
}

function passesGroup(p: Parameters<LearningFilter>, leading: Leading): Sql {
  if (leading === 'group') return sql`true`;
  return sql`(${p.groupId}::uuid is null or exists (
    select from group_learners gl
     where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and gl.learner_id = e.learner_id))`;
}

function passesSimulation(p: Parameters<LearningFilter>, leading: Leading): Sql {
  if (leading === 'simulation') return isRecipient(p);
  return sql`(${p.simulationId}::uuid is null or exists (
    select from (${selectRecipientIds(p)} offset 0) as recipient where recipient.learner_id = e.learner_id))`;
}

// NOTE: looks up the groups of each row by index. Even for a narrow filter, Postgres would compute a join with the
// groups of all learners, and with wrong statistics, once per row.
function selectGroups(p: Parameters<LearningFilter>): Sql {
  return sql`
    coalesce((
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from group_learners gl
        cross join lateral (
          select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.id = gl.group_id offset 0) as g
       where gl.company_id = ${p.companyId} and gl.learner_id = e.learner_id), '[]')`;
}

/** Columns of an attempt `e` of a learner `l` at a course `c`. */
export const learningRow = (learnerId: Sql, groups: Sql): Sql => sql`
  ${learnerId} as "learnerId", ${fullName(sql`l`)} as "learnerName", l.email as "learnerEmail",
  l.external_learner_id as "externalLearnerId", l.inactive, ${groups} as groups, e.course_id as "courseId",
  c.name as "courseName", ${STATUS} as status, e.attempt, e.attempts, ${PROGRESS}, ${PROFILE}`;

/** Columns with the totals of attempts `e`. */
export const learningTotals = (learnerId: Sql): Sql => sql`
  count(distinct ${learnerId})::integer as "learnerCount", count(*)::integer as "enrollmentCount",
  count(e.start_date)::integer as "startedCount", count(e.finish_date)::integer as "finishedCount",
  (count(*) filter (where e.passed))::integer as "passedCount", round(avg(e.score), 2) as "averageScore"`;

export const listLearningRows = bySource(({ shape, order, build, samples }) =>
  pagedQuery<LearningFilter, Schemas['LearningReportRow']>(
    `learning_rows_${shape}`,
    order,
    (p, continued) => sql`select ${learningRow(sql`e.learner_id`, selectGroups(p))} ${build(p, continued)}`,
    samples,
  ),
);

/** Totals of the rows of the report. */
export const learningSummary = bySource(({ shape, build, samples }) =>
  figures<LearningFilter, Schemas['LearningReportSummary']>(
    `learning_summary_${shape}`,
    (p) => sql`select ${learningTotals(sql`e.learner_id`)} ${build(p)}`,
    samples,
  ),
);
