/** Computes a value when it is first asked for, and keeps it. What throws is tried again. */
export function once<T>(compute: () => T): () => T {
  let stored: { value: T } | undefined;
  return () => (stored ??= { value: compute() }).value;
}

/** Computes the value of a key when it is first asked for, once for all who ask meanwhile, and keeps it unless it fails. */
export function oncePerKey<T>(): (key: string, compute: () => Promise<T>) => Promise<T> {
  const values = new Map<string, Promise<T>>();
  return (key, compute) => {
    const existing = values.get(key);
    if (existing) return existing;
    const computed = compute();
    values.set(key, computed);
    computed.catch(() => values.delete(key));
    return computed;
  };
}
