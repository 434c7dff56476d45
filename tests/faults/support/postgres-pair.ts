import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import { type Cluster, prepareCluster, type Role, buildUrl } from '../../../scripts/embedded-postgres/cluster.ts';
import { give } from '../../../scripts/embedded-postgres/runtime.ts';
import { endChild, startChild } from './processes.ts';
import { within } from './stage.ts';

/** Range of ports for the servers, below the ports that the system uses for outgoing connections. */
const PORTS = [20_000, 29_000] as const;
const START_TIMEOUT_MS = 60_000;
/** Settings as in `deploy/`; the primary requires a standby only while there is one. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  shared_buffers: '128MB',
  wal_keep_size: '1GB',
};
/** Files that a copy of a running server must not contain, or that Postgres creates again. */
const NOT_COPIED =
  /^(postmaster\.(pid|opts)|postgresql\.auto\.conf|standby\.signal|pg_(wal|replslot|notify|stat_tmp|subtrans)\/.+)$|pg_internal\.init|pgsql_tmp/;

interface Member {
  cluster: Cluster;
  port: number;
  child?: ChildProcess;
}

/** A primary and a synchronous standby, which swap roles when one is killed and the other promoted manually. */
export class PostgresPair {
  readonly ports: [number, number];
  readonly #logFile: string;
  readonly #hung: number[] = [];
  #primary: Member;
  #standby: Member;

  private constructor(cluster: Cluster, logFile: string) {
    this.#logFile = logFile;
    const port = randomInt(...PORTS);
    this.ports = [port, port + 1];
    this.#primary = { cluster, port };
    this.#standby = { cluster: { ...cluster, data: join(cluster.runtime.folder, 'standby') }, port: port + 1 };
  }

  /** Creates both servers. Resolves when the standby is synchronous. */
  static async start(dataFolder: string, logFile: string): Promise<PostgresPair> {
    await rm(join(dataFolder, 'cluster'), { recursive: true, force: true });
    const cluster = await prepareCluster(dataFolder, true);
    await letBalancerIn(cluster);
    const pair = new PostgresPair(cluster, logFile);
    await pair.#run(pair.#primary);
    await pair.query('create role balancer login connection limit 10');
    await pair.addStandby();
    return pair;
  }

  /** Returns the URL of a database on the current primary. */
  url(role: Role, database: string): string {
    return buildUrl(this.#primary.cluster, this.#primary.port, role, database);
  }

  /** Kills the primary's processes, as a power failure would. */
  async killPrimary(): Promise<void> {
    await endChild(this.#primary.child!, 'SIGKILL');
  }

  /** Promotes the standby, as an operator does. Resolves when it is the primary. */
  async promote(): Promise<void> {
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    const [row] = await this.query<{ promoted: boolean }>('select pg_promote(true, 60) as promoted');
    if (!row?.promoted) throw new Error('the standby could not be promoted');
  }

  /** Suspends every process of the primary: connections stay open without responses. */
  async hangPrimary(): Promise<void> {
    const main = this.#primary.child!.pid!;
    await asAdmin(this.url('admin', 'postgres'), async (admin) => {
      process.kill(main, 'SIGSTOP');
      this.#hung.push(main);
      const { rows } = await admin.query<{ pid: number }>(
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      );
      for (const { pid } of rows) if (signalIfThere(pid, 'SIGSTOP')) this.#hung.push(pid);
    });
  }

  /** Resumes suspended processes in their current role. */
  wake(): void {
    for (const pid of this.#hung.splice(0).reverse()) signalIfThere(pid, 'SIGCONT');
  }

  async killStandby(): Promise<void> {
    await endChild(this.#standby.child!, 'SIGKILL');
  }

  /** Makes the primary acknowledge changes without the standby. */
  async doWithoutStandby(): Promise<void> {
    await this.query('alter system reset synchronous_standby_names');
    await this.query('select pg_reload_conf()');
  }

  /** Makes the other server a copy of the primary, which waits for it from then on. */
  async addStandby(): Promise<void> {
    const { cluster } = this.#standby;
    await rm(cluster.data, { recursive: true, force: true });
    await this.#copyPrimary(cluster);
    await this.#run(this.#standby, { primary_conninfo: this.#conninfo() });
    await this.query(`alter system set synchronous_standby_names = 'standby'`);
    await this.query('select pg_reload_conf()');
    const isSynchronous = async () => {
      const rows = await this.query(
        `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
      );
      return rows.length === 1;
    };
    if (!(await within(START_TIMEOUT_MS, isSynchronous))) throw new Error('the standby does not become synchronous');
  }

  /** Queries the primary as the superuser. */
  async query<R extends object>(text: string): Promise<R[]> {
    return asAdmin(this.url('admin', 'postgres'), async (admin) => (await admin.query<R>(text)).rows);
  }

  async stop(): Promise<void> {
    this.wake();
    for (const { child } of [this.#standby, this.#primary]) if (child) await endChild(child, 'SIGQUIT');
  }

  async #run(member: Member, settings: Record<string, string> = {}): Promise<void> {
    const { cluster, port } = member;
    const { runtime, data } = cluster;
    const options = Object.entries({ ...SETTINGS, ...settings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    member.child = startChild(
      join(runtime.bin, 'postgres'),
      ['-D', data, ...options],
      { TZ: 'UTC', LC_ALL: 'C' },
      this.#logFile,
      runtime.user,
    );
    const url = buildUrl(cluster, port, 'admin', 'postgres');
    const answers = () => asAdmin(url, () => Promise.resolve(true)).catch(() => false);
    if (!(await within(START_TIMEOUT_MS, answers))) throw new Error('Postgres does not start; its log has the reason');
  }

  async #copyPrimary({ data, runtime }: Cluster): Promise<void> {
    const source = this.#primary.cluster.data;
    const label = await asAdmin(this.url('admin', 'postgres'), async (admin) => {
      await admin.query(`select pg_backup_start('standby', true)`);
      const filter = (path: string) => !NOT_COPIED.test(relative(source, path));
      await cp(source, data, { recursive: true, filter });
      const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      return rows[0]!.labelfile;
    });
    await writeFile(join(data, 'backup_label'), label);
    await writeFile(join(data, 'standby.signal'), '');
    await chmod(data, 0o700);
    const { user } = runtime;
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
  }

  #conninfo(): string {
    const { username, password, port } = new URL(this.url('admin', 'postgres'));
    return `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Admits the balancer's check, which has no password, as `deploy/` does. */
async function letBalancerIn({ data, runtime }: Cluster): Promise<void> {
  const file = join(data, 'pg_hba.conf');
  await writeFile(file, `host postgres balancer 127.0.0.1/32 trust\n${await readFile(file, 'utf8')}`);
  give(file, runtime.user);
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end().catch(() => undefined);
  }
}
