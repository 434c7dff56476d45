import type { Request, Response } from 'express';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { tagResult } from '../operations/entity-tag.ts';
import { namesTag } from '../contract/etags.ts';
import { sendData, sendJson } from '../http/response/respond.ts';

/** Returns the condition of a change, if the contract defines `If-Match` for the operation. */
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
  if (namesTag(req.headers['if-none-match'], tag)) return void res.status(304).end();
  return text === undefined ? sendData(res, data) : sendJson(res, 200, text);
}
