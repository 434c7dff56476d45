import pg from 'pg';
import { ApiKeyCache } from '../../src/auth/api-key-cache.ts';
import { ConfigError, postgresUrl } from '../../src/config/variables.ts';
import { isHalfSeeded, isSeeded } from '../../seeds/demo-state.ts';
import { CommandError } from '../../src/commands/command.ts';
import { migrate, openOwnerDatabase, OtherReleaseError } from '../../src/commands/database.ts';
import { startDemoPostgres } from './postgres.ts';

export interface DemoDatabase {
  serviceUrl: string;
  /** The URL of the database's owner; undefined if the demo neither migrates nor seeds the database. */
  ownerUrl: string | undefined;
  isEmbedded: boolean;
  /** Stops the embedded Postgres if it was started. */
  close(): Promise<void>;
}

/**
 * Returns the database that the environment names, or starts the embedded Postgres.
 * @throws if only DATABASE_OWNER_URL is set, or if the embedded Postgres cannot run here
 */
export async function findDatabase(env: NodeJS.ProcessEnv): Promise<DemoDatabase> {
  if (env.DATABASE_URL) {
    const ownerUrl = env.DATABASE_OWNER_URL ? postgresUrl(env, 'DATABASE_OWNER_URL') : undefined;
    return { serviceUrl: postgresUrl(env, 'DATABASE_URL'), ownerUrl, isEmbedded: false, close: async () => undefined };
  }
  if (env.DATABASE_OWNER_URL) {
    throw new ConfigError(
      'DATABASE_OWNER_URL is set but DATABASE_URL is not; set both, or neither for the embedded Postgres',
    );
  }
  console.log('Starting the embedded Postgres ...');
  const server = await startDemoPostgres();
  return { serviceUrl: server.serviceUrl, ownerUrl: server.ownerUrl, isEmbedded: true, close: () => server.stop() };
}

/** Migrates the database, and fills it if it is empty. */
export async function prepareDatabase({ ownerUrl, serviceUrl, isEmbedded }: DemoDatabase): Promise<void> {
  if (ownerUrl === undefined) {
    console.log('DATABASE_OWNER_URL is not set, so the database is neither migrated nor filled.');
    return;
  }
  const migrations = await migrate(ownerUrl).catch((error: unknown) => {
    if (!isEmbedded || !(error instanceof OtherReleaseError)) throw error;
    throw new CommandError(`${error.message}. To remove the demo's database, run \`make clean\``);
  });
  if (migrations.length > 0) console.log(`Ran ${migrations.length} migrations.`);
  const owner = openOwnerDatabase(ownerUrl);
  try {
    if ((await isSeeded(owner)) && !(await isHalfSeeded(owner))) return;
    // Imported only when needed, because it loads most of the service.
    const { seedDemo } = await import('../../seeds/demo.ts');
    if (await seedDemo(owner, serviceUrl)) console.log('Filled the empty database with the demo companies.');
  } finally {
    await owner.destroy();
  }
}

/** Reports whether a key works on the database. The demo's keys do not work on other databases. */
export async function knowsKey({ serviceUrl }: DemoDatabase, key: string): Promise<boolean> {
  const pool = new pg.Pool({ connectionString: serviceUrl, max: 1 });
  try {
    return (await new ApiKeyCache(pool, 0).find(key)) !== undefined;
  } finally {
    await pool.end();
  }
}
