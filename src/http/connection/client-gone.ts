import type { Response } from 'express';
import { ResponseAborted } from '../response/response-aborted.ts';

// Made once: its stack would say nothing, and taking one for each list costs as much as its headers.
const GONE = new ResponseAborted('The client has gone');

/** A signal that is aborted when the connection of an answer closes, at once when it has closed already. */
export function clientGone(res: Response): AbortSignal {
  const client = new AbortController();
  const leave = () => client.abort(GONE);
  if (res.closed) leave();
  else res.once('close', leave);
  return client.signal;
}
