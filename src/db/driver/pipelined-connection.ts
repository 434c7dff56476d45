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

/** Units that share a transaction at most: the answer of the first one waits for the last one. */
const MAX_BATCH = 4;
const TICK_MS = 500;
/** So many ticks without an answer: more than Postgres may take for a batch, which it answers when it is through. */
const MAX_QUIET_TICKS = 2 * MAX_BATCH + 1;

/**
 * A connection on which units follow one another without waiting for answers; Postgres runs one after the other. A few of
 * one company share a transaction when they are asked for together. Whatever fails breaks the connection, and with it all
 * that is in flight: a statement may be badly prepared, and one that takes long holds up those behind it.
 */
export class PipelinedConnection {
  readonly #client: pg.Client;
  readonly #timeoutMs: number;
  readonly #onBreak: (error: Error) => void;
  readonly #watch: NodeJS.Timeout;
  /** Units without an answer. */
  #inFlight = 0;
  #quietTicks = 0;
  /** By company, what goes out when this turn of the event loop is over. */
  readonly #gathered = new Map<string, Lookup[]>();
  /** It takes no more units. */
  #isOver = false;
  /** Why. Undefined when it was ended. */
  #brokenBy: Error | undefined;

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

  /** Sends a unit. @throws what it failed with, or what broke the connection */
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

  /** What is asked for in one turn goes out together: each write is a system call, and each transaction has its price. */
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

  /** Lets what is in flight end, then disconnects. */
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
  return Object.assign(new Error('Postgres has closed the connection'), { code: 'ECONNRESET' });
}

function unresponsiveError(): Error {
  return Object.assign(new Error('Postgres does not answer'), { code: 'ETIMEDOUT' });
}
