import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Response } from 'express';
import type { RowCursor, Rows } from '../../db/rows.ts';
import { Bulkhead, type Release } from '../../limits/bulkhead.ts';
import { withAnonymousTempFile } from '../body/temp-file.ts';
import { createDisconnectSignal } from '../connection/disconnect-signal.ts';
import { beginCompression, compressOnce, compressPieces, MIN_COMPRESSED_BYTES } from './compression.ts';
import { ResponseAborted } from './response-aborted.ts';

/** Maximum total time that a response waits for its client while rows are read from Postgres; the rest goes to disk. */
const MAX_CLIENT_WAIT_MS = 500;
/**
 * Maximum total wait if no slot on disk is free. The wait ends early if another company is waiting for the connection.
 */
const MAX_CLIENT_WAIT_WITHOUT_DISK_MS = 10_000;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Slots on disk for responses to slow clients. */
export const spooledResponses = new Bulkhead({ max: 16, maxPerCompany: 4 });

/** Maximum length of a response that is sent in one piece, in characters or bytes. */
const SMALL_LENGTH = 64 * 1024;

type Piece = string | Buffer;

export interface StreamedResponse {
  /** Generates the body from the rows that it reads. */
  write: (reading: Reading) => AsyncGenerator<Piece, void>;
  /** Sets the status and the headers; called once the first rows have been read. */
  begin: () => void;
  /** The company whose share of the slots for slow clients the response uses. */
  companyId: string;
}

/** Reads the lists of a response, one after the other. Closes the open list when the client disconnects. */
export class Reading {
  readonly signal: AbortSignal;
  #cursor: RowCursor<unknown> | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    // The generator cannot close the list itself, because it might be waiting for a slow batch.
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

  /** Reports whether another company is waiting for the slot that the open list holds. */
  isWanted(): boolean {
    return this.#cursor?.isWanted() ?? false;
  }

  close(): void {
    this.#cursor?.close();
  }
}

/**
 * Streams a response that is generated from rows while they are read. A short response is sent in one piece, with its
 * length.
 * @throws the read error if nothing has been sent; otherwise `ResponseAborted`, which breaks the connection so that no
 * client takes half a response for a whole one
 */
export async function streamResponse(res: Response, { write, begin, companyId }: StreamedResponse): Promise<void> {
  const reading = new Reading(createDisconnectSignal(res));
  const pieces = write(reading);
  try {
    const { head, isWhole } = await readHead(pieces);
    begin();
    if (isWhole) return await endWith(res, head);
    const encoding = beginCompression(res);
    // Node drops the body of a response to HEAD, so reading the rest would be useless.
    if (res.req.method === 'HEAD') return void res.end();
    const whole = withHead(head, pieces);
    await sendPieces(res, { pieces: encoding ? compressPieces(whole, encoding) : whole, companyId, reading });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new ResponseAborted('The response broke off', { cause: error });
  } finally {
    reading.close();
    void pieces.return();
  }
}

/** Reads the first chunks, until the response ends or is longer than `SMALL_LENGTH`. */
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

/** Ends a response with its whole body. Also sets its length for HEAD requests. */
function endWith(res: Response, pieces: readonly Piece[]): Promise<void> {
  const body = pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  return endCompressible(res, body);
}

/** Ends a response with a string or with bytes, compressed if its route permits it. */
export async function endCompressible(res: Response, body: Piece): Promise<void> {
  const encoding = Buffer.byteLength(body) < MIN_COMPRESSED_BYTES ? undefined : beginCompression(res);
  endText(res, encoding ? await compressOnce(body, encoding) : body);
}

/** Ends a response with a string or with bytes, uncompressed, and sets its length. */
export function endText(res: Response, body: Piece): void {
  const bytes = Buffer.byteLength(body);
  res.setHeader('content-length', bytes);
  if (typeof body !== 'string') res.end(body);
  else res.end(body, selectCharset(body, bytes));
}

/** Selects latin1 for ASCII text, which Node writes faster than UTF-8. The bytes are the same. */
function selectCharset(text: string, bytes: number): BufferEncoding {
  return bytes === text.length ? 'latin1' : 'utf8';
}

interface SentPieces {
  pieces: AsyncIterable<Piece>;
  companyId: string;
  reading: Pick<Reading, 'signal' | 'isWanted'>;
}

type WaitForClient = (maxMs: number) => Promise<boolean>;

/**
 * Ends a response with chunks that are generated as they are sent, at most one ahead of the client. The generator holds
 * a connection of the pool. For a slow client, the rest is therefore written to disk at the speed of Postgres, and the
 * connection is released.
 * @throws if generating a chunk fails, if the client disconnects, if a slow client finds no slot on disk, or if the
 * rest for a slow client exceeds 256 MiB
 */
export async function sendPieces(res: Response, { pieces, companyId, reading }: SentPieces): Promise<void> {
  const { signal } = reading;
  const waitForClient = clientWait(res, signal);
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (write(res, piece) || (await waitForClient(MAX_CLIENT_WAIT_MS))) continue;
    const release = spooledResponses.tryAcquire(companyId);
    // NOTE: without `await`, leaving the loop would end the generator before its chunks are on disk.
    if (release) return await sendFromDisk(res, pieces, signal, release);
    await waitWithoutDisk(waitForClient, () => reading.isWanted());
  }
  res.end();
  await finished(res);
}

function write(res: Response, piece: Piece): boolean {
  return typeof piece === 'string'
    ? res.write(piece, selectCharset(piece, Buffer.byteLength(piece)))
    : res.write(piece);
}

async function waitWithoutDisk(waitForClient: WaitForClient, isWanted: () => boolean): Promise<void> {
  for (let maxMs = MAX_CLIENT_WAIT_MS; maxMs <= MAX_CLIENT_WAIT_WITHOUT_DISK_MS && !isWanted();) {
    maxMs += MAX_CLIENT_WAIT_MS;
    if (await waitForClient(maxMs)) return;
  }
  throw new Error('The client read too slowly');
}

/**
 * Creates a function that waits until the client has read the written bytes. The function returns false if its waits
 * have taken `maxMs` in total, and rejects if the client disconnects.
 */
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
    if (bytes > MAX_FILE_BYTES) throw new Error('The response is too long to buffer for a slow client');
    yield piece;
  }
}
