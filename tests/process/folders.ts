import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../support/until.ts';

const made = new Set<string>();

/** Creates a folder that every user can enter, like the folder of a checkout. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'awareness-test-'));
  chmodSync(folder, 0o755);
  made.add(folder);
  return folder;
}

const PROJECT = [
  'api',
  'contract-gate',
  'docs',
  'generated',
  'migrations',
  'scripts',
  'sdk',
  'seeds',
  'src',
  '.prettierrc.json',
  'CHANGELOG.md',
  'package.json',
  'redocly.yaml',
  'tsconfig.json',
];

/** Copies the project without its tests, so that a test can change it. */
export function copyProject(): string {
  const project = join(makeFolder(), 'project');
  mkdirSync(project);
  for (const name of PROJECT) cpSync(name, join(project, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  return project;
}

/** Makes `removeFolders` remove a folder as well, such as a folder that Postgres chose itself. */
export function removeAtTheEnd(folder: string): void {
  made.add(folder);
}

/** Kills the processes that a failed test left running in the folders; for afterEach. */
export async function endProcesses(): Promise<void> {
  await until(() => {
    const left = processesOf(...made);
    left.forEach(endProcess);
    return left.length === 0;
  });
}

/** Removes the folders; for afterAll. */
export async function removeFolders(): Promise<void> {
  await endProcesses();
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the processes, except this one, that work in a folder or have it in their arguments or environment. */
export function processesOf(...folders: string[]): number[] {
  const found = processes().filter(({ traces }) => folders.some((folder) => traces.includes(folder)));
  return found.map(({ pid }) => pid).filter((pid) => pid !== process.pid);
}

function processes(): { pid: number; traces: string }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), traces: line }));
  }
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  return pids.map((pid) => ({
    pid,
    traces: ['cmdline', 'environ', 'cwd'].map((name) => traceOf(pid, name)).join('\0'),
  }));
}

/** Returns an empty string for a process that has ended, or that belongs to another user. */
function traceOf(pid: number, name: string): string {
  const path = `/proc/${pid}/${name}`;
  try {
    return name === 'cwd' ? readlinkSync(path) : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
