// Checks the prose of the contract, guides, pages, emails and content with LanguageTool, in English, German and French.
// Skipped if Java or Maven is missing.
//
//   node scripts/prose-check/run.ts [path]…      for example docs/ src/mail content/courses/phishing
import { join } from 'node:path';
import { collectPassages } from './collect.ts';
import { findMistakes, installLanguageTool, missingPrograms } from './languagetool.ts';
import { applyExceptions, formatReport, isAboutMarkup, locate, unusedWords } from './review.ts';
import { CATEGORIES_OFF, readExceptions, readWords, RULES_OFF } from './reviewed.ts';

const root = join(import.meta.dirname, '../..');
const paths = process.argv.slice(2);

const missing = missingPrograms(['java', 'mvn']);
if (missing.length > 0) {
  console.log(`SKIPPED: ${missing.join(' and ')} not on the path. No prose was checked.`);
  process.exit(0);
}
const tool = join(root, '.tools/languagetool');
await installLanguageTool(tool);

const passages = collectPassages(root, paths);
const words = readWords();
const settings = { words, rules: Object.keys(RULES_OFF), categories: Object.keys(CATEGORIES_OFF) };
const findings = await findMistakes(tool, passages, settings);
const reports = findings
  .filter((finding) => !isAboutMarkup(finding, passages))
  .map((finding) => locate(finding, passages));
const { remaining, unused } = applyExceptions(reports, readExceptions());
const faults = remaining.map(formatReport);
if (paths.length === 0) {
  faults.push(...unusedWords(words, passages).map((word) => `words.txt: no text contains ${word}`));
  faults.push(...unused.map(({ rule, text }) => `exceptions.json: ${rule} is not found in: ${text}`));
}
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\n\n${faults.length} findings in ${passages.length} passages.`);
  process.exitCode = 1;
} else {
  console.log(`${passages.length} passages, and no finding.`);
}
