import { ConfigError, postgresUrl } from '../config/variables.ts';

/** Error whose message explains the failure completely, so that it is printed without a stack. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Error about wrong arguments, with exit code 64 as in sysexits.h. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 64);
  }
}

/** Runs a command. Prints a failure to stderr, as one sentence if its cause is known, and sets the exit code. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = getExitCode(error);
  }
}

/** Returns the owner's URL from the environment. @throws {ConfigError} if it is missing or invalid */
export function ownerUrl(env: NodeJS.ProcessEnv): string {
  return postgresUrl(env, 'DATABASE_OWNER_URL');
}

/** Returns the message of an error from the database or the connection to it, without the SQL that Knex prepends. */
export function databaseMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(databaseMessage).join('; ');
  return (error as Error).message.split(' - ').at(-1)!;
}

function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  if (comesFromDatabase(error)) return `Database error: ${databaseMessage(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Reports whether an error comes from the database or the connection to it. Error codes of Postgres have five
 * characters, and network error codes are E followed by a word. Node's own codes begin with ERR_.
 */
function comesFromDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(Connection terminated|timeout expired|The server does not support SSL)/.test(error.message)) return true;
  return 'code' in error && /^([0-9A-Z]{5}|E(?!RR_)[A-Z]+|[A-Z_]*CERT[A-Z_]*)$/.test(String(error.code));
}

function getExitCode(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 78 : 1;
}
