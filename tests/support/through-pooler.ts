import { readDatabaseUrls } from '../../src/db/database-urls.ts';

/** The same environment, where the tests have a pooler: with the way through it, and the straight one beside it. */
export function throughPooler<E extends Record<string, string>>(env: E): E {
  const { TEST_POOLER_PORT: port, TEST_TEMPLATE_SERVICE_URL: straight } = process.env;
  const url = env.DATABASE_URL;
  if (!port || !url || !URL.canParse(url) || env.DATABASE_DIRECT_URL) return env;
  const { username, host } = new URL(url);
  const own = new URL(straight!);
  if (username !== own.username || host !== own.host) return env;
  return { ...env, DATABASE_URL: Object.assign(new URL(url), { port }).href, DATABASE_DIRECT_URL: url };
}

/** The service's way to the database of the test, for a pool of the test's own. */
export function routeOfService(): { connectionString: string; isPooled: boolean } {
  const { service, isPooled } = readDatabaseUrls(throughPooler({ DATABASE_URL: testService.database.serviceUrl }));
  return { connectionString: service, isPooled };
}
