/** Computes a value when it is first asked for, and keeps it. What throws is tried again. */
export function once<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => (kept ??= { value: compute() }).value;
}
