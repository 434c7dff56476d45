import pg from 'pg';
import { ApiKeyCache } from '../../src/auth/api-key-cache.ts';
import { ConfigError, postgresUrl } from '../../src/config/variables.ts';
import { isHalfSeeded, isSeeded } from '../../seeds/demo-state.ts';
import { CommandError } from '../../src/commands/command.ts';
import { migrate, openOwnerDatabase, OtherReleaseError } from '../../src/commands/database.ts';
import { startDemoPostgres } from './postgres.ts';

export interface DemoDatabase {
  serviceUrl: string;
  /** Undefined: the database is neither migrated nor seeded. */
  ownerUrl: string | undefined;
  isEmbedded: boolean;
  /** Stops what was started for it. */
  close(): Promise<void>;
}

/**
 * The database that the environment names, or the embedded one.
 * @throws when only half of it is named, and when the embedded Postgres cannot run here.
 */
export async function findDatabase(env: NodeJS.ProcessEnv): Promise<DemoDatabase> {
  if (env.DATABASE_URL) {
    const ownerUrl = env.DATABASE_OWNER_URL ? postgresUrl(env, 'DATABASE_OWNER_URL') : undefined;
    return { serviceUrl: postgresUrl(env, 'DATABASE_URL'), ownerUrl, isEmbedded: false, close: async () => undefined };
  }
  if (env.DATABASE_OWNER_URL) {
    throw new ConfigError(
      'DATABASE_OWNER_URL is set but DATABASE_URL is not: set both, or neither for the embedded Postgres',
    );
  }
  console.log('Starting the embedded Postgres ...');
  const server = await startDemoPostgres();
  return { serviceUrl: server.serviceUrl, ownerUrl: server.ownerUrl, isEmbedded: true, close: () => server.stop() };
}

/** Migrates the database, and fills it when there is nothing in it. */
export async function prepareDatabase({ ownerUrl, serviceUrl, isEmbedded }: DemoDatabase): Promise<void> {
  if (ownerUrl === undefined) {
    console.log('DATABASE_OWNER_URL is not set: the database is taken as it is, neither migrated nor filled.');
    return;
  }
  const migrations = await migrate(ownerUrl).catch((error: unknown) => {
    if (!isEmbedded || !(error instanceof OtherReleaseError)) throw error;
    throw new CommandError(`${error.message}. \`make clean\` removes the demo's database`);
  });
  if (migrations.length > 0) console.log(`Ran ${migrations.length} migrations.`);
  const owner = openOwnerDatabase(ownerUrl);
  try {
    if ((await isSeeded(owner)) && !(await isHalfSeeded(owner))) return;
    // Loaded only to fill: it has most of the service in it.
    const { seedDemo } = await import('../../seeds/demo.ts');
    if (await seedDemo(owner, serviceUrl)) console.log('Filled the empty database with the demo companies.');
  } finally {
    await owner.destroy();
  }
}

/** Whether a key works on the database. One that is not the demo's has keys of its own. */
export async function knowsKey({ serviceUrl }: DemoDatabase, key: string): Promise<boolean> {
  const pool = new pg.Pool({ connectionString: serviceUrl, max: 1 });
  try {
    return (await new ApiKeyCache(pool, 0).find(key)) !== undefined;
  } finally {
    await pool.end();
  }
}
