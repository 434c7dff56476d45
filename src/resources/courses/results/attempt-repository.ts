import { addInterval } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { toDayStart } from '../../learners/shared/company-days.ts';
import { type NewEvent, writeEvents } from '../../../db/write-events.ts';
import type { Attempt, StoredAttempt } from './attempt-rules.ts';
import { type RequestedPairs, toPairColumns } from './result-event-repository.ts';
import { type Pair, formatPair } from './result-event-rules.ts';

type StoredRow = Pair & StoredAttempt;

/**
 * Columns of the times between which an attempt lies, as in `StoredAttempt`. An enrolment counts from the start of its
 * day in the company's former or current time zone, whichever is earlier.
 * @param row alias of a row of the table
 */
export const selectDayEnds = (
  p: Parameters<object>,
  row: Sql,
  table: 'enrollments' | 'enrollment_attempts',
): Sql => sql`
  least(${toDayStart(p, sql`${row}.enroll_date`)},
        ${table === 'enrollments' ? sql`${row}.enrolled_from` : sql`null`}) as "enrollDayStart",
  ${toDayStart(p, sql`(${row}.finish_date + 1)`)} - interval '1 millisecond' as "finishDayEnd"`;

const ofPairs = query<RequestedPairs, StoredRow>(
  'attempt_of_pairs',
  (p) => sql`
    with newest as (
      select e.* from unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[]) as asked (learner_id, course_id)
        join enrollments e on e.company_id = ${p.companyId} and e.learner_id = asked.learner_id
         and e.course_id = asked.course_id
    )
    select learner_id as "learnerId", course_id as "courseId", attempt_id as "attemptId", attempt,
           enroll_date as "enrollDate", start_date as "startDate", finish_date as "finishDate", score, passed,
           finish_event_id as "finishEventId", derived_at is not null as "isDerived", ${selectDayEnds(p, sql`newest`, 'enrollments')}
      from newest
    union all
    select a.learner_id, a.course_id, a.attempt_id, a.attempt, a.enroll_date, a.start_date, a.finish_date, a.score,
           a.passed, a.finish_event_id, false, ${selectDayEnds(p, sql`a`, 'enrollment_attempts')}
      from newest join enrollment_attempts a on a.company_id = ${p.companyId} and a.learner_id = newest.learner_id
       and a.course_id = newest.course_id and a.attempt < newest.attempt
     order by attempt`,
);

/** Returns the stored attempts by pair, ordered by number. */
export async function findAttempts(
  tenant: TenantWriter,
  pairs: readonly Pair[],
): Promise<Map<string, StoredAttempt[]>> {
  return Map.groupBy(await tenant.queryAll(ofPairs, toPairColumns(pairs)), formatPair);
}

interface Columns extends RequestedPairs {
  attemptIds: (string | null)[];
  attempts: number[];
  enrollDates: string[];
  startDates: (string | null)[];
  finishDates: (string | null)[];
  scores: (number | null)[];
  passes: (boolean | null)[];
  finishEventIds: (string | null)[];
}

const DAYS = ['2026-05-04', '2026-05-04'];
const SAMPLES = {
  ...{ attemptIds: [null, null], attempts: [1, 1], enrollDates: DAYS, startDates: DAYS, finishDates: DAYS },
  ...{ scores: [80, 80], passes: [null, null], finishEventIds: [null, null] },
};

/** Builds a subquery with the attempts to write, as the table `new`. */
function newAttempts(p: Parameters<Columns>): Sql {
  return sql`
    unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[], ${p.attemptIds}::uuid[], ${p.attempts}::smallint[],
           ${p.enrollDates}::date[], ${p.startDates}::date[], ${p.finishDates}::date[], ${p.scores}::numeric[],
           ${p.passes}::boolean[], ${p.finishEventIds}::text[])
      as new (learner_id, course_id, attempt_id, attempt, enroll_date, start_date, finish_date, score, passed,
              finish_event_id)`;
}

interface EarlierAttempt extends Pair {
  attemptId: string;
  enrollDate: string;
  startDate: string;
  finishDate: string;
  passed: boolean | null;
}

