import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../process/support.ts';

/** Settings file of a deployment, which the tests use as well. */
export const PGBOUNCER_INI = join(import.meta.dirname, '../../deploy/pgbouncer.ini');

export interface FoundPgBouncer {
  path: string;
  /** Major and minor number: `[1, 24]`. */
  version: number[];
}

/** Returns each PgBouncer of the machine: first the one that PGBOUNCER names, then those in PATH and in `/usr/sbin`. */
export function findPgBouncers(): FoundPgBouncer[] {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  const named = process.env.PGBOUNCER ? [process.env.PGBOUNCER] : [];
  const paths = new Set([...named, ...folders.map((folder) => join(folder, 'pgbouncer'))]);
  return [...paths].flatMap((path) => {
    const version = /^PgBouncer (\d+)\.(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '');
    return version ? [{ path, version: version.slice(1).map(Number) }] : [];
  });
}

/** Reports whether a PgBouncer supports prepared statements in transaction mode, which came with version 1.21. */
export function isNewEnough({ version: [major, minor] }: FoundPgBouncer): boolean {
  return major! > 1 || minor! >= 21;
}

/** Returns the first PgBouncer of the machine that the service can use. */
export function newestPgBouncer(): FoundPgBouncer | undefined {
  return findPgBouncers().find(isNewEnough);
}

/** A running PgBouncer in front of a Postgres. Only the role in the target URL can connect. */
export class PgBouncer {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.port = port;
    this.#folder = folder;
  }

  /** @param overrides lines that replace settings of the deployment */
  static async start(found: FoundPgBouncer, target: string, overrides: string[] = []): Promise<PgBouncer> {
    const { path } = found;
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'awareness-pooler-'));
    chmodSync(folder, 0o755);
    const { hostname, port: targetPort, username, password } = new URL(target);
    const port = await freePort();
    // The last value of a setting wins. A second section of the same name would start from the defaults again.
    const own = [
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      `auth_file = ${folder}/users.txt`,
    ];
    const committed = readFileSync(PGBOUNCER_INI, 'utf8').replace(
      /^\* =.*/m,
      `* = host=${hostname} port=${targetPort}`,
    );
    const known = isNewEnough(found) ? committed : committed.replace(/^max_prepared_statements.*/m, '');
    const settings = [known, ...own, ...overrides, ''];
    writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'), { mode: 0o644 });
    writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`, { mode: 0o644 });
    // PgBouncer does not run as root.
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
    const child = spawn(path, [join(folder, 'pgbouncer.ini')], {
      ...user,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
    const made = new PgBouncer(child, port, folder);
    if (await made.#answers(target)) return made;
    await made.stop();
    throw new Error(`${path} does not start: ${said}`);
  }

  /** Returns the URL of a database through this PgBouncer. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(target: string): Promise<boolean> {
    for (let tries = 0; tries < 100 && this.#child.exitCode === null; tries++) {
      const client = new pg.Client(this.through(target)).on('error', () => undefined);
      const isThere = await client.connect().then(
        () => true,
        (error: { code?: string }) => error.code !== 'ECONNREFUSED',
      );
      await client.end().catch(() => undefined);
      if (isThere) return true;
      await sleep(50);
    }
    return false;
  }
}
