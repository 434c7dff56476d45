/** Caches a read for `ms` milliseconds. Concurrent callers share one read. */
export function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let freshUntil = 0;
  return () => {
    if (reading === undefined || performance.now() > freshUntil) {
      freshUntil = performance.now() + ms;
      reading = read();
    }
    return reading;
  };
}
