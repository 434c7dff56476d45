import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pagedQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { lastCorrection } from '../courses/results/recorded-result-repository.ts';
import type { CorrectableResult, NewCorrection } from './correction-rules.ts';

const correctable = query<{ eventIds: string[] }, CorrectableResult>(
  'correction_results',
  (p) => sql`
    select r.event_id as "eventId", r.learner_id as "learnerId", r.course_id as "courseId",
           r.started_at as "startedAt", r.finished_at as "finishedAt", r.score, r.passed,
           r.pass_mark as "passMark", r.is_passed as "isPassed",
           r.voided_at is not null as "isVoided", k.removed_at is not null as "isOfDeletedCourse", c.replacement_event_id as "replacementEventId",
           c.attempt_id as "attemptId"
      from course_result_events r
      join courses k on k.owner_id = r.course_owner_id and k.id = r.course_id
      left join lateral (${lastCorrection(p)}) as c on true
     where r.company_id = ${p.companyId} and r.event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded results with the given ids, by id. */
export async function findCorrectableResults(
  tenant: TenantWriter,
  eventIds: string[],
): Promise<Map<string, CorrectableResult>> {
  return new Map((await tenant.queryAll(correctable, { eventIds })).map((result) => [result.eventId, result]));
}

interface Columns {
  ids: string[];
  kinds: string[];
  eventIds: string[];
  learnerIds: string[];
  actions: string[];
  replacementEventIds: (string | null)[];
  reasons: string[];
  attemptIds: (string | null)[];
}

const insert = mutation<Columns, { id: string }>(
  'correction_insert',
  (p) => sql`
    insert into corrections (company_id, id, kind, event_id, learner_id, action, replacement_event_id, reason, attempt_id)
    select ${p.companyId}, new.*
      from unnest(${p.ids}::uuid[], ${p.kinds}::text[], ${p.eventIds}::text[], ${p.learnerIds}::uuid[],
                  ${p.actions}::text[], ${p.replacementEventIds}::text[], ${p.reasons}::text[],
                  ${p.attemptIds}::uuid[]) as new
    returning id`,
  {
    kinds: ['course_result', 'course_result'],
    actions: ['void', 'restore'],
    replacementEventIds: [null, null],
    attemptIds: [null, null],
  },
);

/** A correction with the attempt that its record had finished. */
export type StoredCorrection = NewCorrection & { id: string; attemptId: string | null };

export async function insertCorrections(tenant: TenantWriter, corrections: readonly StoredCorrection[]): Promise<void> {
  await tenant.mutate(insert, {
    ids: corrections.map(({ id }) => id),
    kinds: corrections.map(({ kind }) => kind),
    eventIds: corrections.map(({ eventId }) => eventId),
    learnerIds: corrections.map(({ learnerId }) => learnerId),
    actions: corrections.map(({ action }) => action),
    replacementEventIds: corrections.map(({ replacementEventId }) => replacementEventId),
    reasons: corrections.map(({ reason }) => reason),
    attemptIds: corrections.map(({ attemptId }) => attemptId),
  });
}

const CORRECTION = sql`
  c.id, c.kind, c.event_id as "eventId", c.learner_id as "learnerId", c.action,
  c.replacement_event_id as "replacementEventId", c.reason, c.corrected_at as "correctedAt"`;

const list = pagedQuery<object, Schemas['Correction']>(
  'corrections',
  { id: 'uuid desc' },
  (p) => sql`select ${CORRECTION} from corrections c where c.company_id = ${p.companyId}`,
);

const listOfLearner = pagedQuery<{ learnerId: string }, Schemas['Correction']>(
  'corrections_of_learner',
  { id: 'uuid desc' },
  (p) => sql`
    select ${CORRECTION} from corrections c where c.company_id = ${p.companyId} and c.learner_id = ${p.learnerId}`,
);

/** Lists corrections, newest first. */
export function listCorrections(tenant: TenantReader, learnerId: string | undefined) {
  return learnerId === undefined ? tenant.stream(list, {}) : tenant.stream(listOfLearner, { learnerId });
}
