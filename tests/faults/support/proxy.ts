import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Link {
  near: Socket;
  far?: Socket;
}

/** A TCP proxy on the loopback address with simulated network failures. */
export class Proxy {
  readonly #target: { host: string; port: number };
  readonly #links = new Set<Link>();
  /** Links of a network that failed permanently: kept open, never forwarded again. */
  readonly #abandoned = new Set<Link>();
  #server: Server | undefined;
  #port = 0;
  #silent = false;
  #garbage: string | undefined;
  #limitBytes = Infinity;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  /** Creates a proxy in front of the host and port of a URL. */
  static async to(url: string): Promise<Proxy> {
    const { hostname, port } = new URL(url);
    const proxy = new Proxy({ host: hostname, port: Number(port) });
    await proxy.open();
    return proxy;
  }

  /** Replaces the port in a URL with the proxy's. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.#port) }).href;
  }

  /** Accepts connections, always on the same port. */
  async open(): Promise<void> {
    if (this.#server) return;
    const server = createServer((near) => this.#accept(near));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Resets every connection and rejects new ones until `open` is called. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
    this.reset();
  }

  /** Resets every connection. */
  reset(): void {
    for (const { near, far } of this.#links) {
      near.resetAndDestroy();
      far?.resetAndDestroy();
    }
    this.#links.clear();
  }

  /** Forwards nothing: connections stay open, new ones are accepted, and neither side is notified. */
  silence(): void {
    this.#silent = true;
    for (const link of this.#links) halt(link);
  }

  /** Resumes forwarding on the same connections. */
  resume(): void {
    this.#silent = false;
    for (const link of this.#links) this.#carry(link);
  }

  /** Connects new connections to the target; existing ones stay silent forever, as when an IP address moves. */
  moveOn(): void {
    this.#silent = false;
    for (const link of this.#links) this.#abandoned.add(link);
    this.#links.clear();
  }

  /** Answers new connections with this text instead of forwarding them; undefined restores the forwarding. */
  answerWith(garbage: string | undefined): void {
    this.#garbage = garbage;
  }

  /** Resets a connection after its client has sent this many bytes. */
  limit(bytes: number): void {
    this.#limitBytes = bytes;
  }

  close(): void {
    for (const link of this.#abandoned) this.#links.add(link);
    this.refuse();
  }

  #accept(near: Socket): void {
    const link: Link = { near };
    this.#links.add(link);
    near.on('error', () => undefined).once('close', () => this.#drop(link));
    if (this.#garbage !== undefined) near.resume().write(this.#garbage);
    else if (!this.#silent) this.#carry(link);
  }

  #carry(link: Link): void {
    const { near } = link;
    const far = (link.far ??= this.#connect(link));
    near.pipe(far).pipe(near);
  }

  #connect(link: Link): Socket {
    const far = connect(this.#target.port, this.#target.host);
    far.on('error', () => undefined).once('close', () => this.#drop(link));
    if (this.#limitBytes < Infinity) resetAfter(this.#limitBytes, link.near, far);
    return far;
  }

  #drop(link: Link): void {
    if (this.#abandoned.has(link)) return;
    this.#links.delete(link);
    // Bytes sent before one side closed still reach the other.
    link.near.destroySoon();
    link.far?.destroySoon();
  }
}

function halt({ near, far }: Link): void {
  near.unpipe();
  far?.unpipe();
  near.pause();
  far?.pause();
}

function resetAfter(bytes: number, near: Socket, far: Socket): void {
  near.on('data', () => {
    if (near.bytesRead <= bytes) return;
    near.resetAndDestroy();
    far.resetAndDestroy();
  });
}
