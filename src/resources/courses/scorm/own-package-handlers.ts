import type { Language } from '../../../contract/languages.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { localName } from '../course-names.ts';
import type { Pair } from '../results/result-event-rules.ts';
import * as repository from './scorm-runtime-repository.ts';
import { isNewStart, mayOpen, readTold } from './scorm-runtime-rules.ts';
import * as runtime from './scorm-runtime.ts';

type Window = Pair & { tokenHash: Buffer };

/** The package of a course, as its learner sees it; null for a course without one. */
export async function getOwnPackage({ language, ...pair }: Pair & { language: Language }, tenant: TenantReader) {
  const found = await repository.findPlay(tenant, pair);
  if (!found) return null;
  const { attemptId, finishDate, passed, score, passMark } = found;
  return {
    ...{ attemptId, finishDate, passed, score, passMark, name: localName(found, language) },
    isNewStart: isNewStart(found),
    mayOpen: mayOpen(found),
  };
}

/** What a window has open; null when another one has it, or its attempt is over. */
export async function getOpenPackage({ language, ...window }: Window & { language: Language }, tenant: TenantReader) {
  const found = await repository.findWindow(tenant, window, window.tokenHash);
  return found?.isOpen ? { ...found, name: localName(found, language) } : null;
}

/** Opens a package, and begins an attempt. @returns false for who may not */
export function beginPackage({ tokenHash, ...pair }: Window, tenant: TenantWriter): Promise<boolean> {
  return runtime.openPackage(tenant, pair, tokenHash);
}

/** Opens a package whose attempt goes on. @returns false for who may not */
export const resumePackage = beginPackage;

/** @param told what the window tells, unread */
export async function keepPackageState(
  { tokenHash, told, ...pair }: Window & { told: unknown },
  tenant: TenantWriter,
): Promise<runtime.Stored> {
  return runtime.keepTold(tenant, pair, tokenHash, readTold(told));
}

export function finishPackage({ tokenHash, ...pair }: Window, tenant: TenantWriter): Promise<void> {
  return runtime.finishPackage(tenant, pair, tokenHash);
}
