/**
 * Returns a function that computes a value on its first call and caches it. If `compute` throws, the next call retries.
 */
export function once<T>(compute: () => T): () => T {
  let stored: { value: T } | undefined;
  return () => (stored ??= { value: compute() }).value;
}

/**
 * Returns a function that computes the value for a key on the first call with that key, and caches it. Concurrent calls
 * for a key share the computation. A failure is not cached.
 */
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
