// Runs the scripts of deploy/postgres/ with a Postgres of the operating system instead of the image.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { makeFolder, removeFolders } from './folders.ts';
import { freePort } from './support.ts';
import { until } from '../support/until.ts';
import { findPrograms } from './system-postgres.ts';

const bin = findPrograms();
const canCopy = bin !== undefined && existsSync(join(bin, 'pg_basebackup'));
if (!canCopy) process.stderr.write('SKIPPED: no pg_basebackup, so no pair of servers is started\n');
const withPostgres = canCopy ? describe : describe.skip;

const CONF = resolve('deploy/postgres/postgresql.conf');
const HBA = resolve('deploy/postgres/pg_hba.conf');
const PASSWORDS = { OWNER_PASSWORD: 'owner', SERVICE_PASSWORD: "it's", REPLICATION_PASSWORD: 'replication' };

withPostgres(`a pair of servers${canCopy ? '' : ' (there is no pg_basebackup here)'}`, () => {
  /** A server of the pair, as in its container. */
  class Member {
    readonly data: string;
    readonly port: number;
    output = '';
    #child: ChildProcess | undefined;

    constructor(name: string, port: number) {
      this.data = join(folder, name);
      this.port = port;
    }

    /** Starts the server with the script and the settings of `deploy/`, scaled down. */
    start(peer: Member): void {
      const small = { port: this.port, hba_file: HBA, unix_socket_directories: folder, shared_buffers: '16MB' };
      const settings = Object.entries({ config_file: CONF, ...small, listen_addresses: '127.0.0.1' });
      const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const env = { ...options.env, ...PASSWORDS, PGDATA: this.data, PEER: `host=127.0.0.1 port=${peer.port}` };
      this.output = '';
      this.#child = spawn(resolve('deploy/postgres/start.sh'), args, { ...options, env, stdio: 'pipe' });
      for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
        stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
      }
    }

    async end(signal: NodeJS.Signals): Promise<number | null> {
      const child = this.#child;
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
      const gone = once(child, 'exit');
      child.kill(signal);
      return ((await gone) as [number | null])[0];
    }

    async exitCode(): Promise<number | null> {
      const child = this.#child!;
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    }

    async query(text: string, database = 'postgres'): Promise<any[]> {
      const client = new pg.Client({ host: folder, port: this.port, user: 'postgres', database });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    }

    async isStandby(): Promise<boolean | undefined> {
      return this.query('select pg_is_in_recovery() as standby').then(
        ([row]) => row.standby as boolean,
        () => undefined,
      );
    }
  }

  /** Logs in over the network. */
  async function logIn({ port }: Member, as: pg.ClientConfig): Promise<void> {
    const client = new pg.Client({ host: '127.0.0.1', port, ...as });
    await client.connect();
    await client.end();
  }

  let folder: string;
  let options: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };

  beforeAll(() => {
    folder = makeFolder();
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
    if (user.uid) chownSync(folder, user.uid, user.gid);
    // Replaces the image's entry point, which runs the command if the data exists.
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'docker-entrypoint.sh'), '#!/bin/sh\nexec "$@"\n');
    chmodSync(join(programs, 'docker-entrypoint.sh'), 0o755);
    options = { ...user, cwd: folder, env: { PATH: `${programs}:${bin}:${process.env.PATH}`, LC_ALL: 'C', TZ: 'UTC' } };
  });
  afterAll(removeFolders);

  test('replicates to a standby, promotes it, and starts the old primary only as a standby', async () => {
    const [a, b] = [new Member('a', await freePort()), new Member('b', await freePort())];
    try {
      const initdb = ['-D', a.data, '-U', 'postgres', '--encoding=UTF8', '--no-locale', '--no-sync'];
      execFileSync(join(bin!, 'initdb'), initdb, { ...options, stdio: 'pipe' });
      b.start(a);
      a.start(b);
      await until(async () => (await a.isStandby()) === false);
      const env = { ...options.env, ...PASSWORDS, PGHOST: folder, PGPORT: String(a.port) };
      execFileSync(resolve('deploy/postgres/roles.sh'), [], { ...options, env, stdio: 'pipe' });

      await until(async () => (await b.isStandby()) === true);
      expect(b.output).toContain('waiting until the other server is the primary');
      await a.query(`alter system set synchronous_standby_names = 'standby'`);
      await a.query('select pg_reload_conf()');
      await until(async () => (await a.query('select sync_state from pg_stat_replication'))[0]?.sync_state === 'sync');
      await a.query('create table facts (n integer); insert into facts values (1)', 'awareness');

      await a.end('SIGKILL');
      await b.query('select pg_promote()');
      await b.query('insert into facts values (2)', 'awareness');
      a.start(b);
      expect(await a.exitCode()).toBe(1);
      expect(a.output).toContain('remove the data here to make this server its standby');

      rmSync(a.data, { recursive: true });
      a.start(b);
      await until(async () => (await a.isStandby()) === true);
      expect(await a.query('select n from facts order by n', 'awareness')).toEqual([{ n: 1 }, { n: 2 }]);
      await logIn(a, { user: 'awareness_service', password: "it's", database: 'awareness' });
      await logIn(a, { user: 'balancer', database: 'postgres' });
      await expect(logIn(a, { user: 'balancer', database: 'awareness' })).rejects.toThrow(/no pg_hba.conf entry/);
    } finally {
      await Promise.all([a.end('SIGQUIT'), b.end('SIGQUIT')]);
    }
  });
});
