import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that have had their last answer: what still comes on them would be done without being answered. */
const ending = new WeakSet<Socket>();
/** Connections of which nothing more is read. */
const unread = new WeakSet<Socket>();

export function isClosing(socket: Socket): boolean {
  return ending.has(socket);
}

/** Makes an answer that has not begun the last of its connection; what follows is not read any more. */
export function closeAfterResponse(res: ServerResponse, socket: Socket): void {
  if (res.headersSent) return;
  ending.add(socket);
  res.setHeader('Connection', 'close');
}

/**
 * Takes nothing more from a connection; what it still has to send is sent. Node reads on whenever an answer or the rest of a
 * request gives it cause to, so each time it is stopped again, before any byte arrives.
 */
export function pauseReading(socket: Socket): void {
  if (unread.has(socket)) return;
  unread.add(socket);
  socket.on('resume', () => socket.pause()).pause();
}
