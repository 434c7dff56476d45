import { v7 as uuidv7 } from 'uuid';
import type { TenantWriter } from '../../../db/tenant.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import { findCoursesByKeys } from '../course-keys.ts';
import { recordResults } from '../results/course-results.ts';
import {
  findRuntime,
  findWindow,
  followAttempt,
  keepState,
  lockEnrollment,
  saveRuntime,
  type ScormRuntimeWindow,
} from './scorm-runtime-repository.ts';
import { compareReports, type LastReport, mergeReport, readCourseResult, withLastReport } from './package-state.ts';
import {
  isImprovement,
  isNewStart,
  MAX_NUMBER,
  mayOpen,
  mayReview,
  NO_STATE,
  type ReportedState,
} from './scorm-runtime-rules.ts';
import type { Pair } from '../results/result-event-rules.ts';

/**
 * Opens the package of a course in a window, and begins an attempt unless one is in progress. If another window has the
 * package open, its next report gets `stale`.
 * @returns false if the learner cannot open the package
 */
export function openPackage(
  tenant: TenantWriter,
  pair: Pair,
  window: { tokenHash: Buffer; sessionHash: Buffer | null },
): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    await lockAll(tx, pair);
    const before = await findRuntime(tx, pair);
    if (!before || !mayOpen(before)) return false;
    const begunAt = new Date().toISOString();
    if (isNewStart(before)) {
      await recordResults(tx, [{ ...toPairKeys(pair), eventId: `begun-${uuidv7()}`, startedAt: begunAt }]);
    }
    const now = await findRuntime(tx, pair);
    if (!now || now.attemptId === null || now.finishDate !== null) return false;
    const opened = { ...pair, attemptId: now.attemptId, packageId: now.packageId, ...window };
    await saveRuntime(tx, { ...opened, begunAt: now.begunAt ?? begunAt }, now.state ?? NO_STATE);
    return true;
  });
}

/**
 * Opens the package of a finished attempt for review. The window stores nothing, and its reports get `stale`, unless
 * the package has suspended the attempt, which then continues.
 * @returns false if the attempt is not finished, or is failed
 */
export function reviewPackage(
  tenant: TenantWriter,
  pair: Pair,
  window: { tokenHash: Buffer; sessionHash: Buffer | null },
): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    await lockEnrollment(tx, pair);
    const runtime = await findRuntime(tx, pair);
    if (!runtime || !mayReview(runtime)) return false;
    const { attemptId, packageId, begunAt, finishDate, state } = runtime;
    const opened = { ...pair, ...window, attemptId: attemptId!, packageId, begunAt: begunAt ?? finishDate! };
    await saveRuntime(tx, opened, state ?? NO_STATE);
    return true;
  });
}

/**
 * Outcome of a report: `stale` if another window or page has taken over, or if the attempt is over; `ended` if the
 * package has ended with a result.
 */
export type Stored = 'kept' | 'ended' | 'stale';

/**
 * Stores the state that a window reports. Reports from other windows, or after the finish, change nothing. A report
 * that arrives after a newer report from the same item and page changes nothing either. The newest report can be
 * repeated. If two pages of the window show the same item, only the page that was opened last can report.
 */
export function storeReportedState(
  tenant: TenantWriter,
  pair: Pair,
  tokenHash: Buffer,
  reported: ReportedState,
): Promise<Stored> {
  return tenant.transaction(async (tx) => {
    await lockEnrollment(tx, pair);
    const openWindow = await findWindow(tx, pair, tokenHash);
    // A window stores no more reports once it has improved a result.
    if (!openWindow?.isOpen || openWindow.reportNumber === MAX_NUMBER) return 'stale';
    const { items, passMark, reportNumber } = openWindow;
    const { item } = reported;
    const last = getLastReport(openWindow, reported);
    const report = { number: reported.number ?? last.number, pageTime: reported.pageTime };
    const order = compareReports(last, report);
    if (order !== 'newer') return order === 'stale' ? 'stale' : 'kept';
    const { number } = report;
    const state = withLastReport(mergeReport(items, openWindow.state, item, reported.state, NO_STATE), item, report);
    await keepState(tx, pair, tokenHash, state, Math.max(number, reportNumber));
    return reported.isEnded && readCourseResult(items, state, passMark) ? 'ended' : 'kept';
  });
}

/**
 * Records the result of a package that has ended, as `POST /course-results` would. If the package has suspended the
 * attempt after its result, the attempt continues in later windows, and a better result is recorded as another attempt,
 * at most once per window. The best result counts until the learner begins again.
 */
export function finishPackage(tenant: TenantWriter, pair: Pair, tokenHash: Buffer): Promise<void> {
  return tenant.transaction(async (tx) => {
    await lockAll(tx, pair);
    const openWindow = await findWindow(tx, pair, tokenHash);
    const result = openWindow?.isOpen
      ? readCourseResult(openWindow.items, openWindow.state, openWindow.passMark)
      : undefined;
    if (!openWindow || !result) return;
    const { attemptId, begunAt, isFinished, passMark } = openWindow;
    if (isFinished && !isImprovement(result, openWindow, passMark)) return;
    // Clocks of different processes can differ, but the finish must be after the start.
    const finishedAt = new Date(Math.max(Date.now(), Date.parse(begunAt) + 1)).toISOString();
    const eventId = `${isFinished ? 'improved' : 'finished'}-${attemptId}`;
    await recordResults(tx, [{ ...toPairKeys(pair), eventId, finishedAt, ...result }]);
    if (isFinished) await followAttempt(tx, pair, tokenHash);
  });
}

/** Returns the report to compare a new report with. Reports that name no item are numbered by window. */
function getLastReport({ state, reportNumber }: ScormRuntimeWindow, { item, pageTime }: ReportedState): LastReport {
  return item === undefined
    ? { number: reportNumber, pageTime }
    : (state.lastReports?.[item] ?? { number: 0, pageTime });
}

/** Acquires the locks in the order in which recording results acquires them: course, learner, enrolment. */
async function lockAll(tx: TenantWriter, pair: Pair): Promise<void> {
  await findCoursesByKeys(tx, [{ id: pair.courseId }]);
  await lockLearnerStates(tx, [pair.learnerId]);
  await lockEnrollment(tx, pair);
}

function toPairKeys({ learnerId, courseId }: Pair) {
  return { learner: { id: learnerId }, course: { id: courseId } };
}
