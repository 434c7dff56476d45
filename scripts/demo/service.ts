import { spawn } from 'node:child_process';
import { join } from 'node:path';

const KILL_AFTER_DRAIN_MS = 5000;

export interface Service {
  /** The exit code once the process is gone: 0 when a signal ended it because it was told to stop. */
  ended: Promise<number>;
  /** Tells it to drain, and kills it when it is not done in time. May be called again. */
  stop(drainTimeoutMs: number): void;
}

/** Starts the service as a process of its own, which also ends when this process is killed. */
export function startService(env: NodeJS.ProcessEnv): Service {
  const root = join(import.meta.dirname, '../..');
  // Detached: Ctrl-C reaches only this process, which then stops the service.
  const child = spawn(process.execPath, ['--import', './scripts/demo/end-with-parent.ts', 'src/main.ts'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let stopping: NodeJS.Timeout | undefined;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(stopping);
      if (!stopping) console.error(`The service has ended (${signal ?? `exit code ${code}`}).`);
      resolve(code ?? (stopping ? 0 : 1));
    });
  });
  return {
    ended,
    stop(drainTimeoutMs) {
      if (stopping || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      stopping = setTimeout(() => child.kill('SIGKILL'), drainTimeoutMs + KILL_AFTER_DRAIN_MS);
    },
  };
}
