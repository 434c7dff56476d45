import type { FileHandle } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { requirePlainText, payloadTooLarge, decodeText } from './body-text.ts';
import { bufferedBodies, spooledBodies } from './body-bulkheads.ts';
import { SMALL_BYTES } from './body-size.ts';
import { readFileBytes, withSpooledBody } from './spool-body.ts';
import { createDisconnectSignal } from '../connection/disconnect-signal.ts';
import type { JsonBounds } from './json-bounds.ts';
import { getRequestContext, releaseBody } from '../request-context.ts';
import type { Handed, ThreadPool } from '../thread-pool.ts';

export interface LargeBodyOptions {
  maxBytes: number;
  bounds: JsonBounds;
  threads: ThreadPool;
  /** Checks the body before a thread receives it. Throws to reject it. */
  verify?: ((text: string) => Promise<void>) | undefined;
}

/** Number of values above which a thread handles even a small body. */
const FEW_VALUES = 500;

/**
 * The assumed rate at which the rest of a body arrives if the body is rejected before all of it has arrived. The body
 * keeps its slot for as long as the rest would take. Otherwise a company could send more bodies the sooner they are
 * rejected: 200 clients with bodies of `[[[[` kept the event loop busy.
 */
const REST_BYTES_PER_S = 32 * 1024 * 1024;

/** Reports whether a thread should handle a body, because the body is large or has many values. */
export function isWork(bytes: number, { values }: JsonBounds): boolean {
  return bytes > SMALL_BYTES || values > FEW_VALUES;
}

/**
 * Receives a body that is large, or whose length is not stated, on disk. Waits for a slot in memory, and then has a
 * thread handle the request. The slot is held until the thread has done its work, even if the client disconnects.
 *
 * Returns the text of a body that turns out to be small; undefined if the request was handled or the client
 * disconnected.
 * @throws {ApiError} the errors of `readText` and `ThreadPool.hand`; `rate_limited` if the company has too many large
 * bodies in progress
 */
export async function handleLargeBody(
  req: Request,
  res: Response,
  options: LargeBodyOptions,
): Promise<string | undefined> {
  const { maxBytes, bounds, threads, verify } = options;
  const { companyId } = getRequestContext(res).caller!;
  const signal = createDisconnectSignal(res);
  const receive = async (file: FileHandle): Promise<string | Handed> => {
    const { size } = await file.stat();
    if (!isWork(size, bounds)) return decodeText(await readFileBytes(file));
    await takePlace(res, companyId, signal);
    await verify?.(decodeText(await readFileBytes(file)));
    const bytes = file.createReadStream({ start: 0, autoClose: false });
    return threads.hand(req, res, { bytes, length: size, signal, release: () => releaseBody(req, res) });
  };
  const arrived = { bytes: 0, isWhole: false };
  const receiveBody = async () => {
    requirePlainText(req, maxBytes);
    return withSpooledBody(within(maxBytes, bounds, req, arrived), receive);
  };
  try {
    const release = await spooledBodies.acquire(companyId, signal);
    const received = await receiveBody().finally(() => {
      const rest = arrived.isWhole ? 0 : statedBytes(req, maxBytes) - arrived.bytes;
      setTimeout(release, (rest / REST_BYTES_PER_S) * 1000).unref();
    });
    if (typeof received === 'string') return received;
    await received.answered;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    releaseBody(req, res);
  }
  return undefined;
}

/** Returns the stated length of the body, at most `maxBytes`. */
function statedBytes({ headers }: Request, maxBytes: number): number {
  return Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);
}

/** Waits for a slot in memory, which `releaseBody` releases. */
export async function takePlace(res: Response, companyId: string, signal: AbortSignal): Promise<void> {
  getRequestContext(res).releaseBody = await bufferedBodies.acquire(companyId, signal);
}

interface Arrived {
  bytes: number;
  isWhole: boolean;
}

async function* within(
  maxBytes: number,
  bounds: JsonBounds,
  req: Request,
  arrived: Arrived,
): AsyncGenerator<Buffer, void> {
  // NOTE: must not destroy the request: the client still gets the error for a full disk or a body that is too large.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    arrived.bytes += (chunk as Buffer).length;
    if (arrived.bytes > maxBytes) throw payloadTooLarge(maxBytes);
    bounds.read(chunk as Buffer);
    yield chunk as Buffer;
  }
  arrived.isWhole = true;
}
