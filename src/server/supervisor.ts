import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import { EX_CONFIG } from './settings.ts';

/** Message of a process to its supervisor once it accepts traffic. */
export const READY = 'ready';

const RESPAWN_MS = 1000;

export interface SupervisorOptions {
  /** Roles of each process. */
  plans: readonly (readonly Role[])[];
  /** Environment variables of the processes, in addition to the supervisor's own. */
  env: Record<string, string>;
  logger: Logger;
  /** Called after the last process has ended. */
  onEnd: (exitCode: number) => void;
}

/** Keeps a process running for each plan. The processes share the port: the supervisor passes connections to them. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  /** Current process of each plan, in the order of the plans. During a restart, more processes exist. */
  readonly #current: Child[] = [];
  #restarting: Promise<void> | undefined;
  /** Exit code of a stopping supervisor; undefined while it runs. */
  #exitCode: number | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    for (const place of options.plans.keys()) this.#current[place] = this.#fork(place);
  }

  /** Ends the processes with SIGTERM, so that each completes the requests that it has begun. */
  stop(exitCode = 0): void {
    this.#exitCode ??= exitCode;
    for (const child of children()) child.process.kill('SIGTERM');
    if (children().length === 0) this.#options.onEnd(this.#exitCode);
  }

  /** Replaces the processes one by one: each starts to shut down once its successor accepts traffic. */
  restart(): Promise<void> {
    return (this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined)));
  }

  async #restart(): Promise<void> {
    const { plans, logger } = this.#options;
    logger.info('restarting');
    for (const place of plans.keys()) {
      const successor = this.#fork(place);
      const hasStarted = await isReady(successor);
      if (this.#exitCode !== undefined) return;
      if (!hasStarted) {
        return logger.error({ pid: successor.process.pid }, 'new process did not start; keeping the old ones');
      }
      // Read only at this point, because the predecessor might have ended and been replaced in the meantime.
      const predecessor = this.#current[place]!;
      this.#current[place] = successor;
      if (!predecessor.isDead()) {
        const ended = once(predecessor, 'exit');
        predecessor.process.kill('SIGTERM');
        await ended;
      }
    }
    logger.info('restarted');
  }

  #fork(place: number): Child {
    const { plans, env, logger } = this.#options;
    const roles = plans[place]!;
    const child = cluster.fork({ ...env, ROLES: roles.join(',') });
    logger.info({ pid: child.process.pid, roles }, 'worker process started');
    child.once('exit', (code, signal) => void this.#onExit(place, child, { code, signal }));
    return child;
  }

  async #onExit(place: number, child: Child, { code, signal }: { code: number; signal: string }): Promise<void> {
    const { logger, onEnd } = this.#options;
    if (this.#exitCode !== undefined) {
      if (children().length === 0) onEnd(this.#exitCode);
      return;
    }
    if (this.#current[place] !== child) return;
    if (code === EX_CONFIG) return this.stop(EX_CONFIG);
    logger.warn({ pid: child.process.pid, code, signal }, 'worker process exited; restarting');
    await sleep(RESPAWN_MS);
    if (this.#exitCode === undefined && this.#current[place] === child) this.#current[place] = this.#fork(place);
  }
}

function children(): Child[] {
  return Object.values(cluster.workers ?? {}).filter((child) => child !== undefined && !child.isDead()) as Child[];
}

/** Waits until a process accepts traffic. Resolves to false if the process ends before that. */
function isReady(child: Child): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message) => message === READY && resolve(true));
    child.once('exit', () => resolve(false));
  });
}
