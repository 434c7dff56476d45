// The embedded Postgres of a checkout: starts or adopts the server, keeps it running, and stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, DATABASE, prepareCluster, type Role, buildUrl } from './cluster.ts';
import { isRemoved, stop } from './postmaster.ts';
import { join, leave, type Session } from './session.ts';

export interface EmbeddedPostgresOptions {
  dataFolder: string;
  /** Whether the data is protected against power loss; false for tests. */
  durable: boolean;
  /** Further settings of postgresql.conf. An adopted server keeps the settings it was started with. */
  settings?: Record<string, string>;
}

const RESTART_PAUSE_MS = 500;

/**
 * Starts Postgres on a data folder, which it creates if needed, or adopts the server that already runs on it. If the
 * server is killed while this process lives, restarts it on the same port. A process that ends without stop() leaves
 * the server running, and the next start adopts it. Throws with the reason if Postgres cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataFolder, options.durable);
  const settings = buildSettings(options);
  return new EmbeddedPostgres(cluster, settings, await join(cluster, settings));
}

function buildSettings({ durable, settings }: EmbeddedPostgresOptions): Record<string, string> {
  const local = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };
  // Keeps shared memory in files of the data folder, so that the memory of a killed server is removed with the folder.
  const forTests = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    dynamic_shared_memory_type: 'mmap',
  };
  return { ...local, timezone: 'UTC', log_timezone: 'UTC', ...(!durable && forTests), ...settings };
}

export class EmbeddedPostgres {
  /** The URL of the role that owns the database `awareness` and its schema, and runs the migrations. */
  readonly ownerUrl: string;
  /** The URL of the service's role, which can log in but owns nothing. */
  readonly serviceUrl: string;
  /** The URL of the superuser, in the database `postgres`. */
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

  /** The process id of the server. It changes with a restart. */
  get pid(): number {
    return this.#session.pid;
  }

  /** Returns the URL of a database of this server, for a role. */
  databaseUrl(role: Role, database: string): string {
    return buildUrl(this.#cluster, this.#session.port, role, database);
  }

  /** Stops the server unless another process also uses it. Further calls do nothing. */
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

  /**
   * Reports whether no other process uses the server. If the server's folder was removed, no process can use the
   * server.
   */
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

  /** Restarts a killed Postgres, or waits for one that restarts its processes because one of them was killed. */
  async #rejoin(): Promise<void> {
    console.error(`Postgres (process ${this.pid}) has closed its connections; restarting it unless it runs.`);
    await sleep(RESTART_PAUSE_MS); // Limits the restarts of a server that dies repeatedly.
    try {
      this.#session = await join(this.#cluster, this.#settings);
      this.#watch();
    } catch (error) {
      console.error(`Postgres could not be restarted: ${String(error)}`);
    }
  }
}
