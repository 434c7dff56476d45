import type { Response, Router } from 'express';
import { formatFullName } from '../../../db/expressions.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { signInsMessages } from './sign-ins-messages.ts';
import { signInsContent } from './sign-ins-page.ts';

/** Maximum number of entries of a page. */
const MAX_ENTRIES = 50;

/** Adds the page with the latest entries of the sign-in log, and the page with the latest failures. */
export function addSignInsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/sign-ins', (_req, res) => showSignIns(runs, res, false));
  pages.get('/sign-ins/failed', (_req, res) => showSignIns(runs, res, true));
}

async function showSignIns(runs: ConsoleRuns, res: Response, areFailures: boolean): Promise<void> {
  const { caller, language } = getAdmin(res);
  const entries: Schemas['SignInEntry'][] = [];
  for await (const entry of runs.items('listSignIns', caller, areFailures ? { outcome: 'failed' } : {})) {
    entries.push(entry);
    if (entries.length === MAX_ENTRIES) break;
  }
  const names = await readNames(runs, caller, entries);
  const content = signInsContent({ language, entries, names, areFailures });
  sendConsolePage(res, { title: signInsMessages[language].title, content, width: 'wide' });
}

/** Returns the names of the people in the entries, as far as the role permits. Deleted people have none. */
async function readNames(
  runs: ConsoleRuns,
  caller: Caller,
  entries: readonly Schemas['SignInEntry'][],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (canCall(caller, 'listAdmins'))
    for await (const admin of runs.items('listAdmins', caller)) names.set(admin.id, formatFullName(admin));
  if (!canCall(caller, 'getLearner')) return names;
  const learners = entries.filter(({ kind }) => kind === 'learner').flatMap(({ personId }) => personId ?? []);
  for (const learnerId of new Set(learners)) {
    const name = await readLearnerName(runs, caller, learnerId);
    if (name !== undefined) names.set(learnerId, name);
  }
  return names;
}

async function readLearnerName(runs: ConsoleRuns, caller: Caller, learnerId: string): Promise<string | undefined> {
  try {
    return (await runs.run('getLearner', caller, { learnerId })).name;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
