import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../../generated/api-types.ts';
import { ApiError, invalidField } from '../../errors.ts';
import type { Judge } from '../learners/learner-pairs.ts';

/** What a version of a document says. Policies and templates have different fields, but all have a file. */
export interface Content {
  pdfFile: string | null;
}

/** A document with its live content and the draft beside it. */
export interface Versioned<C extends Content> {
  isLive: boolean;
  /** The live content; before the first publication, that of the last draft, whose file goes when it is discarded. */
  content: C;
  draft: C | null;
}

/** What becomes of a document: its draft is replaced, it gets a new live version, or nothing happens. */
export type Decision<C extends Content> =
  | { step: 'save_draft'; content: C }
  | { step: 'publish'; content: C }
  | { step: 'discard'; keepsFile: boolean }
  | { step: 'nothing' };

/**
 * What a change does. `draft` goes into the draft, begun from the live content where there is none, and without a field
 * leaves the content alone; `live` publishes the open draft and the change together.
 * @param changes the fields that are given
 * @throws invalid_request for a document without a file that is given none
 */
export function decideChange<C extends Content>(
  { isLive, content, draft }: Versioned<C>,
  changes: Partial<C>,
  action: 'draft' | 'live',
): Decision<C> {
  if (action === 'draft' && Object.keys(changes).length === 0) return { step: 'nothing' };
  const next = { ...(draft ?? content), ...changes };
  if (next.pdfFile === null) throw invalidField('body/pdfFile', 'is required: there is no content yet');
  if (action === 'draft') return { step: 'save_draft', content: next };
  if (isLive && draft === null && isDeepStrictEqual(next, content)) return { step: 'nothing' };
  return { step: 'publish', content: next };
}

/** @throws no_draft */
export function decidePublication<C extends Content>({ draft }: Versioned<C>): Decision<C> & { step: 'publish' } {
  if (!draft) throw noDraft();
  return { step: 'publish', content: draft };
}

/** The live version stays; what was never published is left without a file. @throws no_draft */
export function decideDiscard<C extends Content>({ isLive, draft }: Versioned<C>): Decision<C> & { step: 'discard' } {
  if (!draft) throw noDraft();
  return { step: 'discard', keepsFile: isLive };
}

function noDraft(): ApiError {
  return new ApiError('no_draft', 'There is no draft.');
}

export interface VersionNumber {
  major: number;
  minor: number;
}

/** The number of the next version: that of the creation for the first, then a minor or a major step. */
export function nextVersion(current: VersionNumber, isFirst: boolean, isMajor: boolean): VersionNumber {
  if (isFirst) return current;
  return isMajor ? { major: current.major + 1, minor: 0 } : { major: current.major, minor: current.minor + 1 };
}

export type PolicyFailureCode = components['schemas']['PolicyFailureCode'];

export const policyFailureMessages: Record<PolicyFailureCode, string> = {
  learner_not_found: 'There is no such learner.',
  policy_not_found: 'There is no such policy.',
  learner_inactive: 'The learner is inactive.',
  policy_not_live: 'The policy has no live version.',
  not_assigned: 'The policy is not assigned to the learner.',
  already_signed: 'The learner has signed the policy.',
};

/** What is known of the learners and policies of a call. */
export interface PolicyFacts {
  /** Of each learner that the company has, whether they are inactive. */
  inactive: ReadonlyMap<string, boolean>;
  /** Of each policy that the company has, whether it is live. */
  live: ReadonlyMap<string, boolean>;
}

/** Of each learner, the policies among those asked for that are assigned: to be signed, or signed in force. */
export type Assignments = ReadonlyMap<string, { open: ReadonlySet<string>; signed: ReadonlySet<string> }>;

function unknown({ inactive, live }: PolicyFacts, learnerId: string, policyId: string): PolicyFailureCode | undefined {
  if (!inactive.has(learnerId)) return 'learner_not_found';
  return live.has(policyId) ? undefined : 'policy_not_found';
}

/** Every pair of an active learner and a live policy is assigned, unless it was before. */
export function judgeAssignment(facts: PolicyFacts): Judge<PolicyFailureCode> {
  return (learnerId, policyId) => {
    const failure = unknown(facts, learnerId, policyId);
    if (failure) return failure;
    if (facts.inactive.get(learnerId)) return 'learner_inactive';
    return facts.live.get(policyId) ? undefined : 'policy_not_live';
  };
}

/** Who is reminded has a signature to give, now or within the last hour. */
export function judgeReminder(facts: PolicyFacts, assignments: Assignments): Judge<PolicyFailureCode> {
  const judgeFirst = judgeAssignment(facts);
  return (learnerId, policyId) => {
    const failure = judgeFirst(learnerId, policyId);
    const assigned = assignments.get(learnerId);
    if (failure || assigned?.open.has(policyId)) return failure;
    return assigned?.signed.has(policyId) ? 'already_signed' : 'not_assigned';
  };
}

export function judgeRemoval(
  facts: PolicyFacts,
  removed: ReadonlyMap<string, ReadonlySet<string>>,
): Judge<PolicyFailureCode> {
  return (learnerId, policyId) =>
    unknown(facts, learnerId, policyId) ?? (removed.get(learnerId)?.has(policyId) ? undefined : 'not_assigned');
}
