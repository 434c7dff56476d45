// The embedded Postgres of a checkout: start or adopt, keep alive, stop.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE, ROLE_NAMES, ensureCluster, isRemoved, readPasswords } from './cluster.ts';
import type { Role } from './cluster.ts';
import { findAnswering, findPostmaster, launch, shutDown } from './postmaster.ts';
import type { Postmaster } from './postmaster.ts';
import { addUser, identityOf, removeUser, withLock } from './processes.ts';
import { prepareRuntime } from './runtime.ts';
import type { Runtime } from './runtime.ts';

export interface EmbeddedPostgres {
  /** Owns the database `awareness` and its schema; runs the migrations. */
  ownerUrl: string;
  /** The service's own role: logs in, owns nothing. */
  serviceUrl: string;
  /** The superuser, in the database `postgres`. */
  adminUrl: string;
  /** The server's process now: another one after a restart. */
  readonly pid: number;
  /** True when the server was already running. */
  adopted: boolean;
  /** Where everything lies; not the data folder that was asked for when Postgres's user cannot reach that one. */
  folder: string;
  /** The URL of any database of this server, for a role. */
  databaseUrl(role: Role, database: string): string;
  /** Stops the server, unless another process uses it too. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataFolder: string;
  /** False turns off what keeps data safe from a power cut: for tests. */
  durable: boolean;
  /** Further settings of postgresql.conf. A server that is adopted keeps the ones it was started with. */
  settings?: Record<string, string>;
  log?: (line: string) => void;
}

interface Context {
  runtime: Runtime;
  settings: Record<string, string>;
  adminPassword: string;
  log: (line: string) => void;
}

const STOP_PATIENCE_MS = 30_000;
const REPLACE_PATIENCE_MS = 5_000;
const RESTARTS_A_MINUTE = 5;
// Off Linux each look starts `ps`.
const WATCH_EVERY_MS = process.platform === 'linux' ? 200 : 1_000;

function serverSettings(options: EmbeddedPostgresOptions): Record<string, string> {
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable ? {} : unsafe),
    ...options.settings,
  };
}

function lockOf(runtime: Runtime): string {
  return join(runtime.folder, 'start.lock');
}

async function stopRunning(runtime: Runtime, patienceMs: number): Promise<void> {
  const server = await findPostmaster(runtime);
  if (server) await shutDown(runtime, server, patienceMs);
}

// Under the lock. The running server when it answers, else a new one.
async function ensureRunning(context: Context, samePort?: number): Promise<{ server: Postmaster; adopted: boolean }> {
  const { runtime, log } = context;
  try {
    const server = await findAnswering(runtime, context.adminPassword);
    if (server) return { server, adopted: true };
  } catch (error) {
    log(`the running Postgres does not answer and is replaced: ${String(error)}`);
    await stopRunning(runtime, REPLACE_PATIENCE_MS);
  }
  return { server: await launch(runtime, context.settings, samePort), adopted: false };
}

/** Looks after the server: whenever its process is gone, another is put in its place on the same port. */
class Keeper {
  server: Postmaster;
  readonly #context: Context;
  readonly #timer: NodeJS.Timeout;
  #restarts: number[] = [];
  #restarting: Promise<void> | undefined;

  constructor(context: Context, server: Postmaster) {
    this.#context = context;
    this.server = server;
    this.#timer = setInterval(() => this.#look(), WATCH_EVERY_MS).unref();
  }

  /** Looks no more, and waits for a restart that is under way. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#restarting;
  }

  #look(): void {
    if (this.#restarting || identityOf(this.server.pid) === this.server.identity) return;
    this.#restarts = this.#restarts.filter((at) => Date.now() - at < 60_000);
    if (this.#restarts.length >= RESTARTS_A_MINUTE) return;
    this.#restarts.push(Date.now());
    this.#restarting = this.#restart().finally(() => (this.#restarting = undefined));
  }

  async #restart(): Promise<void> {
    const { runtime, log } = this.#context;
    const { pid, port } = this.server;
    try {
      log(
        `Postgres (process ${pid}) is gone: restart ${this.#restarts.length} of at most ${RESTARTS_A_MINUTE} a minute, on port ${port}`,
      );
      const running = await withLock(lockOf(runtime), () => ensureRunning(this.#context, port));
      this.server = running.server;
      if (running.server.port !== port)
        log(`Postgres came back on port ${running.server.port}, not ${port}: restart this process`);
    } catch (error) {
      log(`Postgres could not be restarted: ${String(error)}`);
    }
  }
}

async function stopServer(context: Context, keeper: Keeper, note: string): Promise<void> {
  const { runtime, log } = context;
  await keeper.end();
  // Someone may have removed the folder under the running server.
  if (!existsSync(runtime.folder)) return shutDown(runtime, keeper.server, STOP_PATIENCE_MS);
  await withLock(lockOf(runtime), async () => {
    if (!(await removeUser(runtime.folder, note))) return log('Postgres goes on: it is still in use');
    await stopRunning(runtime, STOP_PATIENCE_MS);
  });
}

/**
 * Starts Postgres on a data folder, which is made at first, or adopts the server that already runs on it.
 * Restarts it on the same port when it is killed while this process lives. A process that ends without stop()
 * leaves the server running, for the next start to adopt.
 * Throws, naming DATABASE_URL, where the binaries cannot run, and with the end of the log when Postgres does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const runtime = await prepareRuntime(options.dataFolder, log);
  return withLock(lockOf(runtime), async () => {
    if (isRemoved(runtime)) await stopRunning(runtime, REPLACE_PATIENCE_MS);
    await ensureCluster(runtime, options.durable);
    const passwords = await readPasswords(runtime);
    const context = { runtime, settings: serverSettings(options), adminPassword: passwords.admin, log };
    const { server, adopted } = await ensureRunning(context);
    const note = await addUser(runtime.folder);
    const keeper = new Keeper(context, server);
    const databaseUrl = (role: Role, database: string) =>
      `postgresql://${ROLE_NAMES[role]}:${passwords[role]}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`;
    let stopped: Promise<void> | undefined;
    return {
      ownerUrl: databaseUrl('owner', DATABASE),
      serviceUrl: databaseUrl('service', DATABASE),
      adminUrl: databaseUrl('admin', 'postgres'),
      get pid() {
        return keeper.server.pid;
      },
      adopted,
      folder: runtime.folder,
      databaseUrl,
      stop: () => (stopped ??= stopServer(context, keeper, note)),
    };
  });
}
