import type { Task, TaskList } from 'graphile-worker';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { traced } from '../observability/tracing/tracing.ts';

/** The same tasks; each job is counted and timed, and has a span where traces are sent. */
export function observeTasks(tasks: TaskList, metrics: Pick<Metrics, 'job'>): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, observed(name, task as Task, metrics)]));
}

function observed(name: string, task: Task, metrics: Pick<Metrics, 'job'>): Task {
  return async (payload, helpers) => {
    const startedAt = performance.now();
    const secondsPassed = () => (performance.now() - startedAt) / 1000;
    try {
      await traced(`job ${name}`, { kind: 'consumer' }, async () => task(payload, helpers));
    } catch (error) {
      metrics.job(name, 'failed', secondsPassed());
      throw error;
    }
    metrics.job(name, 'succeeded', secondsPassed());
  };
}
