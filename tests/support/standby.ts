import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { prepareRuntime } from '../../scripts/embedded-postgres/runtime.ts';
import { freePort } from '../process/support.ts';
import { until } from './until.ts';
import { chooseTempParent } from './data-folder.ts';

const SLOT = `'keeps_' || pg_backend_pid()`;
const MOVE_SLOT = `select pg_replication_slot_advance(${SLOT}, min(replay_lsn)) from pg_stat_replication`;

/** A streaming standby of an embedded Postgres, copied file by file because that Postgres has no pg_basebackup. */
export class Standby {
  readonly port: number;
  readonly #folder: string;
  readonly #adminUrl: string;
  readonly #start: () => ChildProcess;
  /** Holds the temporary slot, so that the primary keeps the log that the standby has not replayed. */
  readonly #keeper: pg.Client;
  readonly #moving: NodeJS.Timeout;
  #server: ChildProcess;

  private constructor(made: {
    port: number;
    folder: string;
    adminUrl: string;
    keeper: pg.Client;
    start: () => ChildProcess;
  }) {
    this.port = made.port;
    this.#folder = made.folder;
    this.#adminUrl = made.adminUrl;
    this.#keeper = made.keeper;
    this.#start = made.start;
    this.#server = made.start();
    const move = () => void this.#keeper.query(MOVE_SLOT).catch(() => undefined);
    this.#moving = setInterval(move, 5000).unref();
  }

  /**
   * @param adminUrl the URL of the primary's superuser
   * @param dataFolder the primary's folder, as passed to `startEmbeddedPostgres`
   */
  static async start(adminUrl: string, dataFolder: string): Promise<Standby> {
    const { bin, user } = await prepareRuntime(dataFolder);
    const keeper = new pg.Client(adminUrl).on('error', () => undefined);
    await keeper.connect();
    const folder = mkdtempSync(join(chooseTempParent(dataFolder), 'awareness-standby-'));
    const data = join(folder, 'data');
    await copyCluster(keeper, data);
    const own = statSync(data);
    chownSync(folder, own.uid, own.gid);
    const { username, password, hostname, port: primaryPort } = new URL(adminUrl);
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      primary_conninfo: `host=${hostname} port=${primaryPort} user=${username} password=${password}`,
      hot_standby_feedback: 'on',
      max_connections: 200,
      fsync: 'off',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const options = {
      ...user,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: 'ignore',
    } as const;
    const start = () => spawn(join(bin, 'postgres'), ['-D', data, ...args], options);
    const made = new Standby({ port, folder, adminUrl, keeper, start });
    await made.#whenUp();
    return made;
  }

  /** Returns the URL of the same database on the standby. */
  at(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  /** Queries the standby as the superuser. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.at(this.#adminUrl)).on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    // With SIGQUIT, the server's processes end with it and free their shared memory.
    this.#server.kill('SIGQUIT');
    await ended;
  }

  async restart(): Promise<void> {
    this.#server = this.#start();
    await this.#whenUp();
  }

  async stop(): Promise<void> {
    if (this.#server.exitCode === null && this.#server.signalCode === null) await this.kill();
    clearInterval(this.#moving);
    await this.#keeper.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #whenUp(): Promise<void> {
    return until(async () => {
      if (this.#server.exitCode !== null) throw new Error('The standby does not start');
      return this.query('select 1').then(
        () => true,
        () => false,
      );
    });
  }
}

async function copyCluster(primary: pg.Client, data: string): Promise<void> {
  await primary.query(`select pg_create_physical_replication_slot(${SLOT}, true, true)`);
  const { rows } = await primary.query<{ from: string }>(`select current_setting('data_directory') as from`);
  await primary.query(`select pg_backup_start('standby', true)`);
  // The copy can miss files that are dropped while it runs: the standby replays their removal.
  spawnSync('cp', ['-a', rows[0]!.from, data]);
  const { rows: ends } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  const wal = join(data, 'pg_wal');
  for (const name of readdirSync(wal).filter((entry) => /^[0-9A-F]{24}$/.test(entry))) rmSync(join(wal, name));
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name), { force: true });
  for (const [name, text] of [
    ['backup_label', ends[0]!.labelfile],
    ['standby.signal', ''],
  ] as const) {
    const { uid, gid } = statSync(data);
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
}
