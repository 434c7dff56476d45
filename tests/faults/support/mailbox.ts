import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export interface Mail {
  messageId: string;
  to: string;
  /** Time of the email's last byte, by Date.now(). */
  at: number;
}

export type Step = 'connect' | 'to';

/** A real SMTP server on the loopback address that records the time of each message and can be made to misbehave. */
export class Mailbox {
  /** Emails that were received completely and accepted. */
  readonly taken: Mail[] = [];
  readonly #refusals = new Map<Step, number>();
  readonly #delayMs: number;
  readonly #server: SMTPServer;
  #held: { open: Promise<void>; release: () => void } | undefined;

  /** @param delayMs milliseconds from the last byte of an email to the response */
  constructor(delayMs = 0) {
    this.#delayMs = delayMs;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onConnect: (_session, answer) => answer(this.#refusalOf('connect')),
      onRcptTo: (_address, _session, answer) => answer(this.#refusalOf('to')),
      onData: (stream, { envelope }, answer) => {
        const [to] = envelope.rcptTo;
        this.#take(stream, to!.address).then(() => answer(), answer);
      },
    });
    // A killed client resets its connection.
    this.#server.on('error', () => undefined);
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.release();
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    for (const connection of this.#server.connections) connection._socket.destroy();
    await closed;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Responds to a step with this code until `accept` is called. */
  refuse(step: Step, code: number): void {
    this.#refusals.set(step, code);
  }

  accept(): void {
    this.#refusals.clear();
  }

  /** Receives emails, but delays responses until `release` is called. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { open: promise, release: resolve };
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  /** Returns the emails of each message that arrived more than once, in order of arrival. */
  doubles(): Mail[][] {
    return [...Map.groupBy(this.taken, ({ messageId }) => messageId).values()].filter(({ length }) => length > 1);
  }

  #refusalOf(step: Step): Error | undefined {
    const responseCode = this.#refusals.get(step);
    return responseCode === undefined ? undefined : Object.assign(new Error('not today'), { responseCode });
  }

  async #take(stream: SMTPServerDataStream, to: string): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const at = Date.now();
    const messageId = /^Message-ID: <([^@>]+)@/im.exec(Buffer.concat(chunks).toString('latin1'))![1]!;
    await this.#held?.open;
    if (this.#delayMs > 0) await sleep(this.#delayMs);
    this.taken.push({ messageId, to, at });
  }
}
