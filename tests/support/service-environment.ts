import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takeCoverage } from 'node:v8';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';
import { Ajv } from 'ajv';
import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { openBreachFeed } from '../../src/resources/breaches/feed/open-breach-feed.ts';
import { readConfig } from '../../src/config/config.ts';
import { Replica, setReplica } from '../../src/db/replica.ts';
import { readDatabaseUrls } from '../../src/db/database-urls.ts';
import { openPool } from '../../src/db/pool.ts';
import type { ContractDocument } from '../../src/docs/document.ts';
import { createSite } from '../../src/docs/site.ts';
import { scimFailures } from '../../src/scim/scim-responses.ts';
import { publishContract } from '../../src/rest/published-contract.ts';
import { loadRequestValidator } from '../../src/rest/request-validator.ts';
import { ThreadPool } from '../../src/http/thread-pool.ts';
import { respondToMalformedRequests } from '../../src/http/connection/malformed-request.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { PlainCalls } from '../../src/mcp/plain-call.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import type { Readiness } from '../../src/http/readiness.ts';
import { checkResponse } from './contract-checker.ts';
import { cloneDatabase, dropDatabase, templateOf, type TestDatabase } from './databases.ts';
import { withRoutes } from './routes.ts';
import { worldFeed } from './world-breaches.ts';
import { SECRETS_KEY } from './world-sources.ts';

/** The running service and its database, which a test file uses as `testService`. */
export interface TestService {
  url: string;
  database: TestDatabase;
  readiness: Readiness;
  /** Returns the metrics of the process, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Every log line so far. */
  log: string[];
  /** The notices of Postgres on the service's connections. */
  notices: string[];
  checkResponse: typeof checkResponse;
  /** Returns the number of schemas that the worker has compiled. */
  compiledValidators(): number;
  /** Returns the number of MCP tool calls that were handled without a server of the MCP library. */
  plainCalls(): number;
  /**
   * Returns the length, in characters, of the longest JSON that the main thread has parsed since the last call of this
   * function.
   */
  longestParsed(): number;
  /** Ends the threads that handle requests with large bodies, as if they had died. */
  endThreads(): Promise<void>;
  /**
   * Queries the database as its owner, without row-level security. A query with a name is planned once per connection.
   */
  query(text: string, values?: unknown[], name?: string): Promise<Record<string, unknown>[]>;
}

