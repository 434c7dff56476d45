import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterResponse } from './connection-close.ts';

/**
 * Tells clients and balancers to make their next call on another connection, which leads to another process: once it has
 * begun, the next answer on each connection is its last. When a server closes, Node leaves two kinds of connections open:
 * those that have not sent a request, and those whose response had already begun.
 */
export class Draining {
  /** The latest answer on each open connection. By socket: an answer behind others may never see its connection close. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
  #isOn = false;
  #isClosing = false;

  /** Notes a new connection. */
  connect(socket: Socket): void {
    if (this.#latest.has(socket)) return;
    this.#latest.set(socket, undefined);
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** Notes an answer that is under way. */
  add(socket: Socket, res: ServerResponse): void {
    this.connect(socket);
    this.#latest.set(socket, res);
    if (this.#isOn) closeAfterResponse(res, socket);
    res.once('finish', () => {
      if (this.#isClosing && this.#latest.get(socket) === res) socket.destroySoon();
    });
  }

  begin(): void {
    this.#isOn = true;
    for (const [socket, res] of this.#latest) if (res) closeAfterResponse(res, socket);
  }

  /** Takes no new connection, and resolves when the last answer has ended. */
  async close(server: Server): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    this.#isClosing = true;
    for (const [socket, res] of this.#latest) if (!res && socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  /** The number of connections whose response has not ended. */
  get unanswered(): number {
    return [...this.#latest.values()].filter((res) => res && !res.writableFinished).length;
  }
}
