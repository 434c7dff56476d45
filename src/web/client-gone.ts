import type { Response } from 'express';
import { BrokenAnswer } from './broken-answer.ts';

/** A signal that is aborted when the connection of an answer closes, at once when it has closed already. */
export function clientGone(res: Response): AbortSignal {
  const client = new AbortController();
  const leave = () => client.abort(new BrokenAnswer('The client has gone'));
  if (res.closed) leave();
  else res.once('close', leave);
  return client.signal;
}
