import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to the test's database that can be cut and mended. */
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
    // A reset, not a goodbye: what a database does when its machine goes down.
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
    this.#far.clear();
  }

  /** Cuts as soon as this text is sent to the database. */
  cutAt(text: string): void {
    this.#server!.on('connection', (near: Socket) => near.on('data', (bytes) => bytes.includes(text) && this.cut()));
  }

  /** Goes deaf as soon as this text is sent by a connection of now: it is carried out, and nobody hears of it. */
  deafenAt(text: string): void {
    const deafen = () => {
      for (const socket of this.#far) socket.unpipe().pause();
    };
    for (const socket of this.#sockets)
      if (!this.#far.has(socket)) socket.on('data', (bytes) => bytes.includes(text) && deafen());
  }

  /** Until it is cut, a connection to come hears nothing more once it has sent this text. */
  silenceAt(text: string): void {
    this.#server!.on('connection', (near: Socket) => near.on('data', (bytes) => bytes.includes(text) && near.cork()));
  }

  /** From now on nothing passes and nothing is refused: what a firewall does, or a machine that is gone. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Lets new connections through; those there are stay silent for ever. */
  thaw(): void {
    this.#isFrozen = false;
  }

  /** Has the database end what comes by the wire, as it does when it restarts; resolves when all of it has ended. */
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

  /** The address of the database at the other end. */
  get url(): string {
    return Object.assign(new URL(testService.database.serviceUrl), { port: String(this.#port) }).href;
  }
}
