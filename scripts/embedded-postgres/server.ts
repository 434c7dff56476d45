// The embedded Postgres of a checkout: start or adopt it, keep it running, stop it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, DATABASE, prepareCluster, type Role, urlOf } from './cluster.ts';
import { isRemoved, stop } from './postmaster.ts';
import { join, leave, type Session } from './session.ts';

export interface EmbeddedPostgresOptions {
  dataFolder: string;
  /** False turns off what keeps data safe from a power cut: for tests. */
  durable: boolean;
  /** Further settings of postgresql.conf. A server that is adopted keeps the ones it was started with. */
  settings?: Record<string, string>;
}

const RESTART_PAUSE_MS = 500;

/**
 * Starts Postgres on a data folder, which it creates if needed, or adopts the server that already runs on it.
 * Restarts it on the same port when it is killed while this process lives. A process that ends without stop()
 * leaves the server running, for the next start to adopt. Throws with the reason when Postgres cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataFolder, options.durable);
  const settings = settingsOf(options);
  return new EmbeddedPostgres(cluster, settings, await join(cluster, settings));
}

function settingsOf({ durable, settings }: EmbeddedPostgresOptions): Record<string, string> {
  const local = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };
  // Memory that a killed server shared with others is in a file of its folder, and is removed with it.
  const forTests = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    dynamic_shared_memory_type: 'mmap',
  };
  return { ...local, timezone: 'UTC', log_timezone: 'UTC', ...(!durable && forTests), ...settings };
}

export class EmbeddedPostgres {
  /** Owns the database `awareness` and its schema; runs the migrations. */
  readonly ownerUrl: string;
  /** The service's own role: logs in, owns nothing. */
  readonly serviceUrl: string;
  /** The superuser, in the database `postgres`. */
  readonly adminUrl: string;
  readonly #cluster: Cluster;
  readonly #settings: Record<string, string>;
  #session: Session;
  #stopped: Promise<void> | undefined;
  #rejoining: Promise<void> | undefined;

  constructor(cluster: Cluster, settings: Record<string, string>, session: Session) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#session = session;
    this.ownerUrl = this.databaseUrl('owner', DATABASE);
    this.serviceUrl = this.databaseUrl('service', DATABASE);
    this.adminUrl = this.databaseUrl('admin', 'postgres');
    this.#watch();
  }

  /** The server's process. It changes with a restart. */
  get pid(): number {
    return this.#session.pid;
  }

  /** The URL of any database of this server, for a role. */
  databaseUrl(role: Role, database: string): string {
    return urlOf(this.#cluster, this.#session.port, role, database);
  }

  /** Stops the server, unless another process uses it too. May be called again. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    await this.#rejoining;
    const { client, socket, pid } = this.#session;
    if (socket.destroyed) return;
    if (await this.#isLast()) await stop(this.#cluster, pid);
    await client.end();
  }

  /** A server whose folder was removed soon dies of it, or answers with an error: nobody can use it. */
  async #isLast(): Promise<boolean> {
    try {
      return await leave(this.#session);
    } catch (error) {
      if (isRemoved(this.#cluster)) return true;
      throw error;
    }
  }

  #watch(): void {
    this.#session.client.once('end', () => {
      if (!this.#stopped) this.#rejoining = this.#rejoin();
    });
  }

  /** Postgres was killed, or it restarts its processes because one of them was. */
  async #rejoin(): Promise<void> {
    console.error(`Postgres (process ${this.pid}) has closed its connections: it is started again unless it runs.`);
    await sleep(RESTART_PAUSE_MS); // One that dies again and again is not started all the time.
    try {
      this.#session = await join(this.#cluster, this.#settings);
      this.#watch();
    } catch (error) {
      console.error(`Postgres could not be started again: ${String(error)}`);
    }
  }
}
