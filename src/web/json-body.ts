import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { readText } from './body-text.ts';
import { ApiError, invalidField } from '../errors.ts';
import { isLarge } from './body-size.ts';
import { isDeeperThan } from './json-depth.ts';
import { readLargeText } from './large-text.ts';
import { contextOf } from './request-context.ts';

/** Far deeper than any body of the contract. Endless nesting would keep the parser busy. */
const MAX_DEPTH = 32;

/** Only an escape can put a character into JSON that UTF-8 cannot hold. */
const ESCAPE = '\\u';
const withEscapes = new WeakSet<IncomingMessage>();

export interface JsonBodyOptions {
  required: boolean;
  maxBytes: number;
  /** Judges the body as it was sent, before anything is made of it. It throws to refuse it. */
  verify?: (text: string, req: Request, res: Response) => Promise<void>;
}

/**
 * Reads the JSON body of an operation that has one, of at most `maxBytes`.
 *
 * Afterwards Content-Type is exactly `application/json`, or absent where there is no body: the request validator keys
 * its cache by that header, so whatever else a client sends there would be compiled anew and never freed.
 */
export function jsonBody({ required, maxBytes, verify }: JsonBodyOptions): RequestHandler {
  return async (req, res, next) => {
    if (hasBody(req) && !isJson(req.headers['content-type'])) {
      throw new ApiError('unsupported_media_type', 'The Content-Type of this body must be application/json.');
    }
    const text = hasBody(req) ? await read(req, res, maxBytes) : '';
    if (text === undefined) return;
    await verify?.(text, req, res);
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

function read(req: Request, res: Response, maxBytes: number): Promise<string | undefined> {
  // A large body takes a place of its company. What needs no key has small bodies.
  return contextOf(res).caller && isLarge(req) ? readLargeText(req, res, maxBytes) : readText(req, maxBytes);
}

function parse(text: string): unknown {
  if (isDeeperThan(MAX_DEPTH, text))
    throw invalidField('body', `must not be nested more than ${MAX_DEPTH} levels deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'is not valid JSON');
  }
}

/**
 * Refuses text that cannot be stored. Comes after validation, when the body has no more and no other strings than the
 * contract allows.
 */
export const storableText: RequestHandler = (req, _res, next) => {
  next(withEscapes.has(req) ? findUnstorableText(req.body) : undefined);
};

/** For an operation without a body: a body that is sent is not read. */
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

/** The first string found that holds half a surrogate pair, which no pattern of the contract can refuse. */
function findUnstorableText(body: unknown): ApiError | undefined {
  // A list of what is left to look at, and not a recursion: a client decides how deep its body is.
  const left: [value: unknown, field: string][] = [[body, 'body']];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, field] = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return invalidField(field, 'must be well-formed Unicode');
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) left.push([item, `${field}/${key}`]);
    }
  }
  return undefined;
}
