import type { FileHandle } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { requirePlainText, payloadTooLarge, decodeText } from './body-text.ts';
import { bufferedBodies, spooledBodies } from './body-bulkheads.ts';
import { SMALL_BYTES } from './body-size.ts';
import { readFileBytes, withSpooledBody } from './spool-body.ts';
import { clientGone } from '../connection/client-gone.ts';
import type { JsonBounds } from './json-bounds.ts';
import { getRequestContext, releaseBody } from '../request-context.ts';
import type { Handed, ThreadPool } from '../thread-pool.ts';

export interface LargeBodyOptions {
  maxBytes: number;
  bounds: JsonBounds;
  threads: ThreadPool;
  /** Judges the body before a thread has it. It throws to refuse it. */
  verify?: ((text: string) => Promise<void>) | undefined;
}

/** Lists and names of a small body that hold more values than this are work for a thread. */
const FEW_VALUES = 500;

/**
 * A body that is refused before all of it has arrived keeps its place for as long as the rest would take at this rate.
 * Otherwise, the sooner bodies are refused, the more of them a company can send: 200 clients with bodies of `[[[[` kept the
 * event loop busy.
 */
const REST_BYTES_PER_S = 32 * 1024 * 1024;

/** Whether a body that was read is work for a thread: it is large, or what is done with its values takes long. */
export function isWork(bytes: number, { values }: JsonBounds): boolean {
  return bytes > SMALL_BYTES || values > FEW_VALUES;
}

/**
 * Receives a body that is large, or whose length is not stated, on the disk, and has a thread answer the request when there is
 * a place for it. The place is held until the thread has done its work, whether the client is still there or not.
 * Returns the text of one that turns out to be small; undefined when the request is answered, or the client hangs up.
 * @throws {ApiError} what `readText` and `ThreadPool.hand` throw; `rate_limited` when the company has too many large bodies
 * under way
 */
export async function answerLarge(req: Request, res: Response, options: LargeBodyOptions): Promise<string | undefined> {
  const { maxBytes, bounds, threads, verify } = options;
  const { companyId } = getRequestContext(res).caller!;
  const signal = clientGone(res);
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

/** The length of the body that the request states, at most `maxBytes`. */
function statedBytes({ headers }: Request, maxBytes: number): number {
  return Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);
}

/** Waits for a place in memory, which `releaseBody` frees. */
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
  // NOTE: the request must outlive a full disk and a body that is too large, which it is answered about.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    arrived.bytes += (chunk as Buffer).length;
    if (arrived.bytes > maxBytes) throw payloadTooLarge(maxBytes);
    bounds.read(chunk as Buffer);
    yield chunk as Buffer;
  }
  arrived.isWhole = true;
}
