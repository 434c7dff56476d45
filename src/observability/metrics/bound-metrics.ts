import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

export interface HistogramOptions {
  name: string;
  help: string;
  label: string;
  buckets: number[];
}

/** Observes a value under a label value, which must come from a fixed set. */
export type Observe = (labelValue: string, value: number) => void;

/** Creates a histogram that looks its label up once, like `boundCounter`. */
export function boundHistogram(registry: Registry, { name, help, label, buckets }: HistogramOptions): Observe {
  const histogram = new Histogram({ name, help, labelNames: [label], buckets, registers: [registry] });
  const children = new Map<string, Histogram.Internal<string>>();
  return (labelValue, value) => {
    let child = children.get(labelValue);
    if (!child) children.set(labelValue, (child = histogram.labels(labelValue)));
    child.observe(value);
  };
}

interface CounterOptions<Label extends string> {
  name: string;
  help: string;
  labels: readonly Label[];
}

/**
 * Adds one to the count of these label values, which are in the order of the labels. The values must come from a fixed
 * set.
 */
type Count = (...values: string[]) => void;

/** Creates a counter that looks its labels up once: the library checks and joins them at each call of `labels`. */
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

/**
 * Creates a gauge whose values, one for each label value, are read at each scrape. It has no values while `read`
 * returns undefined.
 */
export function readGauge(
  registry: Registry,
  { name, help, label }: Record<'name' | 'help' | 'label', string>,
  read: () => Promise<Readonly<Record<string, number>> | undefined>,
): void {
  new Gauge({
    ...{ name, help, labelNames: [label], registers: [registry] },
    async collect() {
      const values = await read();
      this.reset();
      for (const [labelValue, value] of Object.entries(values ?? {})) this.set({ [label]: labelValue }, value);
    },
  });
}

/** Creates a gauge that is 1 if `isSet` returns true at a scrape, otherwise 0. */
export function flagGauge(
  registry: Registry,
  { name, help }: Record<'name' | 'help', string>,
  isSet: () => boolean,
): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    collect() {
      this.set(isSet() ? 1 : 0);
    },
  });
}
