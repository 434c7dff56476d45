import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pagedQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { lastCorrection } from '../courses/results/recorded-result-repository.ts';
import { type GradedResult, type ResultDays, selectResultDays } from '../courses/results/result-event-repository.ts';
import type { SignatureEvent } from '../policies/signatures/signature-event-rules.ts';
import type { RecordedEvent } from '../simulations/events/correct-events.ts';
import type { RecordState } from './correction-rules.ts';
import type { MadeCorrection } from './record-kind.ts';

/** A recorded result and its state. */
export interface CorrectableResult extends GradedResult, ResultDays, RecordState {
  /** Id of the attempt that the result had finished before the result was voided; null if it finished none. */
  attemptId: string | null;
}

const correctableResults = query<{ eventIds: string[] }, CorrectableResult>(
  'correction_results',
  (p) => sql`
    select r.event_id as "eventId", r.learner_id as "learnerId", r.course_id as "courseId",
           r.started_at as "startedAt", r.finished_at as "finishedAt", r.score, r.passed,
           r.pass_mark as "passMark", r.is_passed as "isPassed", r.voided_at is not null as "isVoided", k.removed_at is not null as "isOfDeleted",
           c.replacement_event_id as "replacementEventId", c.attempt_id as "attemptId",
           ${selectResultDays(sql`r`)}
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
  const rows = await tenant.queryAll(correctableResults, { eventIds });
  return new Map(rows.map((result) => [result.eventId, result]));
}

/** A recorded signature and its state. */
export interface CorrectableSignature extends SignatureEvent, RecordState {
  /** Whether the signature was given on the service's own pages. */
  isOwn: boolean;
  /** Time of the assignment that the signature set before it was voided; null if the assignment came from elsewhere. */
  assignedAt: string | null;
}

const correctableSignatures = query<{ eventIds: string[] }, CorrectableSignature>(
  'correction_signatures',
  (p) => sql`
    select e.event_id as "eventId", e.learner_id as "learnerId", e.policy_id as "policyId",
           e.version_id as "versionId", e.signed, e.offline, e.note, e.is_own as "isOwn",
           e.voided_at is not null as "isVoided", p.id is null as "isOfDeleted",
           c.replacement_event_id as "replacementEventId", c.assigned_at as "assignedAt"
      from signature_events e
      left join policies p on p.company_id = ${p.companyId} and p.id = e.policy_id
      left join lateral (
        select * from corrections c
         where c.company_id = ${p.companyId} and c.kind = 'policy_signature' and c.event_id = e.event_id
         order by c.id desc limit 1) as c on true
     where e.company_id = ${p.companyId} and e.event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded signatures with the given ids, by id. */
export async function findCorrectableSignatures(
  tenant: TenantWriter,
  eventIds: string[],
): Promise<Map<string, CorrectableSignature>> {
  const rows = await tenant.queryAll(correctableSignatures, { eventIds });
  return new Map(rows.map((signature) => [signature.eventId, signature]));
}

/** A recorded simulation event and its state. */
export interface CorrectableEvent extends RecordedEvent, RecordState {
  kind: Kind;
  /** Whether the service runs the simulation. */
  isOwn: boolean;
}

// A learner's report of a message is the event whose id contains the ids of the simulation and of a learner
// (reported-messages.ts). After a merge, that can be another learner than the event's.
const correctableEvents = query<{ eventIds: string[] }, CorrectableEvent>(
  'correction_simulation_events',
  (p) => sql`
    select e.event_id as "eventId", k.kind, e.simulation_id as "simulationId", e.learner_id as "learnerId", e.type,
           e.occurred_at as "occurredAt", e.evidence, e.signals, e.verdict, e.reasons, s.is_own as "isOwn",
           e.voided_at is not null as "isVoided", false as "isOfDeleted", c.replacement_event_id as "replacementEventId"
      from simulation_events e
      join simulations s on s.company_id = ${p.companyId} and s.id = e.simulation_id
     cross join lateral (
       select case when e.event_id like 'reported-' || e.simulation_id || '-' || repeat('_', 36) then 'reported_message'
                   else 'simulation_event' end as kind) as k
      left join lateral (
        select * from corrections c
         where c.company_id = ${p.companyId} and c.kind = k.kind and c.event_id = e.event_id
         order by c.id desc limit 1) as c on true
     where e.company_id = ${p.companyId} and e.event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded simulation events with the given ids, by id. */
export async function findCorrectableEvents(
  tenant: TenantWriter,
  eventIds: string[],
): Promise<Map<string, CorrectableEvent>> {
  const rows = await tenant.queryAll(correctableEvents, { eventIds });
  return new Map(rows.map((event) => [event.eventId, event]));
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
  assignedAts: (string | null)[];
}

const insert = mutation<Columns, { id: string }>(
  'correction_insert',
  (p) => sql`
    insert into corrections (company_id, id, kind, event_id, learner_id, action, replacement_event_id, reason, attempt_id,
                             assigned_at)
    select ${p.companyId}, new.*
      from unnest(${p.ids}::uuid[], ${p.kinds}::text[], ${p.eventIds}::text[], ${p.learnerIds}::uuid[],
                  ${p.actions}::text[], ${p.replacementEventIds}::text[], ${p.reasons}::text[],
                  ${p.attemptIds}::uuid[], ${p.assignedAts}::timestamptz[]) as new
    returning id`,
  {
    kinds: ['course_result', 'course_result'],
    actions: ['void', 'restore'],
    replacementEventIds: [null, null],
    attemptIds: [null, null],
    assignedAts: [null, null],
  },
);

/** Stores corrections of records. */
export async function insertCorrections(
  tenant: TenantWriter,
  corrections: readonly (MadeCorrection & { id: string })[],
): Promise<void> {
  await tenant.mutate(insert, {
    ids: corrections.map(({ id }) => id),
    kinds: corrections.map(({ kind }) => kind),
    eventIds: corrections.map(({ eventId }) => eventId),
    learnerIds: corrections.map(({ learnerId }) => learnerId),
    actions: corrections.map(({ action }) => action),
    replacementEventIds: corrections.map(({ replacementEventId }) => replacementEventId),
    reasons: corrections.map(({ reason }) => reason),
    attemptIds: corrections.map(({ attemptId }) => attemptId),
    assignedAts: corrections.map(({ assignedAt }) => assignedAt),
  });
}

const CORRECTION = sql`
  c.id, c.kind, c.event_id as "eventId", c.learner_id as "learnerId", c.action,
  c.replacement_event_id as "replacementEventId", c.reason, c.corrected_at as "correctedAt"`;

const list = pagedQuery<{ kind: Kind | null }, Schemas['Correction']>(
  'corrections',
  { id: 'uuid desc' },
  (p) => sql`
    select ${CORRECTION} from corrections c
     where c.company_id = ${p.companyId} and (${p.kind}::text is null or c.kind = ${p.kind}::text)`,
  { kind: null },
);

const listOfLearner = pagedQuery<{ learnerId: string; kind: Kind | null }, Schemas['Correction']>(
  'corrections_of_learner',
  { id: 'uuid desc' },
  (p) => sql`
    select ${CORRECTION} from corrections c
     where c.company_id = ${p.companyId} and c.learner_id = ${p.learnerId}
       and (${p.kind}::text is null or c.kind = ${p.kind}::text)`,
  { kind: null },
);

type Kind = Schemas['RecordKind'];

interface CorrectionFilter {
  learnerId?: string;
  kind?: Kind | null;
}

/** Lists corrections, newest first. */
export function listCorrections(tenant: TenantReader, { learnerId, kind = null }: CorrectionFilter) {
  return learnerId === undefined ? tenant.stream(list, { kind }) : tenant.stream(listOfLearner, { learnerId, kind });
}
