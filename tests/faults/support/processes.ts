import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, statusOf } from '../../process/support.ts';
import { until } from '../../support/until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_TIMEOUT_MS = 180_000;

const running = new Set<ChildProcess>();
// Kills the children when this process exits. If a signal kills the process outright, they keep running.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a program whose output goes to a file.
 * @param as the user of the program, which runs in a folder that every user can enter; undefined for the current user
 */
export function startChild(
  command: string,
  args: string[],
  env: Record<string, string>,
  logFile: string,
  as?: { uid: number; gid: number },
): ChildProcess {
  const log = openSync(logFile, 'a');
  const { PATH } = process.env;
  const place = as ? { ...as, cwd: '/' } : { cwd: ROOT };
  const child = spawn(command, args, { ...place, env: { PATH, ...env }, stdio: ['ignore', log, log] });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** A process of `src/main.ts` that can be ended and restarted on its port, as by a supervisor. */
export class Service {
  readonly #env: Record<string, string>;
  readonly #logFile: string;
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(env: Record<string, string>, logFile: string, port: number) {
    this.#env = { ...env, PORT: String(port), NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };
    this.#logFile = logFile;
    this.port = port;
  }

  /** Starts the service on the port of its environment, if any. Resolves when it is ready. */
  static async start(env: Record<string, string>, logFile: string): Promise<Service> {
    const service = new Service(env, logFile, env.PORT ? Number(env.PORT) : await freePort());
    await service.start();
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/v1`;
  }

  /** Starts the process without waiting for it. */
  spawn(): void {
    this.#child = startChild(process.execPath, ['src/main.ts'], this.#env, this.#logFile);
  }

  async start(): Promise<void> {
    this.spawn();
    await until(async () => (await statusOf(`${this.url}/ready`)) === 200, START_TIMEOUT_MS);
  }

  signal(name: NodeJS.Signals): void {
    this.#child!.kill(name);
  }

  async kill(): Promise<void> {
    await endChild(this.#child!, 'SIGKILL');
  }

  /** Sends SIGTERM; resolves when the process has ended. */
  async terminate(): Promise<void> {
    await endChild(this.#child!, 'SIGTERM');
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }
}
