import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections whose last response is decided. A later request on such a connection would be executed without a
 * response.
 */
const ending = new WeakSet<Socket>();
/** Connections that are no longer read. */
const unread = new WeakSet<Socket>();

export function isClosing(socket: Socket): boolean {
  return ending.has(socket);
}

/** Makes a response the last of its connection, unless its headers have been sent. Later requests are not read. */
export function closeAfterResponse(res: ServerResponse, socket: Socket): void {
  if (res.headersSent) return;
  ending.add(socket);
  res.setHeader('Connection', 'close');
}

/**
 * Reads nothing more from a connection; pending responses are still sent. Node resumes the socket for each response and
 * for the rest of a request, so the socket is paused again each time, before any byte arrives.
 */
export function pauseReading(socket: Socket): void {
  if (unread.has(socket)) return;
  unread.add(socket);
  socket.on('resume', () => socket.pause()).pause();
}
