import type { Response } from 'express';
import type { Rows } from '../../db/rows.ts';
import { type Reading, streamResponse } from './stream-response.ts';

export interface SentParts {
  parts: Rows<{ bytes: Buffer }>;
  /** The company whose share of the slots for slow clients the response uses. */
  companyId: string;
  /** Sets the status and the headers, including `Content-Length`. */
  begin: () => void;
  /** Transforms the parts before they are sent; undefined to send them unchanged. */
  through?: (parts: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/**
 * Sends content that is stored in parts, as they are read.
 * @throws the read error if nothing has been sent; otherwise `ResponseAborted`
 */
export function sendParts(res: Response, { parts, companyId, begin, through }: SentParts): Promise<void> {
  async function* write(reading: Reading): AsyncGenerator<Buffer, void> {
    const stored = readBytes(reading, parts);
    yield* through ? through(stored) : stored;
  }
  return streamResponse(res, { write, begin, companyId });
}

async function* readBytes(reading: Reading, parts: SentParts['parts']): AsyncGenerator<Buffer, void> {
  for await (const batch of reading.batches(parts)) for (const { bytes } of batch) yield bytes;
}
