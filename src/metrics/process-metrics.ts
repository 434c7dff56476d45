import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Collects Node's figures of the process. That costs time, so only processes that serve metrics do it. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}
