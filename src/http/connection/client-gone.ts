import type { Response } from 'express';
import { ResponseAborted } from '../response/response-aborted.ts';

// Created once, because its stack is of no use, and capturing a stack for each list costs as much as the headers of the
// list.
const GONE = new ResponseAborted('The client disconnected');

/** Creates a signal that is aborted when the response closes, or at once if it has closed already. */
export function clientGone(res: Response): AbortSignal {
  const client = new AbortController();
  const leave = () => client.abort(GONE);
  if (res.closed) leave();
  else res.once('close', leave);
  return client.signal;
}
