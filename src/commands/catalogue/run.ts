// The command line of `catalogue`.
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
       catalogue --shipped [--dry-run]

Makes the courses of a JSON file, changes those that are there, and says what it did. All
of it is one transaction, and a file with a fault changes nothing. Running it again changes
nothing either. The service may run meanwhile.

  {"courses": [{
    "externalId": "phishing-basics",    the course's id for you; or "id", or both
    "name": "phishing-basics", "displayName": "Phishing basics", "subject": "Phishing",
    "difficulty": 1, "passMark": 80, "locales": ["en", "de"],
    "description": "…", "durationMinutes": 12, "type": "training", "retired": false,
    "localizedNames": {"de": "Phishing erkennen"}
  }]}

A course is found by its id, else by its externalId; one that is not there is made, with its
id when it has one. Each is given whole: description and durationMinutes are empty when they
are left out, displayName is the name, and there are no localizedNames. The only course of type gap_analysis is the gap
analysis. A retired course is begun by nobody; its results stay. Courses that the file
leaves out stay as they are.

  --shipped   load the courses and the templates of simulations that come with the service, in
              place of a file: they are found by their ids, and the gap analysis is the one that
              is there. What is retired stays so
  --dry-run   say what would be done, and change nothing

Type catalogue as make catalogue ARGS='<file> …' in a checkout, or as
node src/commands/catalogue.ts <file> … with Node 22.18 or newer. The database is the one of
DATABASE_OWNER_URL. Exit codes: 0 done, 1 refused, 64 wrong usage, 78 wrong settings.`;

/** Runs the command in the process's arguments, on the database that `withDatabase` opens. */
export function runCatalogue(withDatabase: WithDatabase): Promise<void> {
  return runCommand(async () => {
    const { help, file, dryRun } = understand(process.argv.slice(2));
    if (help) return console.log(HELP);
    const courses = file === undefined ? await shippedCatalogue() : await readCatalogue(await readUtf8File(file));
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

/** @returns no file for the shipped courses */
function understand(args: string[]): { help: boolean; file: string | undefined; dryRun: boolean } {
  const flag = { type: 'boolean' } as const;
  const options = { shipped: flag, 'dry-run': flag, help: { ...flag, short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { help = false, shipped = false, 'dry-run': dryRun = false } = values;
    if (!help && positionals.length !== (shipped ? 0 : 1)) {
      throw new UsageError('Give one file or --shipped. See: catalogue --help');
    }
    return { help, file: positionals[0], dryRun };
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
    throw new CommandError(`${file} is not valid UTF-8 or is too long.`);
  }
}
