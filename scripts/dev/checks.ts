import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Returns the problems as lines to print. Calls run one after the other. */
export type Check = () => Promise<string[]>;

export interface Checks {
  lint: Check;
  types: Check;
  end(): Promise<void>;
}

/** Starts each check in its own thread, so that the checks run in parallel and never start cold. */
export function startChecks(): Checks {
  const workers = (['lint', 'types'] as const).map(
    (name) => new Worker(join(import.meta.dirname, 'check-worker.ts'), { workerData: name }),
  );
  const [lint, types] = workers.map(startCheck);
  return {
    lint: lint!,
    types: types!,
    end: async () => void (await Promise.all(workers.map((worker) => worker.terminate()))),
  };
}

function startCheck(worker: Worker): Check {
  let turn: Promise<unknown> = Promise.resolve();
  return () => {
    const result = turn.then(async () => {
      worker.postMessage('check');
      const [problems] = (await once(worker, 'message')) as [string[]];
      return problems;
    });
    turn = result.catch(() => undefined);
    return result;
  };
}
