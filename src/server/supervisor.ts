import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import { EX_CONFIG } from './settings.ts';

/** What a process says to its supervisor once it takes traffic. */
export const READY = 'ready';

const RESPAWN_MS = 1000;

export interface SupervisorOptions {
  /** The roles of each process. */
  plans: readonly (readonly Role[])[];
  /** What the processes find in their environment beside what the supervisor has there. */
  env: Record<string, string>;
  logger: Logger;
  /** Called when the last process has ended. */
  onEnd: (exitCode: number) => void;
}

/** Keeps a process running for each plan. They share the port: this process accepts connections, and hands them on. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  /** The process of each plan, in their order. During a restart there are others too. */
  readonly #current: Child[] = [];
  #restarting: Promise<void> | undefined;
  /** What to exit with; undefined: it goes on. */
  #exitCode: number | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    for (const place of options.plans.keys()) this.#current[place] = this.#fork(place);
  }

  /** Ends the processes as their own SIGTERM does: each answers what it has begun. */
  stop(exitCode = 0): void {
    this.#exitCode ??= exitCode;
    for (const child of children()) child.process.kill('SIGTERM');
    if (children().length === 0) this.#options.onEnd(this.#exitCode);
  }

  /** Replaces one process after the other: the next begins to end when its successor takes traffic. */
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
        return logger.error({ pid: successor.process.pid }, 'a new process did not start: the others stay');
      }
      // Asked only now: the one of before may have ended meanwhile, and have been replaced.
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
    logger.info({ pid: child.process.pid, roles }, 'a process began');
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
    logger.warn({ pid: child.process.pid, code, signal }, 'a process ended: it is started again');
    await sleep(RESPAWN_MS);
    if (this.#exitCode === undefined && this.#current[place] === child) this.#current[place] = this.#fork(place);
  }
}

function children(): Child[] {
  return Object.values(cluster.workers ?? {}).filter((child) => child !== undefined && !child.isDead()) as Child[];
}

/** False for one that ends before it takes traffic. */
function isReady(child: Child): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message) => message === READY && resolve(true));
    child.once('exit', () => resolve(false));
  });
}
