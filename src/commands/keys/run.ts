// Command-line interface of `keys`: finds the command, parses its options and prints its help.
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../command.ts';
import type { Command } from './command.ts';
import { companies, createCompany } from './company-commands.ts';
import { deprecatedUses } from './deprecated-uses.ts';
import { issue } from './issue.ts';
import { list, revoke } from './key-commands.ts';
import type { WithDatabase } from './owner-database.ts';
import { removePasskeys } from './remove-passkeys.ts';
import { reseal } from './reseal.ts';
import { updateCompany } from './update-company.ts';

const COMMANDS: Record<string, Command> = {
  issue,
  list,
  revoke,
  'deprecated-uses': deprecatedUses,
  'create-company': createCompany,
  'update-company': updateCompany,
  companies,
  'remove-passkeys': removePasskeys,
  reseal,
};

const HELP = `Companies and their API keys.

Usage: keys <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(17)}${summary}`)
  .join('\n')}

For help on a command: keys <command> --help. In a checkout, run make keys
ARGS='<command> …', or node src/commands/keys.ts <command> … with Node 22.18 or newer.

DATABASE_OWNER_URL names the database. If neither it nor DATABASE_URL is set, make keys
uses the database of the demo (.postgres/demo). Exit codes: 0 done, 1 rejected, 64 invalid
arguments, 78 invalid settings.`;

/** Runs the command in the process's arguments, on the database that `withDatabase` opens. */
export function runKeys(withDatabase: WithDatabase): Promise<void> {
  return runCommand(async () => {
    const [name, ...args] = process.argv.slice(2);
    if (name === '--help' || name === '-h' || name === 'help') return console.log(findCommand(args[0])?.help ?? HELP);
    const command = findCommand(name);
    if (!command) throw new UsageError(name ? `Unknown command ${name}. See: keys --help` : HELP);
    const work = understand(command, args, `See: keys ${name} --help`);
    if (work) await withDatabase(work);
    else console.log(command.help);
  });
}

function findCommand(name = ''): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** Prepares the work that the arguments request; undefined if they request help. */
function understand(command: Command, args: string[], see: string): ReturnType<Command['prepare']> | undefined {
  const { options, positionals: expectedPositionals = [] } = command;
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: expectedPositionals.length > 0,
    });
    if (values.help) return undefined;
    if (positionals.length !== expectedPositionals.length)
      throw new UsageError(`Give exactly ${expectedPositionals.join(' ') || 'no arguments'}.`);
    return command.prepare(values, positionals);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message} ${see}`);
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [sentence] = message.split(/\.? To specify|\.?\n/);
    throw new UsageError(`${sentence?.replace(/\.$/, '')}. ${see}`);
  }
}
