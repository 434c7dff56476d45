// Checks the subjects of commits: `area: imperative verb …`, at most 72 characters.
//   node scripts/check/commits.ts [<range of commits>]
import { execFileSync } from 'node:child_process';

/** The last commit before this check existed. */
const BASE = '6bffd0fe';
const MAX_LENGTH = 72;
const SHAPE = /^[a-z0-9][\w ,./-]*: (?<verb>[a-z-]+)(?:,? |$)/;
/** Suffixes of verb forms other than the imperative. */
const OTHER_FORM = /(?:[^s]s|ed|ing)$/;
/** Imperatives with one of these suffixes. */
const IMPERATIVES =
  /^(?:bias|bring|canvas|embed|exceed|feed|focus|need|ping|proceed|seed|shed|speed|spring|string|succeed)$/;

const range = process.argv[2] ?? `${BASE}..HEAD`;
const log = ['log', '--no-merges', '--format=%h %s', range];
const subjects = execFileSync('git', log, { encoding: 'utf8' }).split('\n').filter(Boolean);
for (const line of subjects) {
  const subject = line.slice(line.indexOf(' ') + 1);
  const problem = findProblem(subject);
  if (problem === undefined) continue;
  console.error(`${line}\n  ${problem}`);
  process.exitCode = 1;
}

function findProblem(subject: string): string | undefined {
  if (subject.startsWith('Revert "')) return undefined;
  if (subject.length > MAX_LENGTH) return `${subject.length} characters, at most ${MAX_LENGTH} allowed`;
  const verb = SHAPE.exec(subject)?.groups?.verb;
  if (verb === undefined) return 'must have the form `area: imperative verb …`';
  if (OTHER_FORM.test(verb) && !IMPERATIVES.test(verb)) return `must begin with an imperative, not with ${verb}`;
  return undefined;
}
