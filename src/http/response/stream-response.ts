import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Response } from 'express';
import type { RowCursor, Rows } from '../../db/rows.ts';
import { Bulkhead, type Release } from '../../limits/bulkhead.ts';
import { withAnonymousTempFile } from '../body/temp-file.ts';
import { clientGone } from '../connection/client-gone.ts';
import { ResponseAborted } from './response-aborted.ts';

/** How long, in sum, an answer that is still being read from Postgres waits for its client. */
const MAX_CLIENT_WAIT_MS = 500;
/** The same when there is no room left on the disk for slow clients, as long as no other company wants its connection. */
const MAX_CLIENT_WAIT_WITHOUT_DISK_MS = 10_000;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Places on the disk for answers of slow clients. */
export const answersOnDisk = new Bulkhead({ max: 16, maxPerCompany: 4 });

/** An answer up to this length goes out in one piece. */
const SMALL_LENGTH = 64 * 1024;

type Piece = string | Buffer;

export interface StreamedAnswer {
  /** Makes the answer of the rows that it reads. */
  write: (reading: Reading) => AsyncGenerator<Piece, void>;
  /** Sets the status and the headers; called once the first rows are read. */
  begin: () => void;
  /** Whose share of the places for slow clients it takes. */
  companyId: string;
}

/** The rows of an answer, one list after the other. The list at hand is closed when the client leaves. */
export class Reading {
  readonly signal: AbortSignal;
  #cursor: RowCursor<unknown> | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    // Not left to the generator, which may be waiting for a batch that takes long.
    signal.addEventListener('abort', () => this.close());
  }

  /** Reads rows batch by batch. */
  async *batches<T>(rows: Rows<T>): AsyncGenerator<T[], void> {
    const cursor = await rows.open(this.signal);
    this.#cursor = cursor;
    try {
      this.signal.throwIfAborted();
      for (let last = false; !last;) {
        const batch = await cursor.next();
        last = batch.last;
        if (batch.rows.length > 0) yield batch.rows;
      }
    } finally {
      cursor.close();
    }
  }

  /** Whether another company waits for the connection that the rows are read from. */
  isWanted(): boolean {
    return this.#cursor?.isWanted() ?? false;
  }

  close(): void {
    this.#cursor?.close();
  }
}

/**
 * Answers what is made of rows while they are read. A short answer goes out in one piece, with its length.
 * @throws what reading the rows throws, as long as nothing has been sent; after that a failure breaks the connection, so
 * that no client takes half an answer for a whole one.
 */
export async function streamResponse(res: Response, { write, begin, companyId }: StreamedAnswer): Promise<void> {
  const reading = new Reading(clientGone(res));
  const pieces = write(reading);
  try {
    const { head, isWhole } = await readHead(pieces);
    begin();
    if (isWhole) return endWith(res, head);
    // Node drops the body of an answer to HEAD, so there is no use in reading it.
    if (res.req.method === 'HEAD') return void res.end();
    await sendPieces(res, { pieces: withHead(head, pieces), companyId, reading });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new ResponseAborted('The answer broke off', { cause: error });
  } finally {
    reading.close();
    void pieces.return();
  }
}

/** The first pieces, until they are no short answer any more. */
async function readHead(pieces: AsyncGenerator<Piece, void>): Promise<{ head: Piece[]; isWhole: boolean }> {
  const head: Piece[] = [];
  for (let length = 0; length <= SMALL_LENGTH;) {
    const piece = await pieces.next();
    if (piece.done) return { head, isWhole: true };
    head.push(piece.value);
    length += piece.value.length;
  }
  return { head, isWhole: false };
}

async function* withHead(head: readonly Piece[], pieces: AsyncGenerator<Piece, void>): AsyncGenerator<Piece, void> {
  yield* head;
  yield* pieces;
}

