import { spawn } from 'node:child_process';
import { join } from 'node:path';

const KILL_AFTER_DRAIN_MS = 5000;

export interface Service {
  /** Resolves to the exit code when the process has ended; 0 if a signal ended it after `stop`. */
  ended: Promise<number>;
  /** Makes the service drain, and kills it if that takes too long. Further calls do nothing. */
  stop(drainTimeoutMs: number): void;
}

/** Starts the service as a separate process, which also ends if this process is killed. */
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
      if (!stopping) console.error(`The service has exited (${signal ?? `exit code ${code}`}).`);
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
