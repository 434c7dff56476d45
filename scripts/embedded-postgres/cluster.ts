// Makes the cluster: initdb, the two roles, the database and the passwords, all or nothing.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WAY_OUT, program, spawnOptions } from './runtime.ts';
import type { Runtime } from './runtime.ts';

export type Role = 'admin' | 'owner' | 'service';

export const ROLE_NAMES: Record<Role, string> = {
  admin: 'postgres',
  owner: 'awareness_owner',
  service: 'awareness_service',
};
export const DATABASE = 'awareness';

const PASSWORD_FILE = 'awareness-passwords.json';
const NO_PRIVILEGES = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/** Where the cluster of a runtime lies. It bears this name only once it is finished. */
export function clusterFolder(runtime: Runtime): string {
  return join(runtime.folder, 'cluster');
}

/** The passwords of the roles. Throws when the cluster has none. */
export async function readPasswords(runtime: Runtime): Promise<Record<Role, string>> {
  return JSON.parse(await readFile(join(clusterFolder(runtime), PASSWORD_FILE), 'utf8')) as Record<Role, string>;
}

async function run(runtime: Runtime, name: 'initdb' | 'postgres', args: string[], input: string): Promise<void> {
  const child = spawn(program(runtime.bin, name), args, {
    ...spawnOptions(runtime.user, runtime.folder),
    detached: true, // Ctrl-C on the terminal is for whoever started it
    stdio: 'pipe',
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.on('error', () => undefined); // its exit code tells
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done));
  if (code !== 0) throw new Error(`The data folder could not be made: ${name} says\n${said.trim()}\n${WAY_OUT}`);
}

async function writePrivate(runtime: Runtime, path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
  if (runtime.user) await chown(path, runtime.user.uid, runtime.user.gid);
}

function initdbArguments(cluster: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${ROLE_NAMES.admin}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C', // what the operating system's locale still decides: the same on every machine
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

function setupStatements(passwords: Record<Role, string>): string {
  return [
    `CREATE ROLE ${ROLE_NAMES.owner} ${NO_PRIVILEGES} PASSWORD '${passwords.owner}'`,
    `CREATE ROLE ${ROLE_NAMES.service} ${NO_PRIVILEGES} PASSWORD '${passwords.service}'`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE_NAMES.owner}`,
    '',
  ].join('\n');
}

async function build(runtime: Runtime, workshop: string, durable: boolean): Promise<void> {
  if (runtime.user) await chown(workshop, runtime.user.uid, runtime.user.gid);
  const cluster = join(workshop, 'cluster');
  const password = () => randomBytes(24).toString('base64url');
  const passwords = { admin: password(), owner: password(), service: password() };
  const passwordFile = join(workshop, 'password');
  await writePrivate(runtime, passwordFile, passwords.admin);
  await run(runtime, 'initdb', initdbArguments(cluster, passwordFile, durable), '');
  const single = [
    '--single',
    '-D',
    cluster,
    '-c',
    'exit_on_error=true',
    '-c',
    `fsync=${durable ? 'on' : 'off'}`,
    // They guard passwords that can be guessed; these are of 192 random bits, and each connection pays for them.
    '-c',
    'scram_iterations=1',
    'postgres',
  ];
  await run(runtime, 'postgres', single, setupStatements(passwords));
  await writePrivate(runtime, join(cluster, PASSWORD_FILE), JSON.stringify(passwords));
  await rename(cluster, clusterFolder(runtime));
}

// Under the lock, with no server running.
async function discardRemoved(runtime: Runtime): Promise<void> {
  if (!runtime.marker || existsSync(runtime.marker)) return;
  if (existsSync(clusterFolder(runtime)))
    await rename(clusterFolder(runtime), join(runtime.folder, `making-${randomUUID()}`));
  await writeFile(runtime.marker, `${runtime.folder}\n`);
}

/** True when the data folder was removed and its data, kept elsewhere, are still there. */
export function isRemoved(runtime: Runtime): boolean {
  return runtime.marker !== undefined && !existsSync(runtime.marker) && existsSync(clusterFolder(runtime));
}

/**
 * Makes the cluster unless there is a finished one, and throws away unfinished and removed ones. Call it under the
 * start lock; no server may run on a removed one. Throws with the output of Postgres when it cannot.
 */
export async function ensureCluster(runtime: Runtime, durable: boolean): Promise<void> {
  await discardRemoved(runtime);
  const leftovers = (await readdir(runtime.folder)).filter((name) => name.startsWith('making-'));
  for (const name of leftovers) {
    // An initdb whose starter was killed may still be writing there: what stays now goes the next time.
    await rm(join(runtime.folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
  if (existsSync(clusterFolder(runtime))) return;
  const workshop = await mkdtemp(join(runtime.folder, 'making-'));
  try {
    await build(runtime, workshop, durable);
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 5 });
  }
}
