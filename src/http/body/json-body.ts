import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import { decodeText, readBody } from './body-text.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { isLarge } from './body-size.ts';
import { createDisconnectSignal } from '../connection/disconnect-signal.ts';
import { type Bounds, JsonBounds } from './json-bounds.ts';
import { handleLargeBody, isWork, takePlace } from './large-body.ts';
import { getRequestContext, releaseBody } from '../request-context.ts';
import type { ThreadPool } from '../thread-pool.ts';

/** Prefix of a Unicode escape. Only an escape can put a character into JSON that UTF-8 cannot encode. */
const ESCAPE = '\\u';
const withEscapes = new WeakSet<IncomingMessage>();

export interface JsonBodyOptions {
  required: boolean;
  maxBytes: number;
  /** Bounds that are narrower than `WIDEST`. */
  bounds?: Partial<Bounds>;
  /**
   * The pool that handles requests with large bodies; undefined in a thread of that pool, which handles them itself.
   */
  threads?: ThreadPool | undefined;
  /** Checks the body as it was sent, before it is parsed. Throws to reject it. */
  verify?: (text: string, req: Request, res: Response) => Promise<void>;
}

/**
 * Reads the JSON body of an operation, of at most `maxBytes`. If the body is large or has many values, a thread handles
 * the whole request, and the next middleware does not run in this one.
 *
 * Afterwards, Content-Type is exactly `application/json`, or absent if there is no body. The request validator keys its
 * cache by that header, so it would compile a validator for every other value that clients send, and never free these
 * validators.
 */
export function jsonBody({ required, verify, ...options }: JsonBodyOptions): RequestHandler {
  return async (req, res, next) => {
    if (hasBody(req) && !isJson(req.headers['content-type'])) {
      throw new ApiError('unsupported_media_type', 'The Content-Type of this body must be application/json.');
    }
    const judge = verify && ((text: string) => verify(text, req, res));
    const text = hasBody(req) ? await read(req, res, { ...options, judge }) : '';
    if (text === undefined) return;
    await judge?.(text);
    if (text === '') {
      delete req.headers['content-type'];
      return next(required ? invalidField('body', 'is required') : undefined);
    }
    req.headers['content-type'] = 'application/json';
    if (text.includes(ESCAPE)) withEscapes.add(req);
    req.body = parse(text);
    next();
  };
}

interface ReadOptions extends Pick<JsonBodyOptions, 'maxBytes' | 'bounds' | 'threads'> {
  judge: ((text: string) => Promise<void>) | undefined;
}

/** Reads the text of a body. Returns undefined if a thread has handled the request, or the client has disconnected. */
async function read(
  req: Request,
  res: Response,
  { maxBytes, bounds: narrower, threads, judge }: ReadOptions,
): Promise<string | undefined> {
  const bounds = new JsonBounds(narrower);
  const { caller } = getRequestContext(res);
  // Operations without a key have small bodies.
  if (threads && caller && isLarge(req)) return handleLargeBody(req, res, { maxBytes, bounds, threads, verify: judge });
  const bytes = await readBody(req, maxBytes);
  if (!bytes) return undefined;
  bounds.read(bytes);
  const text = decodeText(bytes);
  if (!threads || !caller || !isWork(bytes.length, bounds)) return text;
  await judge?.(text);
  const signal = createDisconnectSignal(res);
  await takePlace(res, caller.companyId, signal);
  const body = {
    bytes: Readable.from([bytes]),
    length: bytes.length,
    signal,
    release: () => releaseBody(req, res),
  };
  const { answered } = await threads.hand(req, res, body);
  await answered;
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
}

/**
 * Responds with 400 `invalid_request` to text that cannot be stored. Must run after validation, which bounds the number
 * of strings in the body.
 */
export const storableText: RequestHandler = (req, _res, next) => {
  next(withEscapes.has(req) ? findUnstorableText(req.body) : undefined);
};

/** Handles an operation without a body. A body that the client sends is not read. */
export const noBody: RequestHandler = (req, _res, next) => {
  delete req.headers['content-type'];
  next();
};

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]!.trim().toLowerCase() === 'application/json';
}

/** Finds a string with half a surrogate pair, which no pattern of the contract can reject. */
function findUnstorableText(body: unknown): ApiError | undefined {
  // Uses a list instead of recursion, because the client decides how deep its body is.
  const left: [value: unknown, field: string][] = [[body, 'body']];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, field] = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return invalidField(field, 'must be well-formed Unicode, without unpaired surrogates');
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) left.push([item, `${field}/${key}`]);
    }
  }
  return undefined;
}
