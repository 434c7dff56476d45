import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Counts what Node tells of the process. Only where it is read: it is not free. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}
