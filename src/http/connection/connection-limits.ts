import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLarge } from '../body/body-size.ts';
import type { Draining } from './draining.ts';
import { closeAfterResponse, isClosing, pauseReading } from './connection-close.ts';

const MAX_LINGER_MS = 2000;
const MAX_LINGER_BYTES = 8 * 1024 * 1024;
/** Requests of a connection that have not been answered. Node parses all that it has received before anything else runs. */
const MAX_PIPELINED = 16;
/** So that a client that sends more is not back at once. Shorter than what a process that ends gives its last answers. */
const PIPELINE_OVERFLOW_DELAY_MS = 8000;
/** So that connections spread again over the processes behind a balancer. */
const MAX_REQUESTS_OF_CONNECTION = 10_000;

/** Times are in milliseconds. */
export interface ConnectionLimits {
  /** A client that reads nothing of what lies ready for it holds it no longer than this. */
  clientWriteTimeoutMs: number;
  /** A client that reads ever so slowly holds memory, or a connection of the pool, no longer than this: 300,000. */
  maxExchangeMs?: number;
  /** Whoever has too many requests under way waits so long before the last that is answered is done: 8,000. */
  pipelineOverflowDelayMs?: number;
  draining?: Draining;
}

/** What has come on each connection. */
const requestCounts = new WeakMap<Socket, { open: number; all: number }>();

/** Bounds what a client can hold by not reading its answer, and by not ending its request, whichever transport it comes over. */
export function withConnectionLimits(bounds: ConnectionLimits, handle: RequestListener): RequestListener {
  const {
    clientWriteTimeoutMs: clientWriteTimeoutMs,
    maxExchangeMs: longestExchangeMs = 300_000,
    pipelineOverflowDelayMs: lastOfManyAfterMs = PIPELINE_OVERFLOW_DELAY_MS,
    draining,
  } = bounds;
  return (req, res) => {
    const { socket } = req;
    // All bodies before this request have arrived, for it has begun.
    if (isClosing(socket)) return pauseReading(socket);
    draining?.add(socket, res);
    const requests = count(socket);
    const isLastOfMany = requests.open === MAX_PIPELINED;
    if (isLastOfMany || requests.all === MAX_REQUESTS_OF_CONNECTION) closeAfterResponse(res, socket);
    // What the answer still waits for is no fault of the client: only what lies ready for it counts.
    res.setTimeout(clientWriteTimeoutMs, () => {
      if (socket.writableLength > 0) res.destroy();
    });
    let late: NodeJS.Timeout | undefined;
    const boundInTime = () => (late = setTimeout(() => res.destroy(), longestExchangeMs));
    // An answer that is behind others on its connection may never see it close.
    if (res.socket) boundInTime();
    else res.once('socket', boundInTime);
    res.once('close', () => {
      requests.open -= 1;
      clearTimeout(late);
    });
    if (isLarge(req)) lingerAfter(req, res);
    if (isLastOfMany) handleLate(() => handle(req, res), socket, lastOfManyAfterMs);
    else handle(req, res);
  };
}

/** Unless the connection has closed by then. */
function handleLate(handle: () => void, socket: Socket, ms: number): void {
  const timer = setTimeout(handle, ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Counts a request of a connection; it is open until its answer is over. */
function count(socket: Socket): { open: number; all: number } {
  let requests = requestCounts.get(socket);
  if (!requests) requestCounts.set(socket, (requests = { open: 0, all: 0 }));
  requests.open += 1;
  requests.all += 1;
  return requests;
}

/**
 * When an answer ends before its request was read, the connection is closed, but not before the client has had time to
 * read the answer: closed at once, with bytes on their way, it would take the answer with it; kept, it would be read
 * for as long as the client sends. Answers are ended in many places, some of them in libraries, so `end` itself is
 * changed.
 */
function lingerAfter(req: IncomingMessage, res: ServerResponse): void {
  const end = res.end.bind(res) as (...given: unknown[]) => ServerResponse;
  const endLate = (...given: unknown[]): ServerResponse => {
    res.end = end;
    if (req.complete) return end(...given);
    const [body, encoding] = given.filter((one) => typeof one !== 'function');
    if (!res.headersSent) {
      closeAfterResponse(res, req.socket);
      if (isBytes(body)) res.setHeader('Content-Length', Buffer.byteLength(body, encoding as BufferEncoding));
    }
    res.flushHeaders();
    if (isBytes(body)) res.write(body, encoding as BufferEncoding);
    linger(req, () => end(...given.filter((one) => typeof one === 'function')));
    // Where the head had gone out before, it did not say that the connection ends.
    res.once('finish', () => {
      if (!req.complete) req.socket.destroySoon();
    });
    return res;
  };
  res.end = endLate;
}

function isBytes(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Reads on, and throws away what it reads, until the request is over or has gone on for too long. */
function linger(req: IncomingMessage, over: () => void): void {
  const end = () => {
    clearTimeout(timer);
    over();
  };
  const timer = setTimeout(end, MAX_LINGER_MS);
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_LINGER_BYTES) end();
  });
  req.once('close', end).resume();
}
