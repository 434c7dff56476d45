import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { readText } from '../body-text.ts';
import { ApiError, invalidField } from '../errors.ts';

const JSON_LIMIT_BYTES = 10 * 1024 * 1024;

/** Escapes are the only way for a string of JSON to hold what Postgres refuses or UTF-8 cannot say. */
const ESCAPE = '\\u';
const withEscapes = new WeakSet<IncomingMessage>();

/**
 * Reads the JSON body of an operation that has one.
 *
 * Afterwards Content-Type is exactly `application/json`, or absent where there is no body: the request validator keys
 * its cache by that header, so whatever else a client sends there would be compiled anew and never freed.
 */
export function jsonBody({ required }: { required: boolean }): RequestHandler {
  return async (req, _res, next) => {
    if (hasBody(req) && !isJson(req.headers['content-type'])) {
      throw new ApiError('unsupported_media_type', 'The Content-Type of this body must be application/json.');
    }
    const text = hasBody(req) ? await readText(req, JSON_LIMIT_BYTES) : '';
    if (text === undefined) return;
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

function parse(text: string): unknown {
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

/** For an operation without a body: whatever came is not read. */
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

/** The first string found that holds a null character or half a surrogate pair, as the error to answer. */
function findUnstorableText(body: unknown): ApiError | undefined {
  // A list of what is left to look at, and not a recursion: a client decides how deep its body is.
  const left: [value: unknown, field: string][] = [[body, 'body']];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, field] = next;
    if (typeof value === 'string') {
      if (value.includes('\0')) return invalidField(field, 'must not contain null characters');
      if (!value.isWellFormed()) return invalidField(field, 'must be well-formed Unicode');
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) left.push([item, `${field}/${key}`]);
    }
  }
  return undefined;
}
