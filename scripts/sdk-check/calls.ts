import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Failed } from './commands.ts';
import type { DemoService } from './demo-service.ts';

/** The calls that each client makes, with their names in the programs and in the README's table. */
export const calls = {
  list: 'list',
  report: 'report',
  missing: '404',
  bulk: 'bulk',
  upload: 'upload',
  deletion: '`DELETE` with a body',
  newer: 'new values',
} as const;
export type Call = keyof typeof calls;

/** The outcome of each call: `yes` or the problem. */
export type Verdicts = Record<Call, string>;

/** Output that the programs must print, by call. */
export type Expected = Record<Call, string>;

interface Policy {
  category: string | null;
}
interface Report {
  summary: { averageScore: number; passedCount: number };
  rows: { grade: string | null }[];
}

/** Makes the calls without a client, and returns the output that the programs must print. */
export async function readExpected({ url, key, pdf }: Omit<DemoService, 'expected'>): Promise<Expected> {
  const read = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: unknown }).data;
  };
  const policies = (await read('/policies')) as Policy[];
  const { summary, rows } = (await read('/reports/learning')) as Report;
  const ungraded = rows.filter(({ grade }) => grade === null).length;
  return {
    list: `${policies.length} policies, ${policies.filter(({ category }) => category === null).length} uncategorised`,
    report: `${rows.length} rows, ${ungraded} ungraded, ${summary.passedCount} passed, ${summary.averageScore.toFixed(2)}`,
    missing: 'not_found, 0 details',
    bulk: 'false, 1 email_domain_not_allowed',
    upload: createHash('sha256')
      .update(await readFile(pdf))
      .digest('hex'),
    deletion: 'true',
    newer: 'brand_new, paused',
  };
}

/** Creates the learner that a client must delete. Resolves to its id. */
export async function createLearner({ url, key }: DemoService, email: string): Promise<string> {
  const answer = await fetch(`${url}/learners`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, firstName: 'Ada', lastName: 'Byron' }),
  });
  if (answer.status !== 200) throw new Failed(`cannot create a learner to delete: ${await answer.text()}`);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

/** Reports whether the learner no longer exists. */
export async function isDeleted({ url, key }: DemoService, learnerId: string): Promise<boolean> {
  const answer = await fetch(`${url}/learners/${learnerId}`, { headers: { authorization: `Bearer ${key}` } });
  return answer.status === 404;
}

/** Parses a program's output. Each line is a call's name, a colon, and the text that it read, or `!` and an error. */
export function judge(said: string, expected: Expected): Verdicts {
  const lines = said.split('\n').map((line) => /^(\w+): (.*)$/.exec(line));
  const read = new Map(lines.flatMap((line) => (line ? [[line[1], line[2]]] : [])));
  const verdicts = Object.keys(calls).map((call) => {
    const [value, wanted] = [read.get(call), expected[call as Call]];
    return [call, value === wanted ? 'yes' : `read ${value ?? 'nothing'}, not ${wanted}`];
  });
  return Object.fromEntries(verdicts) as Verdicts;
}
