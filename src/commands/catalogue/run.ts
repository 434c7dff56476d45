// Command-line interface of `catalogue`.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, UsageError } from '../command.ts';
import type { WithDatabase } from '../keys/owner-database.ts';
import { readCatalogue } from './catalogue-file.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { loadTemplates } from './load-templates.ts';
import { shippedCatalogue, shippedTemplates } from './shipped-catalogue.ts';

const HELP = `The managed catalogue: the courses that every company has.

Usage: catalogue <file> [--dry-run]
       catalogue --shipped [--pieces] [--dry-run]

Creates the courses of a JSON file, or changes existing ones, and prints each change. The
command is one transaction, so an invalid file changes nothing. Repeating it changes
nothing. The service can be running.

  {"courses": [{
    "externalId": "phishing-basics",    your id of the course; or "id", or both
    "name": "phishing-basics", "displayName": "Phishing basics", "subject": "Phishing",
    "difficulty": 1, "passMark": 80, "locales": ["en", "de"],
    "description": "…", "durationMinutes": 12, "validForMonths": 24, "type": "training", "retired": false,
    "localizedNames": {"de": "Phishing erkennen"}
  }]}

A course is found by its id, otherwise by its externalId. If it does not exist, it is
created, with its id if the file states one. The file replaces each course: if omitted,
description, durationMinutes, validForMonths and localizedNames are empty, and displayName is
the name. The only course of type gap_analysis is the gap analysis. Nobody can start a retired
course; its results are kept. Courses that are not in the file are left unchanged.

  --shipped   instead of a file, load the courses and simulation templates that ship with the
              service. They are found by their ids; an existing gap analysis is reused. Retired
              courses stay retired
  --pieces    with --shipped, also load the pieces of the courses: short courses of one
              lesson, under the subject of their course
  --dry-run   print the changes without writing them

In a checkout, run make catalogue ARGS='<file> …', or node src/commands/catalogue.ts <file> …
with Node 22.18 or newer. DATABASE_OWNER_URL names the database. Exit codes: 0 done,
1 rejected, 64 invalid arguments, 78 invalid settings.`;

/** Runs the command in the process's arguments, on the database that `withDatabase` opens. */
export function runCatalogue(withDatabase: WithDatabase): Promise<void> {
  return runCommand(async () => {
    const { help, file, pieces, dryRun } = understand(process.argv.slice(2));
    if (help) return console.log(HELP);
    const courses = file === undefined ? await shippedCatalogue(pieces) : await readCatalogue(await readUtf8File(file));
    const templates = file === undefined ? await shippedTemplates() : [];
    await withDatabase(async (database) => {
      const lines = await database.transaction(async (transaction) => [
        ...(await loadCatalogue(transaction, courses, dryRun)),
        ...(file === undefined ? await loadTemplates(transaction, templates, dryRun) : []),
      ]);
      for (const line of lines) console.log(line);
    });
  });
}

/** Parses the arguments. `file` is undefined for the shipped courses. @throws {UsageError} */
function understand(args: string[]): { help: boolean; file: string | undefined; pieces: boolean; dryRun: boolean } {
  const flag = { type: 'boolean' } as const;
  const options = { shipped: flag, pieces: flag, 'dry-run': flag, help: { ...flag, short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { help = false, shipped = false, pieces = false, 'dry-run': dryRun = false } = values;
    if (!help && positionals.length !== (shipped ? 0 : 1)) {
      throw new UsageError('Give one file or --shipped. See: catalogue --help');
    }
    if (!help && pieces && !shipped) throw new UsageError('--pieces needs --shipped. See: catalogue --help');
    return { help, file: positionals[0], pieces, dryRun };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. See: catalogue --help`);
  }
}

async function readUtf8File(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Cannot read ${file}: ${error.code}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not valid UTF-8 or is larger than 512 MiB; save it as UTF-8, or split it.`);
  }
}
