// Checks folders of PDFs with the product's code and with qpdf. Fails if the product misses active content, or rejects
// more sound files than its target. Applies no limits on time and memory, which tests/process/hostile-pdfs.test.ts
// tests.
//
//   node scripts/pdf-corpora/run.ts <folder>…
import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { judgePdf } from '../../src/pdf/judge-pdf.ts';
import { consultQpdf, type Oracle, qpdfVersion } from './qpdf.ts';

/** Maximum acceptable share of sound files without active content that the product rejects. */
const MAX_REFUSED = 0.005;
/** Number of concurrent qpdf processes. */
const WORKERS = 2;

type Kind = 'sound' | 'active' | 'unsound';

interface Verdict {
  file: string;
  kind: Kind;
  active: string[];
  /** The fault that the product finds; undefined if the product accepts the file. */
  fault: string | undefined;
}

const KINDS: Record<Kind, string> = {
  sound: 'sound according to qpdf, without active content',
  active: 'with active content',
  unsound: 'damaged, encrypted or empty according to qpdf',
};

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: node scripts/pdf-corpora/run.ts <folder>…');
  process.exit(2);
}
const version = await qpdfVersion();
if (version === undefined) {
  console.error('SKIPPED: qpdf is not on the path. Nothing was checked.');
  process.exit(0);
}
const files = folders.flatMap((folder) =>
  globSync('**/*.[pP][dD][fF]', { cwd: folder }).map((name) => join(folder, name)),
);
if (files.length === 0) {
  console.error('These folders contain no PDFs.');
  process.exit(2);
}
const verdicts = await judgeAll(files.sort());
const isMet = report(verdicts);
process.exit(isMet ? 0 : 1);

/** Writes a line to stdout, because the PDF reader takes over the console. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function judgeAll(waiting: string[]): Promise<Verdict[]> {
  const queue = waiting.values();
  const consulted = new Map<string, Oracle>();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const file of queue) consulted.set(file, await consultQpdf(file));
    }),
  );
  const judged: Verdict[] = [];
  // Sequential, because the PDF reader listens to the console.
  for (const [file, { isSound, active }] of consulted) {
    const { fault } = await judgePdf(await readFile(file));
    judged.push({ file, kind: active.length > 0 ? 'active' : isSound ? 'sound' : 'unsound', active, fault });
  }
  return judged;
}

/** Prints the table and the exceptions. Reports whether the targets are met. */
function report(all: Verdict[]): boolean {
  print(`${all.length} files, ${version}\n\n| | rejected | accepted |\n|---|---|---|`);
  for (const [kind, name] of Object.entries(KINDS)) {
    const ofKind = all.filter((one) => one.kind === kind);
    const refused = ofKind.filter(({ fault }) => fault !== undefined).length;
    print(`| ${name} (${ofKind.length}) | ${refused} | ${ofKind.length - refused} |`);
  }
  const missed = all.filter(({ kind, fault }) => kind === 'active' && fault === undefined);
  const refused = all.filter(({ kind, fault }) => kind === 'sound' && fault !== undefined);
  for (const { file, active } of missed) print(`ACCEPTED, has ${active.join(', ')}: ${file}`);
  for (const { file, fault } of refused) print(`rejected: ${file} ${fault}`);
  const share = refused.length / Math.max(1, all.filter(({ kind }) => kind === 'sound').length);
  print(`\nActive content accepted: ${missed.length} (target 0).`);
  print(`Sound files rejected: ${(share * 100).toFixed(2)} % (target below ${MAX_REFUSED * 100} %).`);
  return missed.length === 0 && share < MAX_REFUSED;
}
