import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Response } from 'express';
import { Bulkhead, type Release } from '../../limits/bulkhead.ts';
import { withAnonymousTempFile } from '../body/temp-file.ts';

/** How long, in sum, an answer that is still being read from Postgres waits for its client. */
const MAX_CLIENT_WAIT_MS = 500;
/** The same when there is no room left on the disk for slow clients, as long as no other company wants its connection. */
const MAX_CLIENT_WAIT_WITHOUT_DISK_MS = 10_000;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Places on the disk for answers of slow clients. */
export const answersOnDisk = new Bulkhead({ max: 16, maxPerCompany: 4 });

export interface StreamedAnswer {
  pieces: AsyncIterable<string | Buffer>;
  companyId: string;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
  /** Whether another company waits for the connection that the pieces are read from. */
  isWanted: () => boolean;
}

type WaitForClient = (maxMs: number) => Promise<boolean>;

/**
 * Ends an answer with these pieces, which are made as they are sent, never further ahead of the client than one of them.
 * What makes them holds a connection of the pool. So a client that is slow gets the rest from the disk: Postgres is then
 * read at its own speed, and its connection is released.
 * @throws when making a piece fails, when the client leaves, and when it is slow and there is no room on the disk
 */
export async function streamAnswer(
  res: Response,
  { pieces, companyId, gone, isWanted }: StreamedAnswer,
): Promise<void> {
  const waitForClient = clientWait(res, gone);
  for await (const piece of pieces) {
    gone.throwIfAborted();
    if (write(res, piece) || (await waitForClient(MAX_CLIENT_WAIT_MS))) continue;
    const release = answersOnDisk.tryAcquire(companyId);
    // NOTE: without `await` the loop would end the pieces before they are on the disk.
    if (release) return await sendFromDisk(res, pieces, gone, release);
    await waitWithoutDisk(waitForClient, isWanted);
  }
  res.end();
  await finished(res);
}

/** ASCII is the same in both encodings, and Node writes it faster as what is not UTF-8. */
function write(res: Response, piece: string | Buffer): boolean {
  if (typeof piece !== 'string') return res.write(piece);
  return res.write(piece, Buffer.byteLength(piece) === piece.length ? 'latin1' : 'utf8');
}

async function waitWithoutDisk(waitForClient: WaitForClient, isWanted: () => boolean): Promise<void> {
  for (let maxMs = MAX_CLIENT_WAIT_MS; maxMs <= MAX_CLIENT_WAIT_WITHOUT_DISK_MS && !isWanted();) {
    maxMs += MAX_CLIENT_WAIT_MS;
    if (await waitForClient(maxMs)) return;
  }
  throw new Error('The client reads too slowly');
}

/** Waits until the client has read what was written; false when its waits have taken `maxMs` in sum. Throws when it leaves. */
function clientWait(res: Response, gone: AbortSignal): WaitForClient {
  let waitedMs = 0;
  return (maxMs) =>
    new Promise((resolve, reject) => {
      if (gone.aborted) return reject(gone.reason as Error);
      const startedAt = performance.now();
      const over = (settle: () => void) => () => {
        clearTimeout(timer);
        res.off('drain', drained);
        gone.removeEventListener('abort', left);
        waitedMs += performance.now() - startedAt;
        settle();
      };
      const drained = over(() => resolve(true));
      const left = over(() => reject(gone.reason as Error));
      const timer = setTimeout(
        over(() => resolve(false)),
        Math.max(0, Math.ceil(maxMs - waitedMs)),
      );
      res.once('drain', drained);
      gone.addEventListener('abort', left);
    });
}

async function sendFromDisk(
  res: Response,
  pieces: AsyncIterable<string | Buffer>,
  gone: AbortSignal,
  release: Release,
): Promise<void> {
  try {
    await withAnonymousTempFile(async (file) => {
      await file.writeFile(bounded(pieces), { signal: gone });
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
        gone.throwIfAborted();
        if (!res.write(chunk)) await once(res, 'drain', { signal: gone });
      }
    });
    res.end();
    await finished(res);
  } finally {
    release();
  }
}

async function* bounded(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer, void> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > MAX_FILE_BYTES) throw new Error('The answer is too long to wait for a slow client');
    yield piece;
  }
}
