import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { toCompanyDay } from '../../learners/shared/company-days.ts';
import type { Fact } from './attempt-rules.ts';
import { type Pair, formatPair, readStatedGrade, type ResultEvent } from './result-event-rules.ts';

/** A fact with its learner and course. */
export type PairFact = Fact & Pair;

/** A recorded result with its grade. A later change to the pass mark does not change this grade. */
export type GradedResult = ResultEvent & { isPassed: boolean | null };

/** Days of a result. A later change to the company's time zone does not move them. */
export type ResultDays = Pick<Fact, 'startedOn' | 'finishedOn'>;

export function toFact({ isPassed, passMark, ...result }: GradedResult & ResultDays): PairFact {
  const isStated = result.passed !== null || passMark !== null;
  return { ...result, passed: isPassed, isStated, enrolledOn: null };
}

/**
 * Columns of the days of a fact, as `ResultDays`. Results that were recorded by releases without days get days in UTC.
 * @param row alias of the row of `course_result_events`
 */
export const selectResultDays = (row: Sql): Sql => sql`
  case when ${row}.enrolled_on is null then coalesce(${row}.started_on, (${row}.started_at at time zone 'utc')::date)
       else ${row}.started_on end as "startedOn",
  coalesce(${row}.finished_on, (${row}.finished_at at time zone 'utc')::date) as "finishedOn"`;

/**
 * A fact to add. If `isPassed` is missing, the stated grade counts; without a stated grade, the course's pass mark
 * decides. Times without days get the days in the company's time zone.
 */
export type NewFact = ResultEvent & Partial<Pick<GradedResult, 'isPassed'> & Pick<Fact, 'enrolledOn'> & ResultDays>;

export function toNewFact({ isStated: _, ...enrolment }: PairFact): NewFact {
  return { ...enrolment, passMark: null };
}

