import { Worker } from 'node:worker_threads';

/** What was found: a readable PDF with so many pages, or what is wrong with the file, to follow its name. */
export type Inspection = { pageCount: number; fault?: undefined } | { fault: string };

const LONGEST_MS = 2000;
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * Reads a file as a PDF, in a thread of its own with bounds on its time and memory.
 * @param bytes not kept; the thread works on a copy
 */
export function inspectPdf(bytes: Uint8Array): Promise<Inspection> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./inspection.ts', import.meta.url), {
      workerData: bytes,
      resourceLimits: MEMORY,
      env: {},
      stdout: true,
      stderr: true,
    });
    const settle = (inspection: Inspection) => {
      clearTimeout(timer);
      resolve(inspection);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle({ fault: 'takes too long to read' }), LONGEST_MS);
    worker.once('message', settle);
    // Out of memory, or a fault of the reader: either way the file is what it choked on.
    worker.once('error', () => settle({ fault: 'cannot be read' }));
    worker.once('exit', () => settle({ fault: 'cannot be read' }));
  });
}
