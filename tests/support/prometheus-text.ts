/** A metric in a scrape. */
export interface Metric {
  type: string;
  help: string;
  samples: Sample[];
}

export interface Sample {
  /** Name of the metric; for a part of a histogram, including the suffix. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/;
const LABELS = /([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/**
 * Parses the text format of Prometheus.
 * @throws on an invalid line, and on a sample without type and help
 */
export function parseMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  let current: Metric | undefined;
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, name = '', words = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') metrics.set(name, (current = { type: '', help: words, samples: [] }));
    else if (kind === 'TYPE') metrics.get(name)!.type = words;
    else if (current?.type) current.samples.push(sampleOf(line));
    else throw new Error(`A sample without a type: ${line}`);
  }
  return metrics;
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (!name || (Number.isNaN(Number(value)) && !/^nan$/i.test(value!))) throw new Error(`No sample: ${line}`);
  const pairs = [...labels.matchAll(LABELS)];
  if (pairs.map(([pair]) => pair).join('') !== labels) throw new Error(`No labels: ${line}`);
  return { name, labels: Object.fromEntries(pairs.map(([, label, text]) => [label, text])), value: Number(value) };
}

/** Returns the sum of the samples with this name and these labels, or undefined if none has them. */
export function figure(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const all = [...parseMetrics(text).values()].flatMap(({ samples }) => samples);
  const wanted = Object.entries(labels);
  const found = all.filter((one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value));
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
