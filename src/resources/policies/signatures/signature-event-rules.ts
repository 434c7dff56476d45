import type { Schemas } from '../../../contract/contract.ts';
import { isPast } from '../../learners/shared/fact-times.ts';
import { partitionNewRecords } from '../../learners/shared/dedupe-records.ts';

type Input = Schemas['PolicySignatureInput'];
type FailureCode =
  | 'learner_not_found'
  | 'policy_not_found'
  | 'version_not_found'
  | 'not_published_then'
  | 'event_id_reused'
  | 'time_not_plausible';

const MESSAGES: Record<FailureCode, string> = {
  learner_not_found: 'Learner not found.',
  policy_not_found: 'Policy not found.',
  version_not_found: 'Policy version not found.',
  not_published_then: 'The policy or its version was not yet published at that time.',
  event_id_reused: 'Another signature already has this `eventId`; use a new one.',
  time_not_plausible: 'The time must not be in the future or more than ten years ago.',
};

/** A signature of an existing learner on an existing version. Times are in ISO 8601 and UTC. */
export interface SignatureEvent {
  eventId: string;
  learnerId: string;
  policyId: string;
  versionId: string;
  signed: string;
  offline: boolean;
  note: string | null;
}

export interface PublishedVersion {
  id: string;
  publishedAt: string;
}

/** Data that decides whether signatures are recorded. */
export interface SignatureFacts {
  now: Date;
  findLearnerId: (key: Schemas['LearnerKey']) => string | undefined;
  /** Versions of each policy that the company has. */
  versionsByPolicy: ReadonlyMap<string, readonly PublishedVersion[]>;
  /** Recorded signatures with the ids that the call names, by id. */
  recorded: ReadonlyMap<string, SignatureEvent>;
}

/** Returns the signatures to record, and the outcome of each input. */
export function judgeSignatures(
  inputs: readonly Input[],
  { now, findLearnerId, versionsByPolicy, recorded }: SignatureFacts,
): { added: SignatureEvent[]; outcome: Schemas['RecordedPolicySignatures'] } {
  return partitionNewRecords<Input, SignatureEvent, FailureCode>(inputs, { recorded, identify, messages: MESSAGES });

  function identify(input: Input, recordedEvent: SignatureEvent | undefined): SignatureEvent | FailureCode {
    const { learner, policyId, versionId, signedAt, offline, note, eventId } = input;
    const learnerId = findLearnerId(learner);
    if (learnerId === undefined) return 'learner_not_found';
    const versions = versionsByPolicy.get(policyId);
    if (!versions) return 'policy_not_found';
    const at = new Date(signedAt);
    if (!isPast(at, now)) return 'time_not_plausible';
    const event = { eventId, learnerId, policyId, signed: at.toISOString(), offline, note: note ?? null };
    // If the input names no version, the version that was recorded first is kept.
    if (recordedEvent)
      return areSameSignatures({ ...event, versionId: versionId ?? recordedEvent.versionId }, recordedEvent)
        ? recordedEvent
        : 'event_id_reused';
    const version = versionSigned(versions, versionId, event.signed);
    return typeof version === 'string' ? version : { ...event, versionId: version.id };
  }
}

/** Returns the signed version: the given version, or the newest version at the time of the signature. */
function versionSigned(
  versions: readonly PublishedVersion[],
  versionId: string | undefined,
  signed: string,
): PublishedVersion | 'version_not_found' | 'not_published_then' {
  const named = versionId === undefined ? versions : versions.filter(({ id }) => id === versionId);
  if (versionId !== undefined && named.length === 0) return 'version_not_found';
  const published = named.filter(({ publishedAt }) => publishedAt <= signed);
  return published.toSorted((a, b) => compare(getSortKey(a), getSortKey(b))).at(-1) ?? 'not_published_then';
}

function getSortKey({ publishedAt, id }: PublishedVersion): string {
  return publishedAt + id;
}

/** Reports whether two signatures have the same content, apart from their ids. */
export function areSameSignatures(a: SignatureEvent, b: SignatureEvent): boolean {
  const serializeContent = ({ learnerId, policyId, versionId, signed, offline, note }: SignatureEvent) =>
    JSON.stringify([learnerId, policyId, versionId, signed, offline, note]);
  return serializeContent(a) === serializeContent(b);
}

/** Converts the replacement of a signature to a signature of the same learner and policy, or returns the failure. */
export function readReplacement(
  input: Schemas['ReplacementInput'],
  { learnerId, policyId }: ResultKey,
  { now, versionsByPolicy }: Pick<SignatureFacts, 'now' | 'versionsByPolicy'>,
): SignatureEvent | 'replacement_inconsistent' | 'time_not_plausible' | 'version_not_found' | 'not_published_then' {
  const { eventId, signedAt, versionId, offline, note = null } = input;
  if (signedAt === undefined || offline === undefined) return 'replacement_inconsistent';
  const at = new Date(signedAt);
  if (!isPast(at, now)) return 'time_not_plausible';
  const signed = at.toISOString();
  const version = versionSigned(versionsByPolicy.get(policyId) ?? [], versionId, signed);
  return typeof version === 'string'
    ? version
    : { eventId, learnerId, policyId, versionId: version.id, signed, offline, note };
}

export interface ResultKey {
  learnerId: string;
  policyId: string;
}

export function formatResultKey({ learnerId, policyId }: ResultKey): string {
  return learnerId + policyId;
}

/**
 * Returns the latest signature of each learner on each policy. If two signatures have the same time, the one on the
 * later version wins; if the version is also the same, the one that is not offline wins. The trigger on
 * `policy_results` uses the same order.
 */
export function latestSignatures(signatures: readonly SignatureEvent[]): SignatureEvent[] {
  const latest = new Map<string, SignatureEvent>();
  for (const signature of signatures) {
    const pair = formatResultKey(signature);
    const other = latest.get(pair);
    if (!other || compare(getRank(signature), getRank(other)) > 0) latest.set(pair, signature);
  }
  return [...latest.values()];
}

function getRank({ signed, versionId, offline }: SignatureEvent): string {
  return `${signed} ${versionId} ${offline ? 0 : 1}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
