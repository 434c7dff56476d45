import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';

/** An email as the server received it. */
export interface Mail {
  from: string;
  to: string[];
  raw: string;
  parsed: Email;
}

/** Steps of the conversation at which the server can reject. */
export type Step = 'connect' | 'auth' | 'from' | 'to' | 'data';

/** A real SMTP server on loopback. It accepts everything unless a test makes it reject, wait or stop. */
export class MailServer {
  /** Every complete email in the order of arrival, with any response. */
  received: Mail[] = [];
  /** Emails that the server accepted. */
  taken: Mail[] = [];
  /** Number of RCPT TO commands. */
  recipientsAsked = 0;
  lastLogin: { username: string | undefined; password: string | null | undefined } | undefined;
  /** Whether the server hangs up instead of answering a complete email. */
  hangsUp = false;
  /** Delay before the server answers a complete email. */
  slowMs = 0;
  /** Step that the server never answers. */
  silentAt: 'from' | 'to' | undefined;

  readonly #options: SMTPServerOptions;
  readonly #refusals = new Map<Step, Error>();
  #server: SMTPServer | undefined;
  #port = 0;
  #held: { open: Promise<void>; release: () => void } | undefined;

  /** @param options if omitted, the server has neither TLS nor passwords */
  constructor(options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] }) {
    this.#options = options;
  }

  /** Starts the server unless it is running, on the same port each time. */
  async start(): Promise<this> {
    if (this.#server) return this;
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onConnect: (_session, answer) => answer(this.#refusals.get('connect')),
      onAuth: ({ username, password }, _session, answer) => {
        this.lastLogin = { username, password };
        answer(this.#refusals.get('auth'), { user: username });
      },
      onMailFrom: (_address, _session, answer) => {
        if (this.silentAt !== 'from') answer(this.#refusals.get('from'));
      },
      onRcptTo: (_address, _session, answer) => {
        this.recipientsAsked += 1;
        if (this.silentAt !== 'to') answer(this.#refusals.get('to'));
      },
      onData: (stream, { envelope }, answer) => {
        const ends = { from: envelope.mailFrom ? envelope.mailFrom.address : '', to: envelope.rcptTo };
        this.#take(stream, { from: ends.from, to: ends.to.map(({ address }) => address) }).then(() => answer(), answer);
      },
      ...this.#options,
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    // A client that is killed resets its connection.
    server.on('error', () => undefined);
    this.#server = server;
    this.#port = (server.server.address() as AddressInfo).port;
    return this;
  }

  /** Stops the server: connections are cut, and new ones are rejected until it starts again. */
  async stop(): Promise<void> {
    this.release();
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    this.#cut(server);
    await closed;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Rejects a step with this code until `accept` is called. */
  refuse(step: Step, responseCode: number, text = 'not today'): void {
    this.#refusals.set(step, Object.assign(new Error(text), { responseCode }));
  }

  accept(): void {
    this.#refusals.clear();
    this.hangsUp = false;
    this.slowMs = 0;
    this.silentAt = undefined;
  }

  /** Receives emails, but answers none of them until `release` is called. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { open: promise, release: resolve };
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  /** Resets all state, releases emails that are held back, and cuts all connections. */
  reset(): void {
    this.accept();
    this.release();
    this.cutConnections();
    this.received = [];
    this.taken = [];
    this.recipientsAsked = 0;
  }

  /** Cuts every connection without QUIT, and keeps listening. */
  cutConnections(): void {
    if (this.#server) this.#cut(this.#server);
  }

  #cut(server: SMTPServer): void {
    for (const connection of server.connections) connection._socket.destroy();
  }

  async #take(stream: SMTPServerDataStream, ends: { from: string; to: string[] }): Promise<void> {
    const { received, taken } = this;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const mail = { ...ends, raw: raw.toString('latin1'), parsed: await PostalMime.parse(raw) };
    received.push(mail);
    if (this.hangsUp) this.cutConnections();
    await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    await this.#held?.open;
    const refusal = this.#refusals.get('data');
    if (refusal) throw refusal;
    taken.push(mail);
  }
}