// An attempt keeps the times of the emails about it.
const keepEarlier = mutation<Columns, EarlierAttempt>(
  'attempt_keep_earlier',
  (p) => sql`
    insert into enrollment_attempts (company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, enroll_date,
                                     start_date, finish_date, score, passed, finish_event_id, reminded_at, asked_at,
                                     reminder_sent_at, mail_failed_at)
    select ${p.companyId}, new.learner_id, c.id, c.owner_id, coalesce(new.attempt_id, new_id()), new.attempt,
           new.enroll_date, new.start_date, new.finish_date, new.score, new.passed, new.finish_event_id, e.reminded_at, e.asked_at, e.reminder_sent_at, e.mail_failed_at
      from ${newAttempts(p)}
      join courses c on c.id = new.course_id and c.owner_id in (managed_catalogue(), ${p.companyId})
      left join enrollments e on e.company_id = ${p.companyId} and e.learner_id = new.learner_id
       and e.course_id = new.course_id and e.attempt_id = new.attempt_id
    on conflict (company_id, learner_id, course_id, attempt_id) do update
       set attempt = excluded.attempt, enroll_date = excluded.enroll_date, start_date = excluded.start_date,
           finish_date = excluded.finish_date, score = excluded.score, passed = excluded.passed, finish_event_id = excluded.finish_event_id
    returning learner_id as "learnerId", course_id as "courseId", attempt_id as "attemptId",
              enroll_date as "enrollDate", start_date as "startDate", finish_date as "finishDate", passed`,
  SAMPLES,
);

// If an open attempt was removed, the previous attempt is the newest again, and its copy is kept among the earlier
// attempts. The copy gets the same number and result.
const renumberCopies = mutation<Columns>(
  'attempt_renumber_copies',
  (p) => sql`
    update enrollment_attempts a
       set attempt = new.attempt, enroll_date = new.enroll_date, start_date = new.start_date,
           finish_date = new.finish_date, score = new.score, passed = new.passed,
           finish_event_id = new.finish_event_id
      from ${newAttempts(p)}
     where a.company_id = ${p.companyId} and a.learner_id = new.learner_id and a.course_id = new.course_id
       and a.attempt_id = new.attempt_id and new.finish_date is not null`,
  SAMPLES,
);

// An upsert finds each row by its key, even if Postgres has outdated statistics. The trigger accepts derived attempts
// only if `derived_at` changes, so two updates within the same millisecond need different times.
const saveNewest = mutation<Columns>(
  'attempt_save_newest',
  (p) => sql`
    insert into enrollments as r (company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, enroll_date,
                                  start_date, finish_date, score, passed, finish_event_id, derived_at)
    select ${p.companyId}, new.learner_id, c.id, c.owner_id, coalesce(new.attempt_id, new_id()), new.attempt,
           new.enroll_date, new.start_date, new.finish_date, new.score, new.passed, new.finish_event_id,
           statement_timestamp()
      from ${newAttempts(p)}
      join courses c on c.id = new.course_id and c.owner_id in (managed_catalogue(), ${p.companyId})
    on conflict (company_id, learner_id, course_id) do update
       set attempt_id = excluded.attempt_id, attempt = excluded.attempt, enroll_date = excluded.enroll_date,
           start_date = excluded.start_date, finish_date = excluded.finish_date, score = excluded.score,
           passed = excluded.passed, finish_event_id = excluded.finish_event_id,
           derived_at = greatest(excluded.derived_at, ${addInterval(sql`r.derived_at`, sql`interval '1 millisecond'`)}),
           reminded_at = case when r.attempt_id = excluded.attempt_id then r.reminded_at end,
           asked_at = case when r.attempt_id = excluded.attempt_id then r.asked_at end,
           reminder_sent_at = case when r.attempt_id = excluded.attempt_id then r.reminder_sent_at end,
           mail_failed_at = case when r.attempt_id = excluded.attempt_id then r.mail_failed_at end`,
  SAMPLES,
);

type AttemptIds = RequestedPairs & { attemptIds: string[] };

const removeEarlier = mutation<AttemptIds>(
  'attempt_remove_earlier',
  (p) => sql`
    delete from enrollment_attempts
     where company_id = ${p.companyId}
       and (learner_id, course_id, attempt_id) in (
             select * from unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[], ${p.attemptIds}::uuid[]))`,
);

const removeNewest = mutation<RequestedPairs>(
  'attempt_remove_newest',
  (p) => sql`
    delete from enrollments
     where company_id = ${p.companyId}
       and (learner_id, course_id) in (select * from unnest(${p.learnerIds}::uuid[], ${p.courseIds}::uuid[]))`,
);

/** The attempts of a pair: the stored ones, and the ones derived from the facts. */
export interface PairAttempts extends Pair {
  stored: readonly StoredAttempt[];
  attempts: readonly Attempt[];
}

type PairAttempt = Attempt & Pair;

