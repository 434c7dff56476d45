import type { Caller } from '../../../../auth/caller.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { canCall } from '../../admin.ts';
import { type ConsoleRuns, MAX_ITEMS } from '../../console-runs.ts';
import { timelineMessages } from '../timeline-messages.ts';
import type { CorrectionAction } from './corrections-messages.ts';

export type RecordKind = Schemas['RecordKind'];

/** A record of a person that can be corrected. */
export interface PersonRecord {
  kind: RecordKind;
  eventId: string;
  text: string;
  at: string;
  isVoided: boolean;
  /** The values of the record, for the form that replaces it. */
  values: Readonly<Record<string, string>>;
  /** Whether the signature was given on paper. */
  isOffline?: boolean;
}

/** Returns the actions that a record permits. */
export function listCorrections({ kind, isVoided }: Pick<PersonRecord, 'kind' | 'isVoided'>): CorrectionAction[] {
  if (isVoided) return ['restore'];
  return kind === 'course_result' || kind === 'policy_signature' ? ['void', 'replace'] : ['void'];
}

interface Reading {
  runs: ConsoleRuns;
  caller: Caller;
  learnerId: string;
  language: Language;
}

/** Reads the records of a person that can be corrected, newest first. */
export async function readPersonRecordList(reading: Reading): Promise<PersonRecord[]> {
  const parts = await Promise.all([readResults(reading), readSignatures(reading), readInteractions(reading)]);
  return parts.flat().toSorted((a, b) => b.at.localeCompare(a.at));
}

const toDay = (time: string | null) => time?.slice(0, 10) ?? '';

async function readResults({ runs, caller, learnerId, language }: Reading): Promise<PersonRecord[]> {
  if (!canCall(caller, 'listRecordedCourseResults') || !caller.modules.includes('smlearn')) return [];
  const { courses, aCourse } = timelineMessages[language];
  const names = new Map<string, string>();
  for await (const { id, name } of runs.items('listCourses', caller, { includeRetired: true })) names.set(id, name);
  const records: PersonRecord[] = [];
  for await (const result of runs.items('listRecordedCourseResults', caller, { learnerId, includeVoided: true })) {
    const { eventId, courseId, startedAt, finishedAt, score, voidedAt } = result;
    const name = names.get(courseId) ?? aCourse;
    records.push({
      ...{ kind: 'course_result', eventId, at: finishedAt ?? startedAt ?? '', isVoided: voidedAt !== null },
      text: finishedAt === null ? courses.started(name) : courses.finished(name, score, null),
      values: {
        startedOn: toDay(startedAt),
        finishedOn: toDay(finishedAt),
        score: score === null ? '' : String(score),
      },
    });
    if (records.length === MAX_ITEMS) break;
  }
  return records;
}

async function readSignatures({ runs, caller, learnerId, language }: Reading): Promise<PersonRecord[]> {
  if (!canCall(caller, 'listLearnerPolicyResults') || !caller.modules.includes('smpolicy')) return [];
  const { policies } = timelineMessages[language];
  const records: PersonRecord[] = [];
  const input = { learnerId, includeSignatures: true, includeVoided: true };
  for await (const { signatures } of runs.items('listLearnerPolicyResults', caller, input)) {
    for (const one of signatures ?? []) {
      if (one.eventId === null || records.length === MAX_ITEMS) continue;
      records.push({
        ...{ kind: 'policy_signature', eventId: one.eventId, at: one.signed, isVoided: one.voidedAt !== null },
        text: policies.signed(one.policyName, `${one.majorVersion}.${one.minorVersion}`),
        values: { signedOn: toDay(one.signed), note: one.note ?? '' },
        isOffline: one.signedOffline,
      });
    }
  }
  return records;
}

async function readInteractions({ runs, caller, learnerId, language }: Reading): Promise<PersonRecord[]> {
  if (!canCall(caller, 'listLearnerSimulationResults') || !caller.modules.includes('smphish')) return [];
  const { milestones, interaction } = timelineMessages[language].simulations;
  const records: PersonRecord[] = [];
  const input = { learnerId, includeInteractions: true };
  for await (const { simulation, interactions } of runs.items('listLearnerSimulationResults', caller, input)) {
    for (const { type, eventId, occurredAt, voidedAt } of interactions ?? []) {
      if (records.length === MAX_ITEMS) continue;
      records.push({
        kind: eventId.startsWith('reported-') ? 'reported_message' : 'simulation_event',
        ...{ eventId, at: occurredAt, isVoided: voidedAt !== null, values: {} },
        text: interaction(simulation.name, (milestones as Record<string, string>)[type] ?? type, undefined),
      });
    }
  }
  return records;
}
