import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** The message that acknowledges a chunk, so that the next one can follow. */
const CONSUMED = 'taken';
/** The message that ends the stream. */
const END = 'end';

/**
 * One end of a message channel between two threads, which Node's HTTP uses as a socket. A chunk is sent only after the
 * previous one was consumed, so neither side gets more than it can process. When the other thread ends, the stream is
 * destroyed.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort;
  #onConsumed: (() => void) | undefined;
  #isFull = false;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message: Uint8Array | typeof CONSUMED | typeof END) => {
      if (message === CONSUMED) this.#onConsumed?.();
      else if (message === END) this.push(null);
      else this.#consume(message);
    });
    port.once('close', () => this.destroy());
  }

  #consume(piece: Uint8Array): void {
    this.#isFull = !this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (!this.#isFull) this.#port.postMessage(CONSUMED);
  }

  override _read(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#port.postMessage(CONSUMED);
  }

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    // Copies the chunk: a transfer or clone takes its whole underlying buffer, which other chunks might share.
    const piece = new Uint8Array(chunk);
    this.#onConsumed = callback;
    this.#port.postMessage(piece, [piece.buffer]);
  }

  override _final(callback: () => void): void {
    this.#port.postMessage(END);
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#port.close();
    callback(error);
  }
}
