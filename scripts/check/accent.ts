// Counts patterns of a foreign accent in comments, test names, guides and the contract, and fails when a count rises.
//   node scripts/check/accent.ts [--list <pattern>] [--write]
// scripts/check/accent-counts.json holds the highest allowed counts; --write lowers them to what it counts now, and --list
// prints the lines of one pattern.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Line, proseLines } from './prose-lines.ts';

const LIMITS = fileURLToPath(new URL('accent-counts.json', import.meta.url));

/** Patterns within a sentence, or at the start of a comment. Idiomatic uses are rare enough to count with the others. */
const patterns: Record<string, (line: Line) => boolean> = {
  'begins with What or Who': ({ text, isFirst }) => isFirst && /^(What|Who|Whoever|Whose)\b(?!.*\?)/.test(text),
  'begins with a preposition': ({ text, isFirst }) =>
    isFirst && /^(Of|So that|Beside|With which|The same)\b/.test(text),
  'tell, told': ({ text }) => /\b(tells?|told|untold)\b/i.test(text),
  'of ours, of its own': ({ text }) => /\bof (ours|theirs|its own|their own|one's own)\b/i.test(text),
  'is no, are no': ({ text }) => /(?<!\bthere )\b(is|are|was|were) no\b(?! longer| more)/i.test(text),
  'may not': ({ text }) => /\bmay not\b/i.test(text),
  alone: ({ text }) => /\balone\b/i.test(text),
  beside: ({ text }) => /\bbeside\b/i.test(text),
  'anew, in vain': ({ text }) => /\b(anew|in vain)\b/i.test(text),
  'ends with too': ({ text }) => /,? too[.;]/.test(text),
};

const [option, name] = process.argv.slice(2);
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);
const lines = files.flatMap((file) => proseLines(file, () => readFileSync(file, 'utf8')));
const counts = Object.fromEntries(
  Object.entries(patterns).map(([pattern, matches]) => [pattern, lines.filter(matches).length]),
);
if (option === '--list') {
  const matches = patterns[name ?? ''];
  if (!matches) throw new Error(`No such pattern; choose one of: ${Object.keys(patterns).join('; ')}`);
  for (const line of lines.filter(matches)) console.log(`${line.file}:${line.number}  ${line.text}`);
} else if (option === '--write') {
  writeFileSync(LIMITS, `${JSON.stringify(counts, undefined, 2)}\n`);
} else {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8')) as Record<string, number>;
  for (const [pattern, count] of Object.entries(counts)) {
    const limit = limits[pattern] ?? 0;
    if (count <= limit) continue;
    console.error(
      `${pattern}: ${count} lines, at most ${limit} allowed (node scripts/check/accent.ts --list '${pattern}')`,
    );
    process.exitCode = 1;
  }
}
