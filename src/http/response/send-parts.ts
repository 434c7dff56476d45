import type { Response } from 'express';
import type { Rows } from '../../db/rows.ts';
import { type Reading, streamResponse } from './stream-response.ts';

export interface SentParts {
  parts: Rows<{ bytes: Buffer }>;
  /** Whose share of the places for slow clients it takes. */
  companyId: string;
  /** Sets the status and the headers, `Content-Length` among them. */
  begin: () => void;
  /** What is made of the parts before they are sent; they are sent as they are unless given. */
  through?: (parts: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/**
 * Answers what is stored in parts, as they are read.
 * @throws what reading the first part throws; after that a failure breaks the connection
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
