import { join } from 'node:path';
import { CommandError } from '../../src/commands/command.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/server.ts';

const DATA_FOLDER = process.env.DEMO_DATA_FOLDER || join(import.meta.dirname, '../../.postgres/demo');

/** Starts the Postgres of the demo, or adopts a running one. Throws a CommandError if it cannot run here. */
export async function startDemoPostgres(): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataFolder: DATA_FOLDER, durable: true });
  } catch (error) {
    throw new CommandError(
      `${(error as Error).message}\nTo use your own Postgres instead, set DATABASE_URL and DATABASE_OWNER_URL.`,
    );
  }
}
