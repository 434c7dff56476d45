import type { Language } from '../../../contract/languages.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { localName } from '../course-names.ts';
import type { Pair } from '../results/result-event-rules.ts';
import * as repository from './scorm-runtime-repository.ts';
import { isNewStart, mayOpen, mayReview, parseReportedState } from './scorm-runtime-rules.ts';
import * as runtime from './scorm-runtime.ts';

type Window = Pair & { tokenHash: Buffer };

/** Returns the package of a course as the learner sees it; null if the course has no package. */
export async function getOwnPackage({ language, ...pair }: Pair & { language: Language }, tenant: TenantReader) {
  const runtimeState = await repository.findRuntime(tenant, pair);
  if (!runtimeState) return null;
  const { attemptId, finishDate, passed, score, passMark } = runtimeState;
  return {
    ...{ attemptId, finishDate, passed, score, passMark, name: localName(runtimeState, language) },
    isNewStart: isNewStart(runtimeState),
    mayOpen: mayOpen(runtimeState),
    mayReview: mayReview(runtimeState),
  };
}

/**
 * Returns the package that is open in a window, until the attempt is finished; null if another window has opened it.
 * `sco` has the manifest's runtime data (`launchData`, `masteryScore`, `objectives`, …); null for a package without
 * items.
 */
export async function getOpenPackage({ language, ...pair }: Window & { language: Language }, tenant: TenantReader) {
  const openWindow = await repository.findWindow(tenant, pair, pair.tokenHash);
  if (!openWindow) return null;
  const { items, ...window } = openWindow;
  const sco = items.find(({ isPlayed }) => isPlayed) ?? null;
  return { ...window, sco, name: localName(openWindow, language) };
}

/** Opens a package and begins an attempt. @returns false if the learner cannot open it */
export function beginPackage(
  { tokenHash, sessionHash, ...pair }: Window & { sessionHash: Buffer | null },
  tenant: TenantWriter,
): Promise<boolean> {
  return runtime.openPackage(tenant, pair, { tokenHash, sessionHash });
}

/** Opens a package to continue an attempt. @returns false if the learner cannot open it */
export const resumePackage = beginPackage;

/** Opens the package of a finished attempt for review. @returns false if the learner has no such attempt */
export function reviewPackage(
  { tokenHash, sessionHash, ...pair }: Window & { sessionHash: Buffer | null },
  tenant: TenantWriter,
): Promise<boolean> {
  return runtime.reviewPackage(tenant, pair, { tokenHash, sessionHash });
}

/** Stores the state that a window reports. @param sentState unvalidated state from the window */
export async function keepPackageState(
  { tokenHash, sentState, ...pair }: Window & { sentState: unknown },
  tenant: TenantWriter,
): Promise<runtime.Stored> {
  return runtime.storeReportedState(tenant, pair, tokenHash, parseReportedState(sentState));
}

export function finishPackage({ tokenHash, ...pair }: Window, tenant: TenantWriter): Promise<void> {
  return runtime.finishPackage(tenant, pair, tokenHash);
}
