// Processes as files name them: who holds the start lock, who uses the server, is that pid still the same process.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOCK_PATIENCE_MS = 180_000;
const HALF_WRITTEN_MS = 5_000;

/** True when the error has one of these system codes (ENOENT, EEXIST, ...). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function output(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function isPid(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0;
}

/** True when a process has this pid, a zombie included. */
export function isInUse(pid: number): boolean {
  if (!isPid(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/**
 * The pid with the start time of its process, so that a reused pid does not pass for the old process.
 * Undefined when there is no such process; a zombie counts as none.
 */
export function identityOf(pid: number): string | undefined {
  if (!isPid(pid)) return undefined;
  if (process.platform === 'win32') return isInUse(pid) ? String(pid) : undefined;
  if (process.platform !== 'linux') {
    const [state, ...started] = output('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).split(/\s+/);
    return !state || state.startsWith('Z') ? undefined : `${pid} ${started.join(' ')}`;
  }
  const text = procFile(pid, 'stat');
  // The name in brackets may hold spaces and brackets itself: count the fields from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return !startTime || state === 'Z' || state === 'X' ? undefined : `${pid} ${startTime}`;
}

/** True when the process runs a program whose arguments include this path. Windows shows no arguments: existing is enough. */
export function runsWith(pid: number, path: string): boolean {
  if (process.platform === 'win32') return isInUse(pid);
  if (process.platform === 'linux') return procFile(pid, 'cmdline').split('\0').includes(path);
  return `${output('ps', ['-ww', '-o', 'command=', '-p', String(pid)])} `.includes(` ${path} `);
}

// With its folder, for a copied folder has copies of these files too.
function tokenFor(pid: number, path: string): string {
  return `${identityOf(pid) ?? 'none'} in ${dirname(path)}`;
}

function isStale(token: string, path: string): boolean {
  return token !== tokenFor(Number.parseInt(token, 10), path);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}

async function createOnce(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

// Between reading a stale lock and removing it another process may have taken it: only the holder of
// the second file removes, and only what it has read again.
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.removal`;
  if (!(await createOnce(guard, ''))) {
    if ((await ageOf(guard)) > HALF_WRITTEN_MS) await rm(guard, { force: true });
    return;
  }
  try {
    const token = await textOf(path);
    const halfWritten = token === '' && (await ageOf(path)) < HALF_WRITTEN_MS;
    if (token !== undefined && !halfWritten && isStale(token, path)) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/**
 * Runs the work while this process alone holds the lock file; a lock left by a dead process is taken over.
 * Gives what the work gives. Throws what the work throws, and an error naming the file after three minutes of waiting.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  while (!(await createOnce(path, tokenFor(process.pid, path)))) {
    if (Date.now() > deadline) throw new Error(`${path} is held by process ${(await textOf(path)) ?? ''} for too long`);
    const token = await textOf(path);
    if (token !== undefined && isStale(token, path)) await removeStale(path);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Notes in the folder that this process uses the server, and gives the path of the note. Call it under the lock. */
export async function addUser(folder: string): Promise<string> {
  const path = join(folder, `user-${randomUUID()}`);
  await writeFile(path, tokenFor(process.pid, path), { mode: 0o644 });
  return path;
}

/** Removes one's own note and those of dead processes; true when no note is left. Call it under the lock. */
export async function removeUser(folder: string, note: string): Promise<boolean> {
  await rm(note, { force: true });
  let last = true;
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith('user-'))) {
    const path = join(folder, name);
    if (isStale((await textOf(path)) ?? '', path)) await rm(path, { force: true });
    else last = false;
  }
  return last;
}
