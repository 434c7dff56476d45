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

/** Threads of one process. More would take the processor from the event loop, on the machines that this runs on. */
const MAX_THREADS = 2;
const LOOK_EVERY_MS = 1000;
/** Looks that a thread leaves unanswered before it counts as stuck. On a busy machine it takes 20 s to start. */
const MAX_UNANSWERED = 90;
/** An idle thread is ended: it holds some 100 MiB. */
const IDLE_MS = 600_000;
/** Heap of a thread. A body of 10 MiB needs up to 150 MiB, and a thread has two or three at once. */
const MAX_HEAP_MIB = 768;

/** Headers of a connection, or those that the other side makes itself. */
const OWN_HEADERS = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'expect', 'upgrade', 'te', 'trailer'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-request-id'],
]);

export interface ThreadPoolOptions {
  /** The program of a thread: see `src/server/thread.ts`. */
  program: URL;
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
  /** Counts a statement of xAPI that a thread has judged. */
  onStatement: (outcome: string) => void;
}

interface Thread {
  worker: Worker;
  streams: Set<PortStream>;
  /** Looks since it last answered one. */
  unanswered: number;
  idle: NodeJS.Timeout;
}

/** A body that was read, for a thread. */
export interface HandedBody {
  bytes: Readable;
  length: number;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** Called when the thread has done its work. */
  release: () => void;
}

/** A request whose body a thread has. `lastReplies` settles when its answer has been sent. */
export interface Handed {
  answered: Promise<void>;
}

/**
 * Threads that answer requests whose bodies are large or hold many values: no such body is parsed, validated or worked
 * on by the event loop, which answers all other companies meanwhile.
 *
 * A thread is the service without its limits: it authenticates the request again, reads, validates and acts with
 * connections of its own. The request reaches it as HTTP over a message channel (`port-stream.ts`), and its answer goes back
 * the same way, at the speed of the client. Threads start when they are needed. How many requests a company can have in
 * them is up to `bufferedBodies`, whose place the caller holds.
 *
 * A thread that ends or is stuck takes its requests with it: they are answered 502 `service_unavailable`, or break off
 * if their answer has begun, and the next request starts another thread.
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

  /** Threads that run. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Hands a request over, whose body was read. Resolves when a thread has all of the body.
   * @throws {ApiError} `service_unavailable`
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
      sent.once('close', () => reject(new Error('The thread ended without an answer')));
    });
    const answered = answerFrom(answer, res, body.release).finally(() => stream.destroy());
    // Awaited by the caller. A thread that ends meanwhile must not end the process.
    answered.catch(() => undefined);
    // When it fails, the answer tells why: a thread can refuse a body before it has all of it.
    await pipeline(body.bytes, sent).catch(() => undefined);
    return { answered };
  }

  /** Ends all threads, and what they work on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    await this.endAll();
  }

  /** Ends the threads that run now. The next request starts another one. */
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
    worker.on('error', (err) => logger.error({ err }, 'a thread broke'));
    worker.once('exit', (code) => {
      clearTimeout(idle);
      this.#threads.delete(thread);
      for (const stream of thread.streams) stream.destroy();
      if (!this.#isClosed) logger.info({ code }, 'a thread ended');
    });
    return thread;
  }

  /** Asks each thread whether it is there, and ends one that is stuck. */
  #look(): void {
    for (const thread of this.#threads) {
      const { worker, streams } = thread;
      worker.postMessage(null);
      thread.unanswered += 1;
      if (thread.unanswered <= MAX_UNANSWERED) continue;
      this.#options.logger.error({ requests: streams.size }, 'a thread is stuck');
      void worker.terminate();
    }
  }
}

function connect({ worker, streams }: Thread): PortStream {
  const { port1, port2 } = new MessageChannel();
  const stream = new PortStream(port1);
  streams.add(stream);
  stream.once('close', () => streams.delete(stream));
  // Its request fails with it, and says so.
  stream.on('error', () => undefined);
  worker.postMessage(port2, [port2]);
  return stream;
}

/** The headers of a request, with its address and its id as the thread is to know them. */
function headersFor(req: Request, res: Response): Record<string, string | string[]> {
  const given = Object.entries(req.headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name));
  const { address } = getRequestOrigin(req, res);
  return {
    ...(Object.fromEntries(given) as Record<string, string | string[]>),
    'x-request-id': getRequestContext(res).requestId,
    ...(address !== null && { 'x-forwarded-for': address }),
  };
}

/** Sends what a thread answers. @throws {ApiError} `service_unavailable` when it ends before; {BrokenAnswer} when after */
async function answerFrom(answer: Promise<IncomingMessage>, res: Response, release: () => void): Promise<void> {
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
    throw new ResponseAborted('The answer broke off', { cause });
  });
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', 'The service is temporarily unavailable.', { cause });
}
