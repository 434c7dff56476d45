// Compression of responses.
//
// The length of a compressed response depends on the repetitions in it. If a response contains both a secret and text
// that another site can choose, such as a filter in the URL, that site can guess the secret byte by byte from the
// lengths of many responses (BREACH). It needs the victim's browser to send those requests with the victim's
// credentials. Responses are therefore compressed in two cases only:
//
// 1. Content that is the same for everybody: the documentation, the contract, and assets (`static-response.ts`). It is
//    compressed once and has no secret.
// 2. Responses of operations whose contract allows it (`isCompressible`), to a caller with a key or a token in
//    `Authorization`. No browser adds this header on its own. Such operations only read, and their responses have no
//    secret.
//
// All other responses are sent as they are: the pages of learners and admins, which browsers request with a cookie and
// which contain form tokens; new keys and secrets; responses to writes; sign-ins, approvals, SCIM, xAPI and MCP. A
// response is not compressed unless its route asks for it, so a new page is safe by default.
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';
import { getRequestContext, type RequestContext } from '../request-context.ts';

export type Encoding = NonNullable<RequestContext['encoding']>;

/** The encodings, best first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** Minimum length in bytes. A shorter response fits into one packet, so compression would save nothing. */
export const MIN_COMPRESSED_BYTES = 1024;

const NO_TRANSFORM = /(?:^|[,\s])no-transform(?:$|[,;\s])/i;

/**
 * Selects the encoding of a response, and sets `Vary`. Returns undefined if the response is sent as it is. This
 * includes clients that also reject an uncompressed response (`identity;q=0`): a readable response helps them more than
 * an error.
 */
export function selectEncoding(req: Request, res: Response): Encoding | undefined {
  if (!req.app.get('compression')) return undefined;
  res.vary('Accept-Encoding');
  if (forbidsTransform(req.headers['cache-control']) || forbidsTransform(res.getHeader('Cache-Control')))
    return undefined;
  const selected = new Negotiator(req).encoding([...ENCODINGS, 'identity'], { preferred: ENCODINGS });
  return selected === 'identity' ? undefined : selected;
}

function forbidsTransform(header: unknown): boolean {
  return typeof header === 'string' && NO_TRANSFORM.test(header);
}

/** Permits the compression of the response. Must come after the step that authenticates by `Authorization`. */
export const permitCompression: RequestHandler = (req, res, next) => {
  getRequestContext(res).encoding = selectEncoding(req, res);
  next();
};

/**
 * Sets the headers of a compressed response. Returns undefined, without an effect, if the response must be sent as it
 * is. The ETag becomes weak, because it names the content and not its bytes; `If-Match` accepts weak tags.
 */
export function beginCompression(res: Response): Encoding | undefined {
  const { encoding } = getRequestContext(res);
  if (encoding === undefined || res.statusCode !== 200 || !isText(res)) return undefined;
  res.setHeader('content-encoding', encoding);
  const tag = res.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) res.setHeader('etag', `W/${tag}`);
  return encoding;
}

/** Reports whether a response is text. PDFs and packages are compressed already. */
function isText(res: Response): boolean {
  return /^(?:application\/(?:json|jsonl|x-ndjson)|text\/csv)\b/.test(String(res.getHeader('content-type')));
}

// Levels of responses that are compressed once and sent many times. Level 11 of brotli would save another 8 % of the
// contract, but take 0.8 s instead of 30 ms (1 MB, two cores, November 2026).
const STATIC = { br: brotliOptions(9), gzip: { level: 9 } };
// Levels of responses that are compressed for one request: 0.5 ms for a list of 1,000 items, and a sixth of its bytes.
// The next levels take twice the time and save a tenth of the bytes.
const DYNAMIC = { br: brotliOptions(2), gzip: { level: 1 } };

function brotliOptions(quality: number) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
}

/** Compresses a body that stays the same. Runs in the thread pool, as `compressOnce` does. */
export function compressStatic(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(body, STATIC.br) : promisify(gzip)(body, STATIC.gzip);
}

/** Compresses the body of one response. */
export function compressOnce(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(body, DYNAMIC.br) : promisify(gzip)(body, DYNAMIC.gzip);
}

/** Compresses chunks as they are read. Fails if reading them fails. */
export async function* compressPieces(
  pieces: AsyncIterable<string | Buffer>,
  encoding: Encoding,
): AsyncGenerator<Buffer, void> {
  const compress = encoding === 'br' ? createBrotliCompress(DYNAMIC.br) : createGzip(DYNAMIC.gzip);
  // A failure also destroys `compress` with the same error, which the loop below throws.
  const fed = pipeline(pieces, compress).catch(() => undefined);
  yield* compress as AsyncIterable<Buffer>;
  await fed;
}