const contractFile = new URL('../../generated/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(contractFile, 'utf8')) as ContractDocument;
// Number of schemas that ajv has compiled in this worker. The validator's cache must not grow with clients' input.
let compilations = 0;
// The class that all of ajv's dialects extend.
const core = Object.getPrototypeOf(Ajv.prototype) as Ajv;
core.compile = new Proxy(core.compile, {
  apply(compile, self, given) {
    compilations += 1;
    return Reflect.apply(compile, self, given) as unknown;
  },
});
// Length, in characters, of the longest JSON that this thread has parsed. Other threads parse the large bodies.
let longestParsed = 0;
JSON.parse = new Proxy(JSON.parse, {
  apply(parse, self, given: [text: string]) {
    longestParsed = Math.max(longestParsed, given[0].length);
    return Reflect.apply(parse, self, given) as unknown;
  },
});
let plainCalls = 0;
PlainCalls.prototype.find = new Proxy(PlainCalls.prototype.find, {
  apply(find, self, given) {
    const call = Reflect.apply(find, self, given);
    if (call) plainCalls += 1;
    return call;
  },
});
// A Jest worker loads the service's modules once, outside Jest's sandbox, and creates the app again for each test file.
const validator = loadRequestValidator(document);
const contract = publishContract(document);

/**
 * Runs the real service for each test file, on its own database. A file's docblock can set the service's settings:
 * `@jest-environment-options {"RATE_LIMIT_PER_MINUTE": "5"}`.
 * - With `"TEST_DATABASE": "demo"`, the database holds the demo instead of the test world; with `"grown"`, the test world
 *   with 20,000 learners in one company.
 * - With `"TEST_POOLER": "none"` or `"TEST_REPLICA": "none"`, the service uses no pooler or replica, even if the run
 *   has one. Such files test connections to the primary.
 * - With `"TEST_THREADS": "none"`, the process itself handles requests with large bodies, so that a test sees their
 *   statements.
 */
export default class ServiceEnvironment extends NodeEnvironment {
  readonly #settings: Record<string, string>;
  #server: Server | undefined;
  #pools: pg.Pool[] = [];
  #threads: ThreadPool | undefined;
  #database: TestDatabase | undefined;
  readonly #log: string[] = [];
  #logLengthBefore = 0;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.#settings = config.projectConfig.testEnvironmentOptions as Record<string, string>;
  }

  override async setup(): Promise<void> {
    await super.setup();
    const database = await cloneDatabase(await templateOf(this.#settings.TEST_DATABASE));
    this.#database = database;
    this.#server = createServer({ requireHostHeader: false });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const databaseUrls = withRoutes({ DATABASE_URL: database.serviceUrl }, this.#settings);
    const urls = readDatabaseUrls(databaseUrls);
    const own = { PUBLIC_URL: url, OAUTH_SECRET: 'of-the-tests'.repeat(3), SECRETS_KEY };
    // The port is known only now, so settings write it as `{port}`.
    const { port } = new URL(url);
    const given = Object.entries(this.#settings).map(([name, value]) => [name, value.replaceAll('{port}', port)]);
    const settings = { ...own, KEY_CACHE_MS: '200', ...Object.fromEntries(given) };
    const config = readConfig(settings);
    const log = this.#log;
    const logs = createLogs(config.logLevel, { write: (line) => void log.push(line) });
    const poolOptions = {
      isPooled: urls.isPooled,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: config.statementTimeoutMs,
      // Long enough for a busy machine.
      connectTimeoutMs: 15_000,
      onIdleError: () => undefined,
    };
    const pool = openPool({ connectionString: urls.service, ...poolOptions });
    this.#pools = [pool];
    const notices: string[] = [];
    pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(message ?? '')));
    if (urls.read !== undefined) {
      const standby = openPool({ connectionString: urls.read, ...poolOptions });
      this.#pools.push(standby);
      setReplica(pool, new Replica({ primary: pool, pool: standby, logger: logs.logger }));
    }
    const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 3 });
    owner.on('error', () => undefined);
    this.#pools.push(owner);
    const metrics = createMetrics();
    const readiness = { ready: true, started: true };
    const { breachFeed: feedConfig } = config;
    const breachFeed = openBreachFeed({ pool, logger: logs.logger, config: feedConfig, localFeed: worldFeed });
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.#threads = new ThreadPool({
      program: new URL('../../src/server/thread.ts', import.meta.url),
      env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings, ...databaseUrls },
      logger: logs.logger,
      onStatement: metrics.xapiStatement,
    });
    const app = await createApp({
      config,
      ...logs,
      metrics,
      pool,
      ...(this.#settings.TEST_THREADS !== 'none' && { threads: this.#threads }),
      contract,
      site: createSite({ ...config, document }),
      readiness,
      breachFeed,
      loadValidator: () => validator,
    });
    this.#server.on('request', app.listener);
    respondToMalformedRequests(this.#server, [scimFailures]);
    // The server shares its thread with the tests: a test that computes for seconds must not find its connection
    // closed.
    this.#server.keepAliveTimeout = 60_000;
    const service: TestService = {
      url,
      database,
      readiness,
      metrics: () => metrics.registry.metrics(),
      log,
      notices,
      checkResponse,
      compiledValidators: () => compilations,
      plainCalls: () => plainCalls,
      longestParsed: () => {
        const longest = longestParsed;
        longestParsed = 0;
        return longest;
      },
      endThreads: () => this.#threads!.endAll(),
      query: async (text, values, name) => {
        // On Citus, `create trigger` must be a separate command.
        const [last = text, ...before] = process.env.TEST_CITUS_BIN
          ? text.split(/;(?=\s*create trigger)/).reverse()
          : [text];
        for (const command of before.reverse()) await owner.query(command);
        return (await owner.query<Record<string, unknown>>({ text: last, values, name })).rows;
      },
    };
    this.global.testService = service;
  }

  /** Adds the service's errors during a test to the test's failure, because no response shows the cause of a 5xx. */
  readonly handleTestEvent: NonNullable<JestEnvironment['handleTestEvent']> = (event) => {
    if (event.name === 'test_start') this.#logLengthBefore = this.#log.length;
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const logged = this.#log.slice(this.#logLengthBefore).filter((line) => /"level":[56]0\b/.test(line));
    const error = event.error as Partial<Error> | null;
    if (logged.length > 0 && error?.stack) error.stack += `\n\nThe service logged:\n${logged.join('')}`;
  };

  override async teardown(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
    await this.#threads?.close();
    await Promise.all(this.#pools.map((pool) => pool.end()));
    if (this.#database) await dropDatabase(this.#database.name);
    if (process.env.NODE_V8_COVERAGE) takeCoverage();
    await super.teardown();
  }
}
