// A Postgres of the operating system, for tests that need its client programs. The embedded Postgres has no pg_dump,
// and pg_dump rejects a server that is newer than itself.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makeFolder } from './folders.ts';
import { freePort } from './support.ts';
import { until } from '../support/until.ts';

const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_dumpall', 'pg_restore'];
/** Folders in which Debian, Red Hat and Homebrew put the programs of a version. */
const PLACES = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'];

/** Returns the folder with the programs of the newest version, or undefined if the machine has no complete Postgres. */
export function findPrograms(): string | undefined {
  const beside = PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .filter((name) => /^((pgsql-|postgresql@)?\d\d|postgresql)$/.test(name))
      .map((name) => join(place, name, 'bin')),
  );
  const folders = [...beside.toSorted().toReversed(), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))));
}

/** A server with a new cluster, where every local user can log in as any role. */
export class SystemPostgres {
  readonly #bin: string;
  #server: ChildProcess | undefined;
  #port = 0;

  constructor(bin: string) {
    this.#bin = bin;
  }

  async start(): Promise<void> {
    const folder = makeFolder();
    // Postgres does not run as root.
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined;
    if (user) chownSync(folder, user.uid, user.gid);
    const data = join(folder, 'data');
    const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
    const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
    execFileSync(join(this.#bin, 'initdb'), initdb, { ...options, stdio: 'pipe' });
    this.#port = await freePort();
    const settings = { port: this.#port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#server = spawn(join(this.#bin, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' });
    await until(() =>
      this.query('postgres', 'select 1').then(
        () => true,
        () => false,
      ),
    );
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server?.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
  }

  url(role: 'postgres' | 'awareness_owner' | 'awareness_service', database: string): string {
    return `postgres://${role}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Runs a query as the superuser, and returns the rows of the last statement. */
  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url('postgres', database));
    client.on('error', () => undefined);
    await client.connect();
    try {
      const result: unknown = await client.query<Record<string, unknown>>(text);
      return ([result].flat().at(-1) as pg.QueryResult<Record<string, unknown>>).rows;
    } finally {
      await client.end();
    }
  }
}
