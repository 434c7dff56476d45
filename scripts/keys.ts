// Companies and their API keys: node scripts/keys.ts --help
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from './command.ts';
import type { Command, Values } from './keys/command.ts';
import { companies, createCompany } from './keys/company-commands.ts';
import { issue, list, revoke } from './keys/key-commands.ts';
import { withOwnerDatabase } from './keys/owner-database.ts';

const COMMANDS: Record<string, Command> = { issue, list, revoke, 'create-company': createCompany, companies };

const HELP = `Companies and their API keys.

Usage: node scripts/keys.ts <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}`)
  .join('\n')}

node scripts/keys.ts <command> --help says more of one.

The database is the one of DATABASE_OWNER_URL, or the demo's (.postgres/demo) when
neither that nor DATABASE_URL is set. Exit codes: 0 done, 1 refused, 64 wrong
usage, 78 wrong settings.`;

await runCommand(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === '--help' || name === '-h' || name === 'help') return console.log(helpOf(args[0]));
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name!] : undefined;
  if (!command)
    throw new UsageError(name === undefined ? HELP : `There is no command ${name}. See: node scripts/keys.ts --help`);
  const { values, positionals } = parse(name!, command, args);
  if (values.help) return console.log(command.help);
  const run = command.prepare(values, positionals);
  await withOwnerDatabase(run);
});

function helpOf(name: string | undefined): string {
  return (name !== undefined && Object.hasOwn(COMMANDS, name) && COMMANDS[name]?.help) || HELP;
}

function parse(name: string, { options, positionals: wanted = [] }: Command, args: string[]) {
  const see = `See: node scripts/keys.ts ${name} --help`;
  try {
    const parsed = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: wanted.length > 0,
    });
    const { positionals } = parsed;
    const values: Values = parsed.values;
    if (!values.help && positionals.length !== wanted.length)
      throw new UsageError(`${name} takes ${wanted.join(' ')}. ${see}`);
    return { values, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [sentence] = message.split(/\.? To specify|\n/);
    throw new UsageError(`${sentence?.replace(/\.$/, '')}. ${see}`);
  }
}
