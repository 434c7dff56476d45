import type { Request, Response } from 'express';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { tagResult } from '../operations/entity-tag.ts';
import { namesTag } from '../contract/etags.ts';
import { getRequestContext } from '../http/request-context.ts';
import { sendCompressibleJson, sendData } from '../http/response/respond.ts';

/** Returns the precondition of a change, if the contract defines `If-Match` for the operation. */
export function readCondition(operationId: KeyedOperationId, { headers }: Request): { ifMatch?: string } {
  const ifMatch = headers['if-match'];
  return ifMatch === undefined || !operations[operationId].ifMatch ? {} : { ifMatch };
}

/** Sends a resource with its ETag, or 304 if the client already has it. */
export async function sendTagged(req: Request, res: Response, data: unknown): Promise<void> {
  const tagged = tagResult(data);
  if (!tagged) return sendData(res, data);
  const { tag, text } = tagged;
  res.setHeader('etag', tag);
  const known = req.headers['if-none-match'];
  if (namesTag(known, tag)) {
    // The tag of a compressed response is weak, and a 304 must repeat the tag of the response that it confirms.
    if (getRequestContext(res).encoding && known!.includes(`W/${tag}`)) res.setHeader('etag', `W/${tag}`);
    return void res.status(304).end();
  }
  return text === undefined ? sendData(res, data) : sendCompressibleJson(res, text);
}
