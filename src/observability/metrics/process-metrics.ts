import { collectDefaultMetrics, type Registry } from '@prometheus-io/client';

/** Metrics that the library samples ten times a second; the lag of the event loop shows the same at less cost. */
const SAMPLED = ['nodejs_eventloop_utilization_summary', 'nodejs_eventloop_utilization_histogram'];
/** Longest possible interval of a timer; used because the library cannot turn these samples off. */
const NEVER_MS = 2 ** 31 - 1;

/** Collects Node's metrics of the process. Collecting them costs time, so only processes that serve metrics do it. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: NEVER_MS });
  for (const name of SAMPLED) registry.removeSingleMetric(name);
}
