import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { Fact } from './attempt-rules.ts';
import { type Pair, formatPair, type ResultEvent } from './result-event-rules.ts';

/** A fact with its learner and course. */
export type PairFact = Fact & Pair;

export function toFact(result: ResultEvent): PairFact {
  return { ...result, enrolledOn: null, startedOn: null };
}

const recorded = query<{ eventIds: string[] }, ResultEvent>(
  'course_result_recorded',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", course_id as "courseId", started_at as "startedAt",
           finished_at as "finishedAt", score, passed
      from course_result_events where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded results with the given ids, by id, with the voided ones. */
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
           f.finished_at as "finishedAt", f.score, f.passed, f.enrolled_on as "enrolledOn", f.started_on as "startedOn"
      from unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[]) as asked (learner_id, course_id)
      join course_result_events f on f.company_id = ${p.companyId} and f.learner_id = asked.learner_id
       and f.course_id = asked.course_id
     where f.voided_at is null`,
);

/** Returns the facts of pairs that count, by pair. */
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
  enrolDays: (string | null)[];
  startDays: (string | null)[];
}

const TWO_TIMES = ['2026-03-09T08:00:00Z', '2026-03-09T08:00:00Z'];
const NONE = [null, null];

// Inserts in the order of the ids, so that two calls with the same ids wait for each other and do not deadlock.
const insert = mutation<NewFacts, { eventId: string }>(
  'course_result_insert',
  (p) => sql`
    insert into course_result_events (company_id, event_id, learner_id, course_id, course_owner_id, started_at,
                                      finished_at, score, passed, enrolled_on, started_on)
    select ${p.companyId}, new.event_id, new.learner_id, c.id, c.owner_id, new.started_at, new.finished_at, new.score,
           new.passed, new.enrolled_on, new.started_on
      from unnest(${p.eventIds}::text[], ${p.learnerIds}::uuid[], ${p.courseIds}::uuid[],
                  ${p.starts}::timestamptz[], ${p.finishes}::timestamptz[], ${p.scores}::numeric[],
                  ${p.passes}::boolean[], ${p.enrolDays}::date[], ${p.startDays}::date[])
        as new (event_id, learner_id, course_id, started_at, finished_at, score, passed, enrolled_on, started_on)
      join courses c on c.id = new.course_id and c.owner_id in (managed_catalogue(), ${p.companyId})
     order by new.event_id
    on conflict (company_id, event_id) do nothing
    returning event_id as "eventId"`,
  { starts: TWO_TIMES, finishes: NONE, scores: NONE, passes: NONE, enrolDays: NONE, startDays: NONE },
);

/** Adds facts of locked learners. Returns the ids of the facts that no other call has added meanwhile. */
export async function insertFacts(tenant: TenantWriter, facts: readonly PairFact[]): Promise<Set<string>> {
  if (facts.length === 0) return new Set();
  const inserted = await tenant.mutate(insert, {
    ...toPairColumns(facts),
    eventIds: facts.map(({ eventId }) => eventId),
    starts: facts.map(({ startedAt }) => startedAt),
    finishes: facts.map(({ finishedAt }) => finishedAt),
    scores: facts.map(({ score }) => score),
    passes: facts.map(({ passed }) => passed),
    enrolDays: facts.map(({ enrolledOn }) => enrolledOn),
    startDays: facts.map(({ startedOn }) => startedOn),
  });
  return new Set(inserted.map(({ eventId }) => eventId));
}

const setVoided = mutation<{ eventIds: string[]; isVoided: boolean }>(
  'course_result_set_voided',
  (p) => sql`
    update course_result_events set voided_at = case when ${p.isVoided} then t.now end
      from (select now() as now) as t
     where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Voids results of locked learners, or restores them. */
export async function setResultsVoided(tenant: TenantWriter, eventIds: string[], isVoided: boolean): Promise<void> {
  if (eventIds.length > 0) await tenant.mutate(setVoided, { eventIds, isVoided });
}
