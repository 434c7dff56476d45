import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { withRoutes } from '../support/routes.ts';

export interface Program {
  child: ChildProcess;
  /** Returns the output of both streams so far. */
  output(): string;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Service extends Program {
  url: string;
}

const running = new Set<ChildProcess>();
const { PATH, NODE_COMPILE_CACHE } = process.env;

/**
 * Starts a program of the project as its users do, with only these environment variables.
 * @param detached whether the program gets its own process group, which a test can signal as Ctrl-C in a terminal does
 */
export function startProgram(args: string[], env: Record<string, string>, detached = false): Program {
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<Awaited<Program['exit']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exit.then(() => running.delete(child));
  return { child, output: () => output, exit };
}

/** Starts `src/main.ts`. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const port = await freePort();
  return {
    ...startProgram(['src/main.ts'], { PORT: String(port), ...withRoutes(env) }),
    url: `http://127.0.0.1:${port}/v1`,
  };
}

/** Kills the programs that a failed test left running; for afterEach. */
export function stopServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a command of the project to its end. */
export async function run(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child } = startProgram(args, env);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...said };
}

/** Expects a command to have failed with one sentence on standard error, and with no stack trace or other output. */
export function expectRefusal(
  { code, stdout, stderr }: Awaited<ReturnType<typeof run>>,
  expectedCode: number,
  reason: string | RegExp,
): void {
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: expectedCode, stdout: '', lines: 2 });
  expect(stderr).toMatch(reason);
  expect(stderr).not.toMatch(/^\s+at |Error:|node_modules|\.ts:\d/m);
}

/** Returns the status of a GET, or 0 if the connection fails. */
export async function statusOf(url: string, key?: string): Promise<number> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return fetch(url, { headers }).then(
    (response) => response.status,
    () => 0,
  );
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
