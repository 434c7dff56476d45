import pg from 'pg';
import utils from 'pg/lib/utils.js';
import type { Socket } from 'node:net';
import { detectCitus } from './citus-detection.ts';
import { type Lookup, LookupBatch } from './lookup-batch.ts';
import { enableDecoderCache } from './row-decoder.ts';
import { isReadingSession, detectReadingSession } from './session-settings.ts';

/** The socket of node-postgres' client; its typings leave it out. */
interface WiredClient {
  connection: { stream: Socket };
}

/** A point query for one company. */
export interface Unit {
  companyId: string;
  statement: { name: string; text: string };
  values: unknown[];
}

interface Options {
  config: pg.ClientConfig;
  /** Timeout of each unit in milliseconds. */
  timeoutMs: number;
  /** Called once if the connection breaks. `end` does not call it. */
  onBreak: (error: Error) => void;
}

/** Maximum number of units in one transaction. Their replies arrive together, so the first unit waits for the last. */
const MAX_BATCH = 4;
const TICK_MS = 500;
/**
 * Number of ticks without a reply after which the connection counts as dead: longer than the timeouts of all units in a
 * batch together.
 */
const MAX_QUIET_TICKS = 2 * MAX_BATCH + 1;

/**
 * A connection that sends units without waiting for the replies to earlier ones. Postgres runs them in order. See
 * read-pipeline.ts for how units are batched, and why any error breaks the connection.
 */
export class PipelinedConnection {
  readonly #client: pg.Client;
  readonly #timeoutMs: number;
  readonly #onBreak: (error: Error) => void;
  readonly #watch: NodeJS.Timeout;
  /** Number of units without a reply. */
  #inFlight = 0;
  #quietTicks = 0;
  /** Lookups to send at the end of this iteration of the event loop, by company. */
  readonly #gathered = new Map<string, Lookup[]>();
  /** Whether the connection has ended or broken. */
  #isOver = false;
  /** The error that broke the connection; undefined if it was ended. */
  #brokenBy: Error | undefined;

  private constructor(client: pg.Client, { timeoutMs, onBreak }: Options) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#onBreak = onBreak;
    // Counts ticks, not time. After a blocked event loop, replies wait in the socket although the clock shows silence.
    this.#watch = setInterval(() => this.#tick(), TICK_MS).unref();
    client.on('error', (error) => this.#break(error)).once('end', () => this.#break(ended()));
  }

  /** Opens a connection. @throws the error of the connection attempt */
  static async open(options: Options): Promise<PipelinedConnection> {
    const client = new pg.Client({ ...options.config, pipeline: true });
    // Without a listener an error would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await detectCitus(client);
      await detectReadingSession(client, options.timeoutMs);
      if (isReadingSession((client as unknown as WiredClient).connection)) enableDecoderCache(client);
    } catch (error) {
      void client.end();
      throw error;
    }
    return new PipelinedConnection(client, options);
  }

  get #stream(): Socket {
    return (this.#client as unknown as WiredClient).connection.stream;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Runs a unit. @throws the error of the unit, or the error that broke the connection */
  run<R>({ companyId, statement, values }: Unit): Promise<R[]> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, rows: object[]) => {
        this.#inFlight -= 1;
        this.#quietTicks = 0;
        if (!error) return resolve(rows as R[]);
        this.#break(error);
        reject(error);
      };
      this.#gather(companyId, { statement, values: values.map(utils.prepareValue), settle });
      if (this.#inFlight === 0) this.#quietTicks = 0;
      this.#inFlight += 1;
    });
  }

  /** Collects the lookups of one event-loop iteration: each write is a system call, and each transaction costs time. */
  #gather(companyId: string, lookup: Lookup): void {
    if (this.#gathered.size === 0) setImmediate(() => this.#send());
    const own = this.#gathered.get(companyId);
    if (own) own.push(lookup);
    else this.#gathered.set(companyId, [lookup]);
  }

  #send(): void {
    const stream = this.#stream;
    stream.cork();
    for (const [companyId, lookups] of this.#gathered) {
      for (let from = 0; from < lookups.length; from += MAX_BATCH) {
        this.#sendBatch(companyId, lookups.slice(from, from + MAX_BATCH));
      }
    }
    this.#gathered.clear();
    stream.uncork();
  }

  #sendBatch(companyId: string, lookups: Lookup[]): void {
    const onFailure = (error: Error) => this.#break(error);
    const batch = new LookupBatch({ companyId, timeoutMs: this.#timeoutMs, onFailure }, lookups);
    if (this.#brokenBy) return batch.handleError(this.#brokenBy);
    try {
      this.#client.query(batch);
    } catch (error) {
      batch.handleError(error as Error);
    }
  }

  /** Waits for the units in flight, then disconnects. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#watch);
    this.#send();
    await this.#client.end();
  }

  #tick(): void {
    if (this.#inFlight === 0) return;
    this.#quietTicks += 1;
    if (this.#quietTicks > MAX_QUIET_TICKS) this.#break(unresponsiveError());
  }

  #break(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#brokenBy = error;
    clearInterval(this.#watch);
    this.#stream.destroy(error);
    this.#onBreak(error);
  }
}

function ended(): Error {
  return Object.assign(new Error('Postgres closed the connection'), { code: 'ECONNRESET' });
}

function unresponsiveError(): Error {
  return Object.assign(new Error('Postgres is not responding'), { code: 'ETIMEDOUT' });
}
