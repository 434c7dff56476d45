import { Counter, type Registry } from '@prometheus-io/client';

export interface CounterOptions<Label extends string> {
  name: string;
  help: string;
  labels: readonly Label[];
}

/** Counts one for these values of the labels, in the order of the labels. The values must come from a fixed set. */
export type Count = (...values: string[]) => void;

/** A counter that looks its labels up once: the library checks and joins them at each call of `labels`. */
export function boundCounter<Label extends string>(registry: Registry, options: CounterOptions<Label>): Count {
  const { name, help, labels } = options;
  const counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  const children = new Map<string, Counter.Internal>();
  return (...values) => {
    const key = values.join(' ');
    let child = children.get(key);
    if (!child) children.set(key, (child = counter.labels(...values)));
    child.inc();
  };
}
