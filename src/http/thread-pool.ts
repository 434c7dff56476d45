// eslint-disable-next-line no-restricted-imports -- its connections are message channels to threads, which leave no process
import { type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { ResponseAborted } from './response/response-aborted.ts';
import { PortStream } from './body/port-stream.ts';
import { getRequestContext, getRequestOrigin } from './request-context.ts';

/**
 * Maximum number of threads of a process. On typical machines, more threads would take processor time from the event
 * loop.
 */
const MAX_THREADS = 2;
const LOOK_EVERY_MS = 1000;
/** Polls without a reply after which a thread counts as stuck: 90 s, because starting takes 20 s on a busy machine. */
const MAX_UNANSWERED_POLLS = 90;
/** Time after which an idle thread is ended, because it holds some 100 MiB. */
const IDLE_MS = 600_000;
/** Maximum heap of a thread. A body of 10 MiB needs up to 150 MiB, and a thread handles two or three bodies at once. */
const MAX_HEAP_MIB = 768;

/** Headers that belong to a connection, or that the other side sets itself. */
const OWN_HEADERS = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'expect', 'upgrade', 'te', 'trailer'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-request-id'],
]);

export interface ThreadPoolOptions {
  /** The program of a thread: see `src/server/thread.ts`. */
  program: URL;
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
  /** Counts an xAPI statement by the outcome that a thread reports. */
  onStatement: (outcome: string) => void;
}

interface Thread {
  worker: Worker;
  streams: Set<PortStream>;
  /** Number of polls since the thread's last reply. */
  unanswered: number;
  idle: NodeJS.Timeout;
}

/** A received body to hand to a thread. */
export interface HandedBody {
  bytes: Readable;
  length: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Called when the thread has done its work. */
  release: () => void;
}

/** A request whose body a thread has received. `answered` settles when the response has been sent. */
export interface Handed {
  answered: Promise<void>;
}

/**
 * A pool of threads that handle requests whose bodies are large or hold many values. The event loop never parses,
 * validates or processes such a body, so it keeps serving all other companies.
 *
 * A thread runs the service without rate limits. The thread authenticates the request again, reads, validates and acts,
 * with its own database connections. The request reaches the thread as HTTP over a message channel (`port-stream.ts`).
 * The response returns the same way, at the speed of the client. Threads start on demand. `bufferedBodies`, whose slot
 * the caller holds, limits the requests of a company in the threads.
 *
 * If a thread ends or is stuck, its requests fail with 502 `service_unavailable`, or break off if their response has
 * begun. The next request starts another thread.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #watch: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** The number of running threads. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Hands over a request whose body was received. Resolves once a thread has the whole body, or sending it has failed.
   * @throws {ApiError} `service_unavailable` if the pool is closed
   */
  async hand(req: Request, res: Response, body: HandedBody): Promise<Handed> {
    const thread = this.#freest();
    const stream = connect(thread);
    const headers = { ...headersFor(req, res), 'content-length': body.length };
    const { method, originalUrl: path } = req;
    const sent = request({ createConnection: () => stream, method, path, headers });
    body.signal.addEventListener('abort', () => stream.destroy());
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.once('close', () => reject(new Error('The thread exited without a response')));
    });
    const answered = sendThreadResponse(answer, res, body.release).finally(() => stream.destroy());
    // The caller awaits `answered` later. If the thread ends before that, the rejection must not end the process.
    answered.catch(() => undefined);
    // Ignores the error, because `answered` has the reason: a thread can reject a body before the whole body arrives.
    await pipeline(body.bytes, sent).catch(() => undefined);
    return { answered };
  }

  /** Ends all threads and their requests. The pool then accepts no more requests. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    await this.endAll();
  }

  /** Ends the running threads and their requests. The next request starts another thread. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #freest(): Thread {
    if (this.#isClosed) throw unavailable();
    const [freest] = [...this.#threads].sort((a, b) => a.streams.size - b.streams.size);
    const thread = freest && (freest.streams.size === 0 || this.#threads.size === MAX_THREADS) ? freest : this.#start();
    thread.idle.refresh();
    return thread;
  }

  #start(): Thread {
    const { program, env, logger, onStatement } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
    const worker = new Worker(program, { env, resourceLimits });
    worker.unref();
    const idle = setTimeout(() => thread.streams.size === 0 && void worker.terminate(), IDLE_MS).unref();
    const thread: Thread = { worker, streams: new Set(), unanswered: 0, idle };
    this.#threads.add(thread);
    worker.on('message', (outcomes: string[]) => {
      thread.unanswered = 0;
      for (const outcome of outcomes) onStatement(outcome);
    });
    worker.on('error', (err) => logger.error({ err }, 'worker thread failed'));
    worker.once('exit', (code) => {
      clearTimeout(idle);
      this.#threads.delete(thread);
      for (const stream of thread.streams) stream.destroy();
      if (!this.#isClosed) logger.info({ code }, 'worker thread exited');
    });
    return thread;
  }

  /** Polls each thread, and ends a stuck one. */
  #look(): void {
    for (const thread of this.#threads) {
      const { worker, streams } = thread;
      worker.postMessage(null);
      thread.unanswered += 1;
      if (thread.unanswered <= MAX_UNANSWERED_POLLS) continue;
      this.#options.logger.error({ requests: streams.size }, 'worker thread unresponsive; terminating it');
      void worker.terminate();
    }
  }
}

function connect({ worker, streams }: Thread): PortStream {
  const { port1, port2 } = new MessageChannel();
  const stream = new PortStream(port1);
  streams.add(stream);
  stream.once('close', () => streams.delete(stream));
  // The request on the stream reports the error.
  stream.on('error', () => undefined);
  worker.postMessage(port2, [port2]);
  return stream;
}

/** Builds the headers for a thread: the request's headers, with the client's IP address and the request id. */
function headersFor(req: Request, res: Response): Record<string, string | string[]> {
  const given = Object.entries(req.headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name));
  const { address } = getRequestOrigin(req, res);
  return {
    ...(Object.fromEntries(given) as Record<string, string | string[]>),
    'x-request-id': getRequestContext(res).requestId,
    ...(address !== null && { 'x-forwarded-for': address }),
  };
}

/**
 * Sends the response of a thread.
 * @throws {ApiError} `service_unavailable` if the thread ends before the response has begun
 * @throws {ResponseAborted} if the thread ends after that
 */
async function sendThreadResponse(answer: Promise<IncomingMessage>, res: Response, release: () => void): Promise<void> {
  const response = await answer.catch((cause: unknown) => {
    throw unavailable(cause);
  });
  release();
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    if (!OWN_HEADERS.has(name)) res.setHeader(name, values.length === 1 ? values[0]! : values);
  }
  const { 'content-length': length } = response.headers;
  if (length !== undefined) res.setHeader('content-length', length);
  res.statusCode = response.statusCode!;
  await pipeline(response, res).catch((cause: unknown) => {
    throw new ResponseAborted('The response broke off', { cause });
  });
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.', { cause });
}
