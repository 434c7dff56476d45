import { join } from 'node:path';
import type { CommandError } from '../../src/commands/command.ts';
import { isReady } from '../demo/readiness.ts';
import { type Service, startService } from '../demo/service.ts';

/** Node's cache of compiled modules, which halves the start time. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled');

/** Long, because waiting does no harm: saving another change ends the wait. */
const READY_TIMEOUT_MS = 600_000;

export interface ServiceSettings {
  env: NodeJS.ProcessEnv;
  base: string;
  drainTimeoutMs: number;
}

/** A service process that is replaced when its code changes. */
export class ReplaceableService {
  readonly #settings: ServiceSettings;
  #current: Service | undefined;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  async replace(): Promise<void> {
    await this.stop();
    this.#current = startService({ NODE_COMPILE_CACHE, ...this.#settings.env });
  }

  /** Waits for the service. Returns false if it ends or takes too long; the output of the service explains why. */
  async isReady(): Promise<boolean> {
    try {
      return await isReady(this.#current!, this.#settings.base, READY_TIMEOUT_MS);
    } catch (error) {
      console.error((error as CommandError).message);
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#current?.stop(this.#settings.drainTimeoutMs);
    await this.#current?.ended;
  }
}
