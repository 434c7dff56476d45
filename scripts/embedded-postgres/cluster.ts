// Creates the cluster: initdb, two roles, the database and the passwords. A cluster is either complete or does not
// exist.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { give, prepareRuntime, run, type Runtime } from './runtime.ts';

export type Role = 'admin' | 'owner' | 'service';
type Passwords = Record<Role, string>;

export interface Cluster {
  runtime: Runtime;
  /** The data directory of Postgres. It gets this name only when it is complete. */
  data: string;
  passwords: Passwords;
}

export const DATABASE = 'awareness';
const NAMES: Record<Role, string> = { admin: 'postgres', owner: 'awareness_owner', service: 'awareness_service' };
const NO_PRIVILEGES = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
const PASSWORD_FILE = 'awareness-passwords.json';

/** Finds the cluster of a data folder, or creates it. Throws with the output of Postgres if that fails. */
export async function prepareCluster(dataFolder: string, durable: boolean): Promise<Cluster> {
  const runtime = await prepareRuntime(dataFolder);
  const data = join(runtime.folder, 'cluster');
  if (!existsSync(data)) await make(runtime, data, durable);
  // Removes unfinished clusters of other processes. If a process is still writing one, that process fails to finish it
  // and uses the existing cluster; the next start removes the remains.
  for (const name of (await readdir(runtime.folder)).filter((entry) => entry.startsWith('making-'))) {
    await rm(join(runtime.folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const passwords = JSON.parse(await readFile(join(data, PASSWORD_FILE), 'utf8')) as Passwords;
  return { runtime, data, passwords };
}

export function buildUrl({ passwords }: Cluster, port: number, role: Role, database: string): string {
  return `postgresql://${NAMES[role]}:${passwords[role]}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

async function make(runtime: Runtime, data: string, durable: boolean): Promise<void> {
  const workshop = await mkdtemp(join(runtime.folder, 'making-'));
  const unfinished = join(workshop, 'cluster');
  const passwordFile = join(workshop, 'password');
  const password = () => randomBytes(24).toString('base64url');
  const passwords = { admin: password(), owner: password(), service: password() };
  try {
    give(workshop, runtime.user);
    await writePrivate(runtime, passwordFile, passwords.admin);
    await run(runtime, 'initdb', initdbArguments(unfinished, passwordFile, durable));
    const single = ['--single', '-D', unfinished, '-c', 'exit_on_error=true', 'postgres'];
    await run(runtime, 'postgres', single, setupStatements(passwords));
    await writePrivate(runtime, join(unfinished, PASSWORD_FILE), JSON.stringify(passwords));
    await rename(unfinished, data);
  } catch (error) {
    if (!existsSync(data)) throw error; // Otherwise, another process has created the cluster first.
  }
}

async function writePrivate({ user }: Runtime, path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true });
  give(path, user);
}

function initdbArguments(data: string, passwordFile: string, durable: boolean): string[] {
  const encoding = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const logins = [`--username=${NAMES.admin}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // More iterations slow down each connection, and only protect guessable passwords. These passwords have 192 random
  // bits.
  const scram = '--set=scram_iterations=1';
  return [`--pgdata=${data}`, ...encoding, ...logins, scram, ...(durable ? [] : ['--no-sync', '--set=fsync=off'])];
}

function setupStatements({ owner, service }: Passwords): string {
  return `CREATE ROLE ${NAMES.owner} ${NO_PRIVILEGES} PASSWORD '${owner}'
CREATE ROLE ${NAMES.service} ${NO_PRIVILEGES} PASSWORD '${service}'
CREATE DATABASE ${DATABASE} OWNER ${NAMES.owner}
`;
}
