import { Worker } from 'node:worker_threads';
import { ApiError } from '../contract/errors.ts';

/** Timeout of a task: far above the seconds that a task takes on a busy machine. */
const MAX_MS = 60_000;
const MAX_HEAP_MIB = 512;
/** Maximum number of tasks that wait for the running task. */
const MAX_WAITING = 8;
const RETRY_AFTER_S = 10;

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Runs a program in its own thread, and resolves to the one message that it posts. Meant for pure computations that
 * would block the event loop. The tasks of a process run one after the other, so they use at most one core.
 * @param data becomes the `workerData` of the program
 * @throws {ApiError} `service_unavailable` if too many tasks wait, or the thread fails
 */
export async function runInThread<T>(program: URL, data: unknown): Promise<T> {
  if (waiting > MAX_WAITING) throw unavailable();
  waiting += 1;
  const task = last.then(() => run<T>(program, data)).finally(() => (waiting -= 1));
  last = task.catch(() => undefined);
  return task;
}

async function run<T>(program: URL, data: unknown): Promise<T> {
  const thread = new Worker(program, {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  thread.unref();
  try {
    return await receiveMessage<T>(thread);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    await thread.terminate();
  }
}

/**
 * Receives the first message of a thread. If a thread posts a message and exits at once, both events arrive in the same
 * iteration of the event loop. The promise of `events.once` settles so late that the exit would win.
 */
async function receiveMessage<T>(thread: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The thread returned no result within ${MAX_MS} ms`)),
      MAX_MS,
    ).unref();
    thread.once('message', resolve).once('error', reject).once('messageerror', reject);
    thread.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`The thread exited with code ${code}`));
    });
  });
}

function unavailable(cause?: unknown): ApiError {
  const headers = { 'Retry-After': String(RETRY_AFTER_S) };
  return new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.', {
    cause,
    headers,
  });
}
