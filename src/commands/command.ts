import { ConfigError, postgresUrl } from '../config/variables.ts';

/** A failure that its message explains in full. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command was called wrongly: exit code 64, as sysexits.h has it. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 64);
  }
}

/** Runs a command. A failure is said on standard error, in one sentence where its cause is known, and sets the exit code. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = getExitCode(error);
  }
}

/** The owner's address, from the environment. Throws a ConfigError when it is missing or wrong. */
export function ownerUrl(env: NodeJS.ProcessEnv): string {
  return postgresUrl(env, 'DATABASE_OWNER_URL');
}

/** What went wrong in the database or on the way to it, without the SQL that Knex puts before it. */
export function databaseMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(databaseMessage).join('; ');
  return (error as Error).message.split(' - ').at(-1)!;
}

function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  if (comesFromDatabase(error)) return `Database error: ${databaseMessage(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** By its code: Postgres gives five characters, the network E and a word, Node's own errors ERR_ and more. */
function comesFromDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(Connection terminated|timeout expired|The server does not support SSL)/.test(error.message)) return true;
  return 'code' in error && /^([0-9A-Z]{5}|E(?!RR_)[A-Z]+|[A-Z_]*CERT[A-Z_]*)$/.test(String(error.code));
}

function getExitCode(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 78 : 1;
}
