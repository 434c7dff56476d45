import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../../src/commands/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../scripts/embedded-postgres/server.ts';

export interface Database {
  ownerUrl: string;
  serviceUrl: string;
}

const RESTART_TIMEOUT_MS = 60_000;

/** The embedded Postgres with a separate data folder, and faults of its processes. */
export class FaultyPostgres {
  readonly #server: EmbeddedPostgres;
  #frozen: number[] = [];

  private constructor(server: EmbeddedPostgres) {
    this.#server = server;
  }

  static async start(dataFolder: string): Promise<FaultyPostgres> {
    const server = await startEmbeddedPostgres({
      dataFolder,
      durable: true,
      settings: { shared_buffers: '256MB' },
    });
    return new FaultyPostgres(server);
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.#server.stop();
  }

  /** Creates a migrated database with this name, replacing an earlier one. */
  async createDatabase(name: string): Promise<Database> {
    await this.#administer(async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.query(`create database ${name} owner awareness_owner`);
    });
    const ownerUrl = this.#server.databaseUrl('owner', name);
    await migrate(ownerUrl);
    return { ownerUrl, serviceUrl: this.#server.databaseUrl('service', name) };
  }

  /** Signals the server's main process. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.#server.pid, name);
  }

  /** Kills one backend of the service; Postgres then ends all others and recovers by itself. */
  async killBackend(): Promise<boolean> {
    const pids = await this.#administer(async (admin) => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where usename = 'awareness_service' order by random() limit 1`,
      );
      return rows.map(({ pid }) => pid);
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return pids.length > 0;
  }

  /** Suspends every process of the server. Its connections stay open. */
  async freeze(): Promise<void> {
    const { pid } = this.#server;
    const rest = await this.#administer(async (admin) => {
      process.kill(pid, 'SIGSTOP');
      this.#frozen = [pid];
      const { rows } = await admin.query<{ pid: number }>(
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      );
      return rows;
    });
    for (const one of rest) {
      process.kill(one.pid, 'SIGSTOP');
      this.#frozen.push(one.pid);
    }
  }

  thaw(): void {
    for (const pid of this.#frozen.toReversed()) process.kill(pid, 'SIGCONT');
    this.#frozen = [];
  }

  /** Resolves when a main process other than the given one accepts connections. */
  async whenAnswering(otherThan?: number): Promise<void> {
    for (const deadline = Date.now() + RESTART_TIMEOUT_MS; Date.now() < deadline; await sleep(25)) {
      if (this.#server.pid !== otherThan && (await this.#answers())) return;
    }
    throw new Error('Postgres does not come back');
  }

  get pid(): number {
    return this.#server.pid;
  }

  async #answers(): Promise<boolean> {
    return this.#administer((admin) => admin.query('select')).then(
      () => true,
      () => false,
    );
  }

  async #administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
    const admin = new pg.Client({ connectionString: this.#server.adminUrl, connectionTimeoutMillis: 5000 });
    admin.on('error', () => undefined);
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      // Does not wait, because a frozen server does not confirm.
      void admin.end().catch(() => undefined);
    }
  }
}
