// Campaigns: which learners must finish or sign which items, by when.
//
// A campaign declares an audience, items and a due date. Items are courses, policies, and templates of simulations (see
// simulations/begin-simulations.ts); the rest of this comment is about courses and policies. Callers store only this
// declaration: the worker compares the campaigns with the learners, and writes the difference as assignments. Repeating
// an evaluation changes nothing.
//
// A statement compares thousands of learners with the campaign, without locks, and finds those for whom something
// changes (learners-to-evaluate.ts). On most days, these are few; in the first evaluation, they are all learners. Up to
// 500 of them are evaluated in one transaction:
//
// 1. Lock the courses and policies, then the learners.
// 2. Assign the items that learners in the audience lack: for the first time, in the next round, or after a return to
//    the audience. Correct the condition and the due time of open assignments, if the audience or a time zone has
//    changed.
// 3. End open assignments that the campaign no longer requires.
// 4. Complete the assignments whose course was finished or whose policy was signed, even before the assignment, if that
//    still counts. Triggers of results and signatures do the same when a learner finishes or signs later, and open the
//    assignment again when a correction voids the result (migration create_campaign_triggers).
// 5. Move the due dates of learners on leave (migration add_leave). A trigger does the same when the leave changes.
// 6. Remove the enrolments and signature requests that ended assignments had caused. Enrol learners, and request
//    signatures, where an open assignment still lacks this.
// 7. Plan the messages about the assignments (messages/send-due-messages.ts).
//
// When campaigns are evaluated:
//
// - A campaign that starts, is changed or ends: at once, for all learners of the company.
// - Each running campaign: when the company's day begins, for all learners. New rounds begin then.
// - A learner with a change that can affect an audience: within a second, for all running campaigns. Triggers record
//   such learners in campaign_changes.
//
// Then the worker marks assignments that are due soon or overdue. Each mark causes an event.
//
// Guarantees: two workers can evaluate the same learners, and a worker can die at any point. Assignments are unique by
// campaign, learner, item and round. A claim of two minutes keeps two workers from evaluating a whole company at the
// same time; each transaction extends it and stores its position, from which another worker can continue. A change to
// the campaign cancels the claim, and the evaluation starts again. A learner who changes between the comparison and the
// transaction is evaluated with the recorded changes.
import type { TenantWriter } from '../../db/tenant.ts';
import { enrollments } from '../courses/course-enrollments.ts';
import { findCourses } from '../courses/course-keys.ts';
import { lockLearnerStates } from '../learners/shared/learner-locks.ts';
import { planDigests } from './messages/digest-repository.ts';
import { planMessages } from './messages/message-repository.ts';
import { askQuietly } from '../policies/assignment-repository.ts';
import { assignments } from '../policies/policy-assignments.ts';
import { lockPolicies } from '../policies/policy-repository.ts';
import { beginSimulations, type SimulationServices } from './simulations/begin-simulations.ts';
import { endAssignments, toEnd } from './ending-repository.ts';
import * as repository from './evaluation-repository.ts';
import type { Claim, Evaluated, ItemGroup } from './evaluation-repository.ts';
import { learnersToEvaluate } from './learners-to-evaluate.ts';

/**
 * Number of pairs of a learner and an item that one statement compares with a campaign: at most about a second of work,
 * so that the statement stays far below its timeout.
 */
const PAIRS_TO_A_COMPARISON = 5000;
/** Maximum number of learners that one transaction evaluates and locks. */
const LEARNERS_TO_A_PAGE = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

export interface Evaluation extends SimulationServices {
  /** Does not begin another page once the signal is aborted. */
  signal: AbortSignal;
  at?: Date;
}

/** Evaluates the campaigns of a company that are due. */
export async function evaluateCampaigns(
  tenant: TenantWriter,
  { signal, at = new Date(), ...services }: Evaluation,
): Promise<void> {
  await tenant.mutate(repository.startDue, {});
  while (!signal.aborted) {
    const [claim] = await tenant.mutate(repository.claimDue, {});
    if (!claim) break;
    await evaluateClaimed(tenant, claim, { signal, at, ...services });
  }
  while (!signal.aborted && (await evaluateChanges(tenant)) === LEARNERS_TO_A_PAGE);
  const limit = LEARNERS_TO_A_PAGE;
  while (!signal.aborted && (await tenant.mutate(repository.markDue, { limit })).length > 0);
}

/**
 * Evaluates a campaign, unless it is changed in the meantime. An error while starting simulations does not prevent
 * assignments.
 */
async function evaluateClaimed(
  tenant: TenantWriter,
  first: Claim,
  { at, ...evaluation }: Evaluation & { at: Date },
): Promise<void> {
  const evaluated = await evaluateAll(tenant, first, evaluation.signal);
  const claim = evaluated && (await beginSimulations(tenant, evaluated, evaluation));
  if (claim) await endClaim(tenant, claim, at);
}

/**
 * Evaluates a campaign for all learners, starting at the claim's position. Returns the claim; undefined if it was lost
 * or the signal was aborted. Does nothing for a campaign without courses and policies.
 */
async function evaluateAll(tenant: TenantWriter, first: Claim, signal: AbortSignal): Promise<Claim | undefined> {
  if (first.items === 0) return first;
  for (let claim: Claim | undefined = first; claim && !signal.aborted;) {
    const limit = Math.ceil(PAIRS_TO_A_COMPARISON / claim.items);
    const page = { afterId: claim.afterId ?? BEFORE_ALL_IDS, limit };
    const learnerIds = (await tenant.queryAll(repository.learnerPage, page)).map(({ id }) => id);
    if (learnerIds.length === 0) return claim;
    claim = await comparePage(tenant, { claim, learnerIds, signal });
  }
  return undefined;
}

