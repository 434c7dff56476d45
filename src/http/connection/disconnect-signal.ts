import type { Response } from 'express';
import { ResponseAborted } from '../response/response-aborted.ts';

// Created once, because its stack is of no use, and capturing a stack for each list costs as much as the headers of the
// list.
const CLIENT_DISCONNECTED = new ResponseAborted('The client disconnected');

/** Creates a signal that is aborted when the response closes, or at once if it has closed already. */
export function createDisconnectSignal(res: Response): AbortSignal {
  const client = new AbortController();
  const abort = () => client.abort(CLIENT_DISCONNECTED);
  if (res.closed) abort();
  else res.once('close', abort);
  return client.signal;
}
