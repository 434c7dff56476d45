import { Histogram, type Registry } from '@prometheus-io/client';

export interface HistogramOptions {
  name: string;
  help: string;
  label: string;
  buckets: number[];
}

/** Observes a value for a value of the label, which must come from a fixed set. */
export type Observe = (labelValue: string, value: number) => void;

/** A histogram that looks its label up once, as `boundCounter` does. */
export function boundHistogram(registry: Registry, { name, help, label, buckets }: HistogramOptions): Observe {
  const histogram = new Histogram({ name, help, labelNames: [label], buckets, registers: [registry] });
  const children = new Map<string, Histogram.Internal<string>>();
  return (labelValue, value) => {
    let child = children.get(labelValue);
    if (!child) children.set(labelValue, (child = histogram.labels(labelValue)));
    child.observe(value);
  };
}
