import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to the test's database that can break connections in several ways. */
export class DatabaseWire {
  readonly #sockets = new Set<Socket>();
  readonly #far = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #isFrozen = false;

  async mend(): Promise<void> {
    const target = new URL(testService.database.serviceUrl);
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      this.#far.add(far);
      if (this.#isFrozen) near.pause();
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined).once('close', () => [near, far].forEach((end) => end.destroy()));
      }
      if (!this.#isFrozen) near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => this.#server!.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isFrozen = false;
    this.#server?.close();
    // A reset instead of an orderly close, as when the database's machine goes down.
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
    this.#far.clear();
  }

  /** Cuts all connections as soon as a new one sends this string. */
  cutAt(text: string): void {
    this.#server!.on('connection', (near: Socket) => near.on('data', (bytes) => bytes.includes(text) && this.cut()));
  }

  /**
   * Drops the database's replies as soon as an existing connection sends `text` after it sent `earlier`. The
   * statement still runs.
   */
  deafenAt(text: string, earlier: string): void {
    for (const socket of this.#sockets) {
      if (this.#far.has(socket)) continue;
      let isExpected = false;
      socket.on('data', (bytes) => {
        isExpected ||= bytes.includes(earlier);
        if (isExpected && bytes.includes(text)) for (const far of this.#far) far.unpipe().pause();
      });
    }
  }

  /** Holds back the replies to each connection that is opened from now until the next cut, once it sends this text. */
  silenceAt(text: string): void {
    this.#server!.on('connection', (near: Socket) => near.on('data', (bytes) => bytes.includes(text) && near.cork()));
  }

  /** Stops all traffic without closing or rejecting a connection, like a firewall or a dead machine. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Lets new connections through. Frozen connections stay silent. */
  thaw(): void {
    this.#isFrozen = false;
  }

  /** Makes the database end the sessions that use this proxy, as a restart does. Resolves when all have ended. */
  async end(where = 'true'): Promise<void> {
    const ports = [...this.#far].map((socket) => socket.localPort);
    const ended = await testService.query(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and client_port = any($1::integer[]) and ${where}`,
      [ports.filter(Boolean)],
    );
    const pids = ended.map(({ pid }) => pid as number);
    const left = () => testService.query('select from pg_stat_activity where pid = any($1)', [pids]);
    for (let count = pids.length; count > 0;) count = (await left()).length;
  }

  /** The URL of the database through this proxy. */
  get url(): string {
    return Object.assign(new URL(testService.database.serviceUrl), { port: String(this.#port) }).href;
  }
}
