import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLarge } from '../body/body-size.ts';
import type { Draining } from './draining.ts';
import { closeAfterResponse, isClosing, pauseReading } from './connection-close.ts';

const MAX_LINGER_MS = 2000;
const MAX_LINGER_BYTES = 8 * 1024 * 1024;
/** Maximum number of pending requests of a connection. Node parses everything it received before other code runs. */
const MAX_PIPELINED = 16;
/**
 * Delay before handling the last pipelined request; keeps the client from reconnecting at once. Shorter than the
 * default drain timeout of the process (10 s).
 */
const PIPELINE_OVERFLOW_DELAY_MS = 8000;
/** Requests after which a connection closes, so that connections spread again over the processes behind a balancer. */
const MAX_REQUESTS_OF_CONNECTION = 10_000;

/** Limits of connections. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Time after which a client that does not read the pending bytes is disconnected. */
  clientWriteTimeoutMs: number;
  /**
   * The time after which an unfinished response is aborted, so that a slow client cannot hold memory; 300,000 by
   * default.
   */
  maxExchangeMs?: number;
  /** The delay before the last of too many pipelined requests is handled; 8,000 by default. */
  pipelineOverflowDelayMs?: number;
  draining?: Draining;
}

/** Numbers of pending requests and of all requests, by connection. */
const requestCounts = new WeakMap<Socket, { open: number; all: number }>();

/**
 * Limits the resources that a client holds by not reading its response or not ending its request, on every transport.
 */
export function withConnectionLimits(bounds: ConnectionLimits, handle: RequestListener): RequestListener {
  const {
    clientWriteTimeoutMs: clientWriteTimeoutMs,
    maxExchangeMs: longestExchangeMs = 300_000,
    pipelineOverflowDelayMs: lastOfManyAfterMs = PIPELINE_OVERFLOW_DELAY_MS,
    draining,
  } = bounds;
  return (req, res) => {
    const { socket } = req;
    // Since this request has begun, the bodies of all earlier requests have arrived.
    if (isClosing(socket)) return pauseReading(socket);
    draining?.add(socket, res);
    const requests = count(socket);
    const isLastOfMany = requests.open === MAX_PIPELINED;
    if (isLastOfMany || requests.all === MAX_REQUESTS_OF_CONNECTION) closeAfterResponse(res, socket);
    // The client is not to blame for work that is still running, so only pending bytes count.
    res.setTimeout(clientWriteTimeoutMs, () => {
      if (socket.writableLength > 0) res.destroy();
    });
    let late: NodeJS.Timeout | undefined;
    const boundInTime = () => (late = setTimeout(() => res.destroy(), longestExchangeMs));
    // A response that is queued behind others might never see its connection close.
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

/** Calls `handle` after a delay, unless the connection has closed by then. */
function handleLate(handle: () => void, socket: Socket, ms: number): void {
  const timer = setTimeout(handle, ms);
  socket.once('close', () => clearTimeout(timer));
}

function count(socket: Socket): { open: number; all: number } {
  let requests = requestCounts.get(socket);
  if (!requests) requestCounts.set(socket, (requests = { open: 0, all: 0 }));
  requests.open += 1;
  requests.all += 1;
  return requests;
}

/**
 * Lingers if a response ends before its request was read: closes the connection, but first gives the client time to
 * read the response. If the connection closed at once, bytes under way would destroy the response. If it stayed open,
 * it would be read for as long as the client sends. Many places end responses, some of them in libraries, so `end`
 * itself is replaced.
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
    // If the headers have already been sent, they did not announce that the connection closes.
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

/** Reads and discards the rest of the request, for at most 2 s and 8 MiB. Then calls `over`. */
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
