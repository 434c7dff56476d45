import type { Request, Response } from 'express';
import { decodeText, payloadTooLarge, requirePlainText } from './body-text.ts';
import { bodiesInMemory, bodiesOnDisk } from './body-places.ts';
import { bytesOf, withBodyOnDisk } from './body-on-disk.ts';
import { clientGone } from './client-gone.ts';
import { contextOf, releaseBody } from './request-context.ts';

/**
 * Reads a large body as text: it arrives on the disk, and comes into memory when there is a place for it. The place is
 * held for as long as the body is worked with, whether its client is still there or not; `releaseBody` frees it.
 * Undefined when the client hangs up.
 * @throws {ApiError} what `readText` throws, and `rate_limited` when the company has too many large bodies under way
 */
export async function readLargeText(req: Request, res: Response, maxBytes: number): Promise<string | undefined> {
  requirePlainText(req, maxBytes);
  const context = contextOf(res);
  const { companyId } = context.caller!;
  const signal = clientGone(res);
  try {
    return await bodiesOnDisk.run(companyId, signal, () =>
      withBodyOnDisk(limited(req, maxBytes), async (file) => {
        context.releaseBody = await bodiesInMemory.acquire(companyId, signal);
        return decodeText(await bytesOf(file));
      }),
    );
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    releaseBody(req, res);
    return undefined;
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
