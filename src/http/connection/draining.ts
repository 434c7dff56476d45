import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterResponse } from './connection-close.ts';

/**
 * Tells clients and balancers to make their next call on another connection, which leads to another process: once it has
 * begun, the next answer on each connection is its last.
 */
export class Draining {
  /** The latest answer on each open connection. By socket: an answer behind others may never see its connection close. */
  readonly #latest = new Map<Socket, ServerResponse>();
  #isOn = false;

  /** Notes an answer that is under way. */
  add(socket: Socket, res: ServerResponse): void {
    if (!this.#latest.has(socket)) socket.once('close', () => this.#latest.delete(socket));
    this.#latest.set(socket, res);
    if (this.#isOn) closeAfterResponse(res, socket);
  }

  begin(): void {
    this.#isOn = true;
    for (const [socket, res] of this.#latest) closeAfterResponse(res, socket);
  }
}
