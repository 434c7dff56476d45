import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Service {
  url: string;
  child: ChildProcess;
  output(): string;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<ChildProcess>();

/** Starts `src/main.ts` as its users do. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const port = await freePort();
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<Awaited<Service['exit']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exit.then(() => running.delete(child));
  return { url: `http://127.0.0.1:${port}/v1`, child, output: () => output, exit };
}

/** For afterEach: ends what a failed test left behind. */
export function stopServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

export async function until(condition: () => Promise<boolean> | boolean, patienceMs = 10_000): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ;) {
    if (await condition()) return;
    if (Date.now() > deadline) throw new Error(`did not happen in ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The status of a GET, or 0 when nobody listens. */
export async function statusOf(url: string, key?: string): Promise<number> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return fetch(url, { headers }).then(
    (response) => response.status,
    () => 0,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
