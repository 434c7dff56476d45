// Three disposable Citus nodes on this machine: a coordinator and two workers, only on 127.0.0.1.
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { readPidFile, start, stop } from '../../scripts/embedded-postgres/postmaster.ts';
import { give, prepareRuntime, run, type Runtime } from '../../scripts/embedded-postgres/runtime.ts';
import type { Cluster as Server } from '../../scripts/embedded-postgres/cluster.ts';

type Role = 'postgres' | 'awareness_owner' | 'awareness_service';

/** A running cluster. Its nodes have the same databases, roles and passwords; the first one is the coordinator. */
export class CitusCluster {
  readonly #folder: string;
  readonly #servers: Server[] = [];
  readonly #ports: number[] = [];
  readonly #password = randomBytes(24).toString('base64url');

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the nodes in a folder, which is emptied first, and starts them. */
  static async start(bin: string, folder: string): Promise<CitusCluster> {
    const cluster = new CitusCluster(folder);
    try {
      for (const name of ['coordinator', 'worker-1', 'worker-2']) await cluster.#startNode(bin, join(folder, name));
      for (const port of cluster.#ports) await cluster.#prepareNode(port);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Returns the URL of a database on the coordinator. */
  url(role: Role, database: string): string {
    return this.#urlAt(this.#ports[0]!, role, database);
  }

  /** Returns the superuser's URLs of a database on each node, coordinator first. */
  adminUrls(database: string): string[] {
    return this.#ports.map((port) => this.#urlAt(port, 'postgres', database));
  }

  /** Creates a database on every node, and joins them to a Citus cluster. */
  async createDatabase(name: string): Promise<void> {
    for (const url of this.adminUrls('postgres')) await query(url, `create database ${name} owner awareness_owner`);
    const login = `password=${this.#password}`;
    for (const url of this.adminUrls(name)) {
      await query(url, 'create extension citus');
      const roles = `unnest(array['postgres', 'awareness_owner', 'awareness_service']) as role, unnest(array[-1, 0]) as node`;
      await query(url, `insert into pg_dist_authinfo select node, role, '${login}' from ${roles}`);
    }
    const [coordinator, ...workers] = this.#ports;
    const join = workers.map((port) => `select citus_add_node('127.0.0.1', ${port})`);
    const statements = [`select citus_set_coordinator_host('127.0.0.1', ${coordinator})`, ...join];
    for (const statement of statements) await query(this.url('postgres', name), statement);
  }

  /** Stops the nodes; their data is lost. */
  async stop(): Promise<void> {
    for (const server of this.#servers.splice(0)) {
      const { pid } = await readPidFile(server).catch(() => ({ pid: 0 }));
      if (pid) await stop(server, pid);
      await rm(server.runtime.folder, { recursive: true, force: true });
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #urlAt(port: number, role: Role, database: string): string {
    return `postgresql://${role}:${this.#password}@127.0.0.1:${port}/${database}`;
  }

  async #startNode(bin: string, folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const runtime: Runtime = { ...(await prepareRuntime(folder)), bin };
    const server = { runtime, data: join(runtime.folder, 'cluster'), passwords: { admin: '', owner: '', service: '' } };
    this.#servers.push(server);
    const passwordFile = join(runtime.folder, 'password');
    await writeFile(passwordFile, this.#password, { mode: 0o600 });
    give(passwordFile, runtime.user);
    const logins = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await run(runtime, 'initdb', [
      `--pgdata=${server.data}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
      ...logins,
    ]);
    while ((await start(server, SETTINGS, false)) !== 'started');
    this.#ports.push((await readPidFile(server)).port);
  }

  async #prepareNode(port: number): Promise<void> {
    await query(this.#urlAt(port, 'postgres', 'postgres'), rolesWith(this.#password));
  }
}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '200',
  max_prepared_transactions: '200',
  'citus.node_conninfo': 'sslmode=disable',
  // One shard per worker: enough to distinguish one node from several.
  'citus.shard_count': '2',
};

const rolesWith = (password: string) => `
  create role awareness_owner login password '${password}';
  create role awareness_service login password '${password}';
  alter role awareness_owner set citus.enable_unsafe_triggers = 'on';
  alter role awareness_service set citus.propagate_set_commands = 'local';
  alter role awareness_service set citus.allow_nested_distributed_execution = 'on';
  grant pg_read_all_stats, pg_signal_backend to awareness_owner`;

export async function query<R extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}
