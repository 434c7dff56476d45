import type { Request, Response } from 'express';
import { decodeText, payloadTooLarge, requirePlainText } from '../body-text.ts';
import type { Release } from '../bulkhead.ts';
import { bodiesInMemory, bodiesOnDisk } from './body-places.ts';
import { bytesOf, withBodyOnDisk } from './body-on-disk.ts';
import { clientGone } from './client-gone.ts';
import { contextOf } from './request-context.ts';

/** A body in memory, and what frees its place there. */
export interface LargeText {
  text: string;
  release: Release;
}

/**
 * Reads a large body as text: it arrives on the disk, and comes into memory when there is a place for it, which is released
 * when the answer is over at the latest. Undefined when the client hangs up.
 * @throws {ApiError} what `readText` throws, and `rate_limited` when the company has too many large bodies under way
 */
export async function readLargeText(req: Request, res: Response, maxBytes: number): Promise<LargeText | undefined> {
  requirePlainText(req, maxBytes);
  const { companyId } = contextOf(res).caller!;
  const signal = clientGone(res);
  try {
    return await bodiesOnDisk.run(companyId, signal, () =>
      withBodyOnDisk(limited(req, maxBytes), async (file) => {
        const release = await bodiesInMemory.acquire(companyId, signal);
        signal.addEventListener('abort', release);
        return { text: decodeText(await bytesOf(file)), release };
      }),
    );
  } catch (thrown) {
    if (signal.aborted) return undefined;
    throw thrown;
  }
}

async function* limited(req: Request, maxBytes: number): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  // NOTE: the request must outlive a full disk and a body that is too large, which it is answered about.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
    yield chunk as Buffer;
  }
}