/**
 * Evaluates those learners of a page for whom something changes. Returns the claim with its new position; undefined if
 * the claim was lost.
 */
async function comparePage(
  tenant: TenantWriter,
  { claim: first, learnerIds, signal }: { claim: Claim; learnerIds: string[]; signal: AbortSignal },
): Promise<Claim | undefined> {
  const campaignIds = [first.campaignId];
  const changed = first.isFirst
    ? learnerIds
    : (await tenant.queryAll(learnersToEvaluate, { learnerIds, campaignIds })).map(({ id }) => id);
  let claim: Claim | undefined = first;
  for (let start = 0; claim && start < changed.length && !signal.aborted; start += LEARNERS_TO_A_PAGE) {
    claim = await evaluatePart(tenant, claim, changed.slice(start, start + LEARNERS_TO_A_PAGE));
  }
  if (!claim || signal.aborted || claim.afterId === learnerIds.at(-1)) return claim;
  return extendClaim(tenant, { ...claim, afterId: learnerIds.at(-1)! });
}

/** Evaluates learners in a transaction that moves the claim's position to the last of them. */
function evaluatePart(tenant: TenantWriter, claim: Claim, learnerIds: string[]): Promise<Claim | undefined> {
  return tenant.transaction(async (tx) => {
    const extended = await extendClaim(tx, { ...claim, afterId: learnerIds.at(-1)! });
    if (extended) await evaluatePage(tx, { learnerIds, campaignIds: [claim.campaignId] });
    return extended;
  });
}

async function extendClaim(tenant: TenantWriter, claim: Claim): Promise<Claim | undefined> {
  const [kept] = await tenant.mutate(repository.extendClaim, claim);
  return kept && { ...claim, ...kept };
}

function endClaim(tenant: TenantWriter, claim: Claim, at: Date): Promise<void> {
  return tenant.transaction(async (tx) => {
    await tx.mutate(repository.endClaim, claim);
    await tx.mutate(planDigests, { at });
  });
}

/** Evaluates learners who have changed. Returns the number of changes. */
function evaluateChanges(tenant: TenantWriter): Promise<number> {
  return tenant.transaction(async (tx) => {
    const changes = await tx.mutate(repository.takeChanges, { limit: LEARNERS_TO_A_PAGE });
    const learnerIds = [...new Set(changes.map(({ learnerId }) => learnerId))].toSorted();
    const campaignIds = (await tx.queryAll(repository.runningIds, {})).map(({ id }) => id);
    if (learnerIds.length > 0 && campaignIds.length > 0) await evaluatePage(tx, { learnerIds, campaignIds });
    return changes.length;
  });
}

async function evaluatePage(tx: TenantWriter, page: Evaluated): Promise<void> {
  const { learnerIds } = page;
  const { courseIds, policyIds } = (await tx.queryAll(repository.itemsOfCampaigns, page))[0]!;
  await findCourses(tx, courseIds);
  await lockPolicies(tx, policyIds);
  await lockLearnerStates(tx, learnerIds);
  const assigned = (await tx.queryAll(repository.assignedLearners, page)).map(({ id }) => id);
  await tx.mutate(repository.assignItems, page);
  const ended = assigned.length > 0 ? await correctAssignments(tx, { ...page, learnerIds: assigned }) : [];
  await tx.mutate(repository.completeAssignments, page);
  await tx.mutate(repository.moveDueDates, page);
  await takeBackEnrolments(tx, ended);
  const groups = await tx.queryAll(repository.toEnrol, page);
  for (const group of groups) await enrol(tx, group);
  await tx.mutate(planMessages, { learnerIds, enrolledIds: groups.flatMap(({ assignmentIds }) => assignmentIds) });
}

/**
 * Corrects or ends the assignments of learners who had open ones before the evaluation. Returns the ids of the
 * assignments that were ended.
 */
async function correctAssignments(tx: TenantWriter, page: Evaluated): Promise<string[]> {
  await tx.mutate(repository.refreshAssignments, page);
  const ending = await tx.queryAll(toEnd, page);
  const ended = ending.map(({ id }) => id);
  const reasons = ending.map(({ because }) => because);
  if (ended.length > 0) await tx.mutate(endAssignments, { assignmentIds: ended, reasons });
  return ended;
}

/** Enrols learners in a course, or requests their signatures on a policy. */
async function enrol(tx: TenantWriter, { itemId, isCourse, learnerIds }: ItemGroup): Promise<void> {
  const pairs = { learnerIds: [...new Set(learnerIds)], targetIds: [itemId] };
  if (isCourse) return enrollments.assign(tx, pairs);
  await askQuietly(tx, { policyId: itemId, learnerIds: pairs.learnerIds });
  await assignments.assign(tx, pairs);
}

/**
 * Removes the enrolments and signature requests that ended or waived assignments had caused. The caller has locked
 * their learners.
 */
export async function takeBackEnrolments(tx: TenantWriter, assignmentIds: string[]): Promise<void> {
  if (assignmentIds.length === 0) return;
  for (const group of await tx.queryAll(repository.toUndo, { assignmentIds })) await undo(tx, group);
}

async function undo(tx: TenantWriter, { itemId, isCourse, learnerIds }: ItemGroup): Promise<void> {
  const pairs = { learnerIds: [...new Set(learnerIds)], targetIds: [itemId] };
  await (isCourse ? enrollments : assignments).takeBack(tx, pairs);
  await tx.mutate(repository.setNotEnrolled, { itemId, learnerIds });
}
