import type { Request, Response, Router } from 'express';
import { formatFullName } from '../../../db/expressions.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import { readListQuery, toPeriod } from '../../shared/list-query.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { signInsMessages } from './sign-ins-messages.ts';
import { signInsContent } from './sign-ins-page.ts';

/** Adds the page with the sign-in log of the company. */
export function addSignInsPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/sign-ins', (req, res) => showSignIns(runs, req, res));
}

function isOutcome(text: string): text is 'succeeded' | 'failed' {
  return text === 'succeeded' || text === 'failed';
}

async function showSignIns(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const query = readListQuery(req, ['since', 'until', 'outcome']);
  const { outcome = '' } = query.values;
  const period = toPeriod(query.values);
  const filter = { ...period, ...(isOutcome(outcome) && { outcome }) };
  const page = period && (await runs.page('listSignIns', caller, filter, query.cursor));
  const { items: entries, nextCursor } = page ?? { items: [], nextCursor: null };
  const names = await readNames(runs, caller, entries);
  const content = signInsContent({ ...query, language, entries, nextCursor, names });
  sendConsolePage(res, { title: signInsMessages[language].title, content, width: 'wide' });
}

/** Returns the names of the people in the entries whom the role can read. Deleted people have no name. */
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
