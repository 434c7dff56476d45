import { readDatabaseUrls } from '../../src/db/database-urls.ts';

type Env = Record<string, string>;

/**
 * Returns the environment with the run's routes to the database: through a pooler and to a replica. An environment
 * without a DATABASE_URL for the service's role on the run's server is returned unchanged.
 * @param settings the settings of the test file; the value `none` of `TEST_POOLER` or `TEST_REPLICA` omits that route
 */
export function withRoutes(env: Env, settings: Env = {}): Env {
  const { TEST_POOLER_PORT, TEST_REPLICA_PORT, TEST_TEMPLATE_SERVICE_URL: straight } = process.env;
  const pooler = settings.TEST_POOLER === 'none' ? undefined : TEST_POOLER_PORT;
  const replica = settings.TEST_REPLICA === 'none' ? undefined : TEST_REPLICA_PORT;
  const url = env.DATABASE_URL;
  if (!url || !URL.canParse(url)) return env;
  const { username, host } = new URL(url);
  const own = new URL(straight!);
  if (username !== own.username || host !== own.host) return env;
  const at = (port: string) => Object.assign(new URL(url), { port }).href;
  return {
    ...(replica && { DATABASE_READ_URL: at(replica) }),
    ...(pooler && { DATABASE_DIRECT_URL: url }),
    ...env,
    ...(pooler && { DATABASE_URL: at(pooler) }),
  };
}

/** Returns the service's route to the test's database, for a pool that the test opens itself. */
export function routeOfService(): { connectionString: string; isPooled: boolean } {
  const { service, isPooled } = readDatabaseUrls(withRoutes({ DATABASE_URL: testService.database.serviceUrl }));
  return { connectionString: service, isPooled };
}