/** Writes the attempts that differ from the stored ones. The caller has locked the learners. */
export async function saveAttempts(tenant: TenantWriter, pairs: readonly PairAttempts[]): Promise<void> {
  const earlier: PairAttempt[] = [];
  const newest: PairAttempt[] = [];
  const gradedIds = new Set<string | null>();
  for (const { learnerId, courseId, stored, attempts } of pairs) {
    const before = stored.at(-1);
    const byId = new Map<string | null, Attempt>(stored.map((attempt) => [attempt.attemptId, attempt]));
    attempts.forEach((attempt, index) => {
      const isNewest = index === attempts.length - 1;
      const wasNewest = before !== undefined && before.attemptId === attempt.attemptId;
      const existing = byId.get(attempt.attemptId);
      if (isNewest === wasNewest && areSame(attempt, existing)) return;
      if (existing && isUngraded(existing) && !isUngraded(attempt)) gradedIds.add(attempt.attemptId);
      (isNewest ? newest : earlier).push({ ...attempt, learnerId, courseId });
    });
  }
  if (earlier.length > 0) await saveEarlier(tenant, earlier, gradedIds);
  const existing = newest.filter(({ attemptId }) => attemptId !== null);
  if (existing.length > 0) await tenant.mutate(renumberCopies, toAttemptColumns(existing));
  if (newest.length > 0) await tenant.mutate(saveNewest, toAttemptColumns(newest));
}

/** Removes stored attempts that are no longer derived. Only corrections lead to such attempts. */
export async function removeAttempts(tenant: TenantWriter, pairs: readonly PairAttempts[]): Promise<void> {
  const removed = pairs.flatMap((pair) => {
    const ids = new Set(pair.attempts.map(({ attemptId }) => attemptId));
    return pair.stored.filter(({ attemptId }) => !ids.has(attemptId)).map(({ attemptId }) => ({ ...pair, attemptId }));
  });
  if (removed.length === 0) return;
  const attemptIds = removed.map(({ attemptId }) => attemptId);
  await tenant.mutate(removeEarlier, { ...toPairColumns(removed), attemptIds });
  const emptied = removed.filter(({ attempts }) => attempts.length === 0);
  if (emptied.length > 0) await tenant.mutate(removeNewest, toPairColumns(emptied));
  // If no attempt or an earlier attempt takes the place of the newest, a trigger writes the event.
  const silent = removed.filter(({ stored, attempts, attemptId }) => {
    const newest = stored.at(-1)!;
    return attemptId !== newest.attemptId || (attempts.at(-1)?.attempt ?? 0) >= newest.attempt;
  });
  await writeEvents(
    tenant,
    silent.map(({ attemptId, learnerId, courseId }) => {
      return { type: 'enrollment.removed', data: { attemptId, learnerId, courseId } };
    }),
  );
}

/**
 * Saves earlier attempts. Writes events only for new and newly graded attempts: the trigger wrote the events of the
 * others when they were the newest.
 * @param gradedIds ids of attempts that were finished without a grade, and now have one
 */
async function saveEarlier(
  tenant: TenantWriter,
  attempts: readonly PairAttempt[],
  gradedIds: ReadonlySet<string | null>,
): Promise<void> {
  const existingIds = new Set(attempts.map(({ attemptId }) => attemptId));
  const stored = await tenant.mutate(keepEarlier, toAttemptColumns(attempts));
  const fresh = stored.filter(({ attemptId }) => !existingIds.has(attemptId));
  const graded = stored.filter(({ attemptId }) => gradedIds.has(attemptId));
  await writeEvents(tenant, [...fresh.flatMap(buildEvents), ...graded.map(buildCompletedEvent)]);
}

function buildEvents(attempt: EarlierAttempt): NewEvent[] {
  const { attemptId, learnerId, courseId, enrollDate, startDate } = attempt;
  return [
    { type: 'enrollment.created', data: { attemptId, learnerId, courseId, enrollDate } },
    { type: 'enrollment.started', data: { attemptId, learnerId, courseId, startDate } },
    buildCompletedEvent(attempt),
  ];
}

function buildCompletedEvent({ attemptId, learnerId, courseId, finishDate, passed }: EarlierAttempt): NewEvent {
  return { type: 'enrollment.completed', data: { attemptId, learnerId, courseId, finishDate, passed } };
}

function isUngraded({ finishDate, score, passed }: Attempt): boolean {
  return finishDate !== null && score === null && passed === null;
}

function areSame(a: Attempt, b: Attempt | undefined): boolean {
  const serializeContent = (one: Attempt) =>
    JSON.stringify([
      ...[one.attempt, one.enrollDate, one.startDate, one.finishDate],
      ...[one.score, one.passed, one.finishEventId],
    ]);
  return b !== undefined && serializeContent(a) === serializeContent(b);
}

function toAttemptColumns(attempts: readonly PairAttempt[]): Columns {
  return {
    ...toPairColumns(attempts),
    attemptIds: attempts.map(({ attemptId }) => attemptId),
    attempts: attempts.map(({ attempt }) => attempt),
    enrollDates: attempts.map(({ enrollDate }) => enrollDate),
    startDates: attempts.map(({ startDate }) => startDate),
    finishDates: attempts.map(({ finishDate }) => finishDate),
    scores: attempts.map(({ score }) => score),
    passes: attempts.map(({ passed }) => passed),
    finishEventIds: attempts.map(({ finishEventId }) => finishEventId),
  };
}
