import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { ApiError, invalidField } from '../errors.ts';

export const JSON_LIMIT_BYTES = 10 * 1024 * 1024;

/** Escapes are the only way for a string of JSON to hold what Postgres refuses or UTF-8 cannot say. */
const ESCAPE = Buffer.from('\\u');
const withEscapes = new WeakSet<IncomingMessage>();
const notUtf8 = new WeakSet<IncomingMessage>();

const parseJson = express.json({
  limit: JSON_LIMIT_BYTES,
  // What is small on the wire may be huge unpacked.
  inflate: false,
  // What is JSON but no object is the contract's to refuse.
  strict: false,
  type: () => true,
  // NOTE: an error thrown here would be rewritten by body-parser, so what is found is only noted.
  verify(req, _res, raw) {
    if (!isUtf8(raw)) notUtf8.add(req);
    if (raw.includes(ESCAPE)) withEscapes.add(req);
  },
});

/**
 * Reads the JSON body of an operation that has one.
 *
 * Afterwards Content-Type is exactly `application/json`, or absent where there is no body: the request validator keys
 * its cache by that header, so whatever else a client sends there would be compiled anew and never freed.
 */
export function jsonBody({ required }: { required: boolean }): RequestHandler {
  return (req, res, next) => {
    if (!hasBody(req)) {
      delete req.headers['content-type'];
      return next(required ? invalidField('body', 'is required') : undefined);
    }
    if (!isJson(req.headers['content-type'])) {
      return next(new ApiError('unsupported_media_type', 'The Content-Type of this body must be application/json.'));
    }
    req.headers['content-type'] = 'application/json';
    if (Number(req.headers['content-length'] ?? 0) > JSON_LIMIT_BYTES) return next(tooLarge());
    const done = once(next);
    stopPastLimit(req, () => done(tooLarge()));
    parseJson(req, res, (error?: unknown) => {
      done(error ?? (notUtf8.has(req) ? invalidField('body', 'must be UTF-8') : undefined));
    });
  };
}

/**
 * Refuses text that cannot be stored. Comes after validation, when the body has no more and no other strings than the
 * contract allows.
 */
export const storableText: RequestHandler = (req, _res, next) => {
  next(withEscapes.has(req) ? findUnstorableText(req.body) : undefined);
};

/** body-parser reads a body of unknown length to its end before it says that it is too large. */
function stopPastLimit(req: Request, refuse: () => void): void {
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > JSON_LIMIT_BYTES) refuse();
  });
}

function once(next: (error?: unknown) => void): (error?: unknown) => void {
  let called = false;
  return (error) => {
    if (called) return;
    called = true;
    next(error);
  };
}

export function tooLarge(): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${JSON_LIMIT_BYTES} bytes.`);
}

/** For an operation without a body: whatever came is not read. */
export const noBody: RequestHandler = (req, _res, next) => {
  delete req.headers['content-type'];
  next();
};

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (mediaType?.trim() !== 'application/json') return false;
  return parameters.every(
    (parameter) => !/^\s*charset\s*=/.test(parameter) || /^\s*charset\s*=\s*"?utf-8"?\s*$/.test(parameter),
  );
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
