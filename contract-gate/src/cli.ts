// Compares the bundled contract with an older one and says what breaks for whom.
//   node contract-gate/src/cli.ts [BASE] [--head FILE] [--format text|markdown|json]
// It runs in the folder of the project. BASE is a git ref or a file. By default it is the last released contract, and what
// broke since HEAD left main is told too. Exit code 0: nothing breaks; 1: a break that is not accepted, or an accepted one
// that does not hold; 2: called wrongly; 3: nothing breaks, but info.version or CHANGELOG.md does not tell the change;
// 4: the released contract is missing, or is not what was released.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AcceptedBreak, entriesOf, judge, readAccepted } from './accepted-breaks.ts';
import { compare } from './compare.ts';
import { type GateConfig, readConfig } from './config.ts';
import { bundle, type Contract, contractAtMergeBase, contractOf, Misuse, releasedContract } from './read-document.ts';
import { exitCodeOf, type Format, formats } from './reports/report.ts';
import { unreleasedBreaks } from './unreleased.ts';
import { checkVersion } from './version.ts';

const root = process.cwd();

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

async function run(): Promise<number> {
  const { given, headFile, format } = called();
  const head = await contractOf(root, headFile);
  const entries = await readAccepted(join(root, 'api/accepted-breaks.yaml'));
  const base = given === undefined ? await releasedContract(root) : await contractOf(root, given);
  const fork = given === undefined ? await contractAtMergeBase(root) : null;
  return gate({ base, fork, head, config: await readConfig(root) }, entries, format);
}

interface Compared {
  base: Contract;
  fork: Contract | null;
  head: Contract;
  config: GateConfig;
}

async function gate({ base, fork, head, config }: Compared, entries: AcceptedBreak[], format: Format): Promise<number> {
  const changes = compare(base.document, head.document, { rules: config.rules });
  const unreleased = fork && unreleasedBreaks({ fork, released: base, head, rules: config.rules }, changes);
  const { accepted, refused } = judge(changes.breaking, entriesOf(head.name, entries));
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const version = checkVersion(base.document, head.document, changes, changelog);
  const report = { base: base.name, head: head.name, changes, unreleased, accepted, refusedEntries: refused, version };
  console.log(formats[format](report));
  if (format === 'text') console.log(`\nCompared in ${(performance.now() / 1000).toFixed(1)} s.`);
  return exitCodeOf(report);
}

function called(): { given: string | undefined; headFile: string; format: Format } {
  const options = { head: { type: 'string', default: bundle }, format: { type: 'string', default: 'text' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`one BASE is compared, not ${positionals.length}`);
    if (!(values.format in formats))
      throw new Error(`FORMAT=${values.format} is none of ${Object.keys(formats).join(', ')}`);
    return { given: positionals[0], headFile: values.head, format: values.format as Format };
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}