const recorded = query<{ eventIds: string[] }, ResultEvent>(
  'course_result_recorded',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", course_id as "courseId", started_at as "startedAt",
           finished_at as "finishedAt", score, passed, pass_mark as "passMark"
      from course_result_events where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded results with the given ids, by id, including voided ones. */
export async function findRecordedResults(tenant: TenantWriter, eventIds: string[]): Promise<Map<string, ResultEvent>> {
  return new Map((await tenant.queryAll(recorded, { eventIds })).map((result) => [result.eventId, result]));
}

/** Learners and courses, paired by index. */
export interface RequestedPairs {
  learnerIds: string[];
  courseIds: string[];
}

const ofPairs = query<RequestedPairs, PairFact>(
  'course_result_facts',
  (p) => sql`
    select f.event_id as "eventId", f.learner_id as "learnerId", f.course_id as "courseId", f.started_at as "startedAt",
           f.finished_at as "finishedAt", f.score, f.is_passed as passed,
           num_nonnulls(f.passed, f.pass_mark) > 0 as "isStated", f.enrolled_on as "enrolledOn",
           ${selectResultDays(sql`f`)}
      from unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[]) as asked (learner_id, course_id)
      join course_result_events f on f.company_id = ${p.companyId} and f.learner_id = asked.learner_id
       and f.course_id = asked.course_id
     where f.voided_at is null`,
);

/** Returns the facts that count, by pair. */
export async function findFacts(tenant: TenantWriter, pairs: readonly Pair[]): Promise<Map<string, Fact[]>> {
  return Map.groupBy(await tenant.queryAll(ofPairs, toPairColumns(pairs)), formatPair);
}

export function toPairColumns(pairs: readonly Pair[]): RequestedPairs {
  return {
    learnerIds: pairs.map(({ learnerId }) => learnerId),
    courseIds: pairs.map(({ courseId }) => courseId),
  };
}

interface NewFacts extends RequestedPairs {
  eventIds: string[];
  starts: (string | null)[];
  finishes: (string | null)[];
  scores: (number | null)[];
  passes: (boolean | null)[];
  passMarks: (number | null)[];
  grades: (boolean | null)[];
  enrolDays: (string | null)[];
  startDays: (string | null)[];
  finishDays: (string | null)[];
}

const TWO_TIMES = ['2026-03-09T08:00:00Z', '2026-03-09T08:00:00Z'];
const NONE = [null, null];

type InsertedFact = Pick<GradedResult, 'eventId' | 'isPassed'> & ResultDays;

// Inserts in the order of the ids, so that two calls with the same ids wait for each other instead of deadlocking.
const insert = mutation<NewFacts, InsertedFact>(
  'course_result_insert',
  (p) => sql`
    insert into course_result_events (company_id, event_id, learner_id, course_id, course_owner_id, started_at,
                                      finished_at, score, passed, pass_mark, is_passed, enrolled_on, started_on,
                                      finished_on)
    select ${p.companyId}, new.event_id, new.learner_id, c.id, c.owner_id, new.started_at, new.finished_at, new.score,
           new.passed, new.pass_mark, coalesce(new.is_passed, new.score >= c.pass_mark), new.enrolled_on,
           case when new.enrolled_on is null then coalesce(new.started_on, ${toCompanyDay(p, sql`new.started_at`)})
                else new.started_on end,
           coalesce(new.finished_on, ${toCompanyDay(p, sql`new.finished_at`)})
      from unnest(${p.eventIds}::text[], ${p.learnerIds}::uuid[], ${p.courseIds}::uuid[],
                  ${p.starts}::timestamptz[], ${p.finishes}::timestamptz[], ${p.scores}::numeric[],
                  ${p.passes}::boolean[], ${p.passMarks}::numeric[], ${p.grades}::boolean[], ${p.enrolDays}::date[],
                  ${p.startDays}::date[], ${p.finishDays}::date[])
        as new (event_id, learner_id, course_id, started_at, finished_at, score, passed, pass_mark, is_passed,
                enrolled_on, started_on, finished_on)
      join courses c on c.id = new.course_id and c.owner_id in (managed_catalogue(), ${p.companyId})
     order by new.event_id
    on conflict (company_id, event_id) do nothing
    returning event_id as "eventId", is_passed as "isPassed", started_on as "startedOn",
              finished_on as "finishedOn"`,
  {
    ...{ starts: TWO_TIMES, finishes: NONE, scores: NONE, passes: NONE, passMarks: NONE, grades: NONE },
    ...{ enrolDays: NONE, startDays: NONE, finishDays: NONE },
  },
);

/**
 * Adds facts of locked learners. Returns the grades and days of the added facts by event id, without the facts that a
 * concurrent call has added.
 */
export async function insertFacts(
  tenant: TenantWriter,
  facts: readonly NewFact[],
): Promise<Map<string, Omit<InsertedFact, 'eventId'>>> {
  if (facts.length === 0) return new Map();
  const inserted = await tenant.mutate(insert, {
    ...toPairColumns(facts),
    eventIds: facts.map(({ eventId }) => eventId),
    starts: facts.map(({ startedAt }) => startedAt),
    finishes: facts.map(({ finishedAt }) => finishedAt),
    scores: facts.map(({ score }) => score),
    passes: facts.map(({ passed }) => passed),
    passMarks: facts.map(({ passMark }) => passMark),
    grades: facts.map((fact) => fact.isPassed ?? readStatedGrade(fact)),
    enrolDays: facts.map(({ enrolledOn = null }) => enrolledOn),
    startDays: facts.map(({ startedOn = null }) => startedOn),
    finishDays: facts.map(({ finishedOn = null }) => finishedOn),
  });
  return new Map(inserted.map(({ eventId, ...recorded }) => [eventId, recorded]));
}

const setVoided = mutation<{ eventIds: string[]; isVoided: boolean }>(
  'course_result_set_voided',
  (p) => sql`
    update course_result_events set voided_at = case when ${p.isVoided} then t.now end
      from (select now() as now) as t
     where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Voids or restores results of locked learners. */
export async function setResultsVoided(tenant: TenantWriter, eventIds: string[], isVoided: boolean): Promise<void> {
  if (eventIds.length > 0) await tenant.mutate(setVoided, { eventIds, isVoided });
}
