/** Computes a value when it is first asked for, and keeps it. What throws is tried again. */
export function once<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => (kept ??= { value: compute() }).value;
}

/** Computes the value of a key when it is first asked for, once for all who ask meanwhile, and keeps it unless it fails. */
export function oncePerKey<T>(): (key: string, compute: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = kept.get(key);
    if (known) return known;
    const computed = compute();
    kept.set(key, computed);
    computed.catch(() => kept.delete(key));
    return computed;
  };
}
