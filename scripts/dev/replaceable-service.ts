import { join } from 'node:path';
import { isReady } from '../demo/readiness.ts';
import { type Service, startService } from '../demo/service.ts';

/** Node's cache of compiled modules, with which a start takes half the time. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled');

export interface ServiceSettings {
  env: NodeJS.ProcessEnv;
  base: string;
  drainTimeoutMs: number;
}

/** The service as a process that is replaced when its code has changed. */
export class ReplaceableService {
  readonly #settings: ServiceSettings;
  #current: Service | undefined;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /** Restarts it. False when it ends before it is ready; its own output says why. */
  async replace(): Promise<boolean> {
    await this.stop();
    const { env, base } = this.#settings;
    this.#current = startService({ NODE_COMPILE_CACHE, ...env });
    return isReady(this.#current, base);
  }

  async stop(): Promise<void> {
    this.#current?.stop(this.#settings.drainTimeoutMs);
    await this.#current?.ended;
  }
}
