import pg from 'pg';
import type { Socket } from 'node:net';
import { noteEngine } from './engine.ts';
import { noteReadingSession } from './session-settings.ts';
import { TenantQuery } from './tenant-query.ts';

/** The socket of node-postgres' client; its typings leave it out. */
interface Wire {
  connection: { stream: Socket };
}

/** A statement that finds rows for one company. */
export interface Unit {
  companyId: string;
  statement: { name: string; text: string };
  values: unknown[];
}

interface Options {
  config: pg.ClientConfig;
  /** Milliseconds that Postgres may take for a unit. */
  timeoutMs: number;
  /** Called once when the connection takes no more units, not when it was ended. */
  onBreak: (error: Error) => void;
}

const TICK_MS = 500;
/** So many ticks without an answer: more than Postgres may take for the unit that it is at. */
const MAX_QUIET_TICKS = 4;

/**
 * A connection on which units follow one another without waiting for answers; Postgres runs one after the other, each in
 * a transaction of its own. Whatever fails breaks the connection, and with it all that is in flight: a statement may be
 * badly prepared, and one that takes long holds up those behind it.
 */
export class PipelinedConnection {
  readonly #client: pg.Client;
  readonly #timeoutMs: number;
  readonly #onBreak: (error: Error) => void;
  readonly #watch: NodeJS.Timeout;
  /** Units that Postgres has not answered. */
  #inFlight = 0;
  #quietTicks = 0;
  #isCorked = false;
  #isBroken = false;

  private constructor(client: pg.Client, { timeoutMs, onBreak }: Options) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#onBreak = onBreak;
    // Ticks are counted, not time: after a held event loop the answers are there, and the clock says that none came.
    this.#watch = setInterval(() => this.#tick(), TICK_MS).unref();
    client.on('error', (error) => this.#break(error)).once('end', () => this.#break(ended()));
  }

  /** Connects. @throws what connecting throws */
  static async open(options: Options): Promise<PipelinedConnection> {
    const client = new pg.Client({ ...options.config, pipeline: true });
    // Without a listener an error would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await noteEngine(client);
      await noteReadingSession(client, options.timeoutMs);
    } catch (error) {
      void client.end();
      throw error;
    }
    return new PipelinedConnection(client, options);
  }

  get #stream(): Socket {
    return (this.#client as unknown as Wire).connection.stream;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Sends a unit. @throws what it failed with, or what broke the connection */
  run<R>({ companyId, statement, values }: Unit): Promise<R[]> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, rows: R[]) => {
        this.#inFlight -= 1;
        this.#quietTicks = 0;
        if (!error) return resolve(rows);
        this.#break(error);
        reject(error);
      };
      const query = new TenantQuery<R>({
        companyId,
        statement,
        values,
        timeoutMs: this.#timeoutMs,
        readOnly: true,
        batchSize: 0,
        settle: (error, { rows }) => settle(error, rows),
      });
      if (this.#inFlight === 0) this.#quietTicks = 0;
      this.#inFlight += 1;
      this.#cork();
      this.#client.query(query);
    });
  }

  /** Lets what is in flight end, then disconnects. */
  async end(): Promise<void> {
    this.#isBroken = true;
    clearInterval(this.#watch);
    await this.#client.end();
  }

  /** What is sent in one turn of the event loop goes out in one write: each is a system call. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const stream = this.#stream;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #tick(): void {
    if (this.#inFlight === 0) return;
    this.#quietTicks += 1;
    if (this.#quietTicks > MAX_QUIET_TICKS) this.#break(silent());
  }

  #break(error: Error): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    clearInterval(this.#watch);
    this.#stream.destroy(error);
    this.#onBreak(error);
  }
}

function ended(): Error {
  return Object.assign(new Error('Postgres has closed the connection'), { code: 'ECONNRESET' });
}

function silent(): Error {
  return Object.assign(new Error('Postgres does not answer'), { code: 'ETIMEDOUT' });
}
