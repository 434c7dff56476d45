#!/usr/bin/env node
// The command `contract-gate`; `usage` describes its arguments and exit codes.
import { parseArgs } from 'node:util';
import { compareFiles } from './compare-files.ts';
import { readSettings, type Settings } from './config.ts';
import { gate } from './gate.ts';
import { releaseFiles, writeFiles } from './history/write-release.ts';
import { Misuse } from './misuse.ts';
import { type Format, formats } from './reports/formats.ts';
import { getExitCode, type Report } from './reports/report.ts';
import { concerning, readUses } from './uses.ts';

const usage = `Usage:
  contract-gate OLD NEW     compares two OpenAPI 3 documents, JSON or YAML
  contract-gate             compares a project with its last release (contract-gate.config.ts)
  contract-gate BASE        compares a project with a git ref or a file
  contract-gate release VERSION [--date DAY] [--commit COMMIT]
                            writes the folder of a release, to be committed with the changelog that dates it;
                            COMMIT made it before the project had the gate
Options:
  --format ${Object.keys(formats).join('|')}
  --uses PATH               reports only changes of the operations in PATH: a file with one per line, or a folder with code
  --no-sdk-policy           allows changes of names that only generated SDKs use (for two documents)
  --help
Exit codes:
  0  nothing breaks
  1  something breaks and is not accepted, or an accepted break is invalid
  2  the command line is invalid, or a file cannot be read
  3  nothing breaks, but a version or the changelog does not reflect the changes
  4  the project has no release to compare with, or its releases were tampered with
  5  nothing breaks, but something changed that no rule judges`;

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

async function run(): Promise<number> {
  const asked = called();
  const { positionals, format, help, date, commit, uses } = asked;
  if (help) {
    console.log(usage);
    return 0;
  }
  if (positionals[0] === 'release') return release(positionals[1], { date, commit });
  const whole = await buildReport(asked);
  const report = uses === undefined ? whole : concerning(whole, await readUses(uses));
  console.log(formats[format](report));
  if (format === 'text') console.log(`\nCompared in ${(performance.now() / 1000).toFixed(1)} s.`);
  return getExitCode(report);
}

async function release(
  version: string | undefined,
  { date, commit }: Pick<Called, 'date' | 'commit'>,
): Promise<number> {
  if (version === undefined) throw new Misuse(usage);
  const files = await releaseFiles(process.cwd(), await settingsHere(), { version, date, commit });
  await writeFiles(process.cwd(), files);
  for (const { path } of files) console.log(path);
  return 0;
}

async function buildReport({ positionals: [base, head], sdkPolicy }: Called): Promise<Report> {
  if (base !== undefined && head !== undefined) return compareFiles(base, head, { sdkPolicy });
  return gate(process.cwd(), await settingsHere(), base);
}

async function settingsHere(): Promise<Settings> {
  const settings = await readSettings(process.cwd());
  if (!settings) throw new Misuse(`This folder has no contract-gate.config.ts.\n${usage}`);
  return settings;
}

interface Called {
  positionals: string[];
  format: Format;
  help: boolean;
  date: string;
  commit: string | undefined;
  uses: string | undefined;
  sdkPolicy: boolean;
}

function called(): Called {
  const options = {
    format: { type: 'string', default: 'text' },
    help: { type: 'boolean', default: false },
    'no-sdk-policy': { type: 'boolean', default: false },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    commit: { type: 'string' },
    uses: { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 2) throw new Error(`contract-gate compares two documents, not ${positionals.length}.`);
    if (!Object.hasOwn(formats, values.format))
      throw new Error(`--format ${values.format} must be one of ${Object.keys(formats).join(', ')}`);
    const sdkPolicy = !values['no-sdk-policy'];
    return { commit: undefined, uses: undefined, ...values, positionals, format: values.format as Format, sdkPolicy };
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}
