import { watch } from 'chokidar';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time to collect further changes: an editor writes a file in steps, and a checkout changes many files. */
const SETTLE_MS = 40;
const OURS = /\.(ts|yaml|json)$/;

/** Starts to watch folders. Yields batches of changed files, as paths from the root, until the signal. */
export function changesIn(root: string, folders: string[], signal: AbortSignal): AsyncGenerator<string[]> {
  const changed = new Set<string>();
  let wake = () => {};
  const watcher = watch(folders, { cwd: root, ignoreInitial: true });
  watcher.on('all', (_event, path) => {
    if (!OURS.test(path)) return;
    changed.add(path);
    wake();
  });
  signal.addEventListener('abort', () => {
    void watcher.close();
    wake();
  });

  return (async function* () {
    while (!signal.aborted) {
      if (changed.size === 0) await new Promise<void>((resolve) => (wake = resolve));
      await sleep(SETTLE_MS);
      const batch = [...changed];
      changed.clear();
      if (batch.length > 0) yield batch;
    }
  })();
}