/** Ends an answer with its whole body, whose length is said to those too who ask for the head alone. */
function endWith(res: Response, pieces: readonly Piece[]): void {
  const body = pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  endText(res, body);
}

/** The same with a text, or with bytes. */
export function endText(res: Response, body: Piece): void {
  const bytes = Buffer.byteLength(body);
  res.setHeader('content-length', bytes);
  if (typeof body !== 'string') res.end(body);
  else res.end(body, selectEncoding(body, bytes));
}

/** ASCII is the same in both encodings, and Node writes it faster as what is not UTF-8. */
function selectEncoding(text: string, bytes: number): BufferEncoding {
  return bytes === text.length ? 'latin1' : 'utf8';
}

interface SentPieces {
  pieces: AsyncIterable<Piece>;
  companyId: string;
  reading: Pick<Reading, 'signal' | 'isWanted'>;
}

type WaitForClient = (maxMs: number) => Promise<boolean>;

/**
 * Ends an answer with these pieces, which are made as they are sent, never further ahead of the client than one of them.
 * What makes them holds a connection of the pool. So a client that is slow gets the rest from the disk: Postgres is then
 * read at its own speed, and its connection is released.
 * @throws when making a piece fails, when the client leaves, and when it is slow and there is no room on the disk
 */
export async function sendPieces(res: Response, { pieces, companyId, reading }: SentPieces): Promise<void> {
  const { signal } = reading;
  const waitForClient = clientWait(res, signal);
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (write(res, piece) || (await waitForClient(MAX_CLIENT_WAIT_MS))) continue;
    const release = answersOnDisk.tryAcquire(companyId);
    // NOTE: without `await` the loop would end the pieces before they are on the disk.
    if (release) return await sendFromDisk(res, pieces, signal, release);
    await waitWithoutDisk(waitForClient, () => reading.isWanted());
  }
  res.end();
  await finished(res);
}

function write(res: Response, piece: Piece): boolean {
  return typeof piece === 'string'
    ? res.write(piece, selectEncoding(piece, Buffer.byteLength(piece)))
    : res.write(piece);
}

async function waitWithoutDisk(waitForClient: WaitForClient, isWanted: () => boolean): Promise<void> {
  for (let maxMs = MAX_CLIENT_WAIT_MS; maxMs <= MAX_CLIENT_WAIT_WITHOUT_DISK_MS && !isWanted();) {
    maxMs += MAX_CLIENT_WAIT_MS;
    if (await waitForClient(maxMs)) return;
  }
  throw new Error('The client reads too slowly');
}

/** Waits until the client has read what was written; false when its waits have taken `maxMs` in sum. Throws when it leaves. */
function clientWait(res: Response, signal: AbortSignal): WaitForClient {
  let waitedMs = 0;
  return (maxMs) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const startedAt = performance.now();
      const over = (settle: () => void) => () => {
        clearTimeout(timer);
        res.off('drain', drained);
        signal.removeEventListener('abort', left);
        waitedMs += performance.now() - startedAt;
        settle();
      };
      const drained = over(() => resolve(true));
      const left = over(() => reject(signal.reason as Error));
      const timer = setTimeout(
        over(() => resolve(false)),
        Math.max(0, Math.ceil(maxMs - waitedMs)),
      );
      res.once('drain', drained);
      signal.addEventListener('abort', left);
    });
}

async function sendFromDisk(
  res: Response,
  pieces: AsyncIterable<Piece>,
  signal: AbortSignal,
  release: Release,
): Promise<void> {
  try {
    await withAnonymousTempFile(async (file) => {
      await file.writeFile(bounded(pieces), { signal });
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
        signal.throwIfAborted();
        if (!res.write(chunk)) await once(res, 'drain', { signal });
      }
    });
    res.end();
    await finished(res);
  } finally {
    release();
  }
}

async function* bounded(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > MAX_FILE_BYTES) throw new Error('The answer is too long to wait for a slow client');
    yield piece;
  }
}
