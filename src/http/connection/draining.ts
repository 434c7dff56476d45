import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterResponse } from './connection-close.ts';

/**
 * Time that a new connection has for the first bytes of its request once the server closes, in milliseconds. A busy
 * process reads late, so the bytes might have arrived already.
 */
const FIRST_BYTES_MS = 500;

/**
 * Makes clients and balancers send their next call on another connection, which leads to another process. Once draining
 * has begun, the next response on each connection is its last. Also closes the connections that Node leaves open when a
 * server closes: connections without a request, and connections whose response had already begun.
 */
export class Draining {
  /**
   * The latest response on each open connection. A response queued behind others might never see its connection close.
   */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
  #isOn = false;
  #isClosing = false;

  /** Records a new connection. */
  connect(socket: Socket): void {
    if (this.#latest.has(socket)) return;
    this.#latest.set(socket, undefined);
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** Records a response that is under way. */
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

  /** Accepts no new connections, and resolves when the last response has ended. */
  async close(server: Server): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    this.#isClosing = true;
    setTimeout(() => this.#destroyUnused(), FIRST_BYTES_MS).unref();
    await closed;
  }

  #destroyUnused(): void {
    for (const [socket, res] of this.#latest) if (!res && socket.bytesRead === 0) socket.destroy();
  }

  /** The number of connections whose response has not ended. */
  get unanswered(): number {
    return [...this.#latest.values()].filter((res) => res && !res.writableFinished).length;
  }
}
