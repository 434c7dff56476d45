import { promisify } from 'node:util';
import { inflateRaw, createInflateRaw } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';
import { ApiError } from '../../../contract/errors.ts';
import { namesTag } from '../../../contract/etags.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import { sendParts } from '../../../http/response/send-parts.ts';
import { sendStatic, staticResponse } from '../../../http/response/static-response.ts';
import { getContentOrigin, SANDBOX } from './content-host.ts';
import { PERMISSIONS } from './content-pages.ts';
import { CONTENT_CLIENT, PACKAGE_CLIENT } from './package-assets.ts';
import { pipeline } from 'node:stream/promises';

/** Size limit of pages that get our client. Larger pages are sent unchanged; authoring tools write smaller ones. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const XHTML = 'application/xhtml+xml';
const PAGES = ['text/html', XHTML];
const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

/**
 * Content security policy of every package file on the service's own host. A package is untrusted code. Each file
 * carries the sandbox itself, so even a file that is opened directly has no origin, no cookies and no storage. It can
 * connect only to this service, without anybody's session. The policy has no `frame-ancestors`, because packages nest
 * frames without an origin, which that directive cannot name.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms',
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
  "form-action 'none'",
  "base-uri 'self'",
].join('; ');

type OpenFile = NonNullable<Awaited<ReturnType<SharedServices['openings']['packages']['findFile']>>>;

type Headers = Readonly<Record<string, string>>;

const IN_SANDBOX = {
  'Content-Security-Policy': POLICY,
  // A document without an origin is cross-origin even to its own files, and its requests carry no cookies.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** The content host, and the origin of the pages that can frame it. */
interface Host {
  content: ContentHost;
  publicUrl: string;
}

/**
 * Serves the files of packages, to clients with the token of a window that has the package open.
 * @param host the content host; undefined to serve them in a sandbox of this host, with our client in each page
 */
export function packageFiles({ openings }: Pick<SharedServices, 'openings'>, host?: Host): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (!host) serveClient(router);
  const files = '/packages/:token/*path';
  router.get(files, async (req, res) => {
    const { token } = req.params;
    const path = req.params.path.join('/').normalize('NFC');
    if (path.includes('\0')) throw noFile();
    const file = await openings.packages.findFile(token, path, getRequestOrigin(req, res));
    if (!file) throw noFile();
    const headers = host ? headersOnContentHost(host, token) : IN_SANDBOX;
    const isPage = PAGES.includes(file.contentType) && file.sizeBytes <= MAX_PAGE_BYTES;
    const client = host ? CONTENT_CLIENT.path : `${PACKAGE_CLIENT.path}?${file.standard}`;
    await (isPage ? sendPage(res, file, headers, client) : sendFile(req, res, file, headers));
  });
  router.all(files, refuseMethod('GET', 'HEAD'));
  return router;
}

function serveClient(router: Router): void {
  const client = staticResponse(PACKAGE_CLIENT.body, { ...IN_SANDBOX, ...PACKAGE_CLIENT.headers });
  router.get(PACKAGE_CLIENT.path, (req, res) => {
    res.removeHeader('X-Frame-Options');
    return sendStatic(req, res, client);
  });
}

/** Builds the headers of a file on the content host. The policy lets a package load only the files of its window. */
function headersOnContentHost({ content, publicUrl }: Host, token: string): Readonly<Record<string, string>> {
  const origin = getContentOrigin(content, token);
  const own = `${origin}/packages/${token}/`;
  const policy = [
    `sandbox ${SANDBOX}`,
    `default-src ${own} ${origin}${CONTENT_CLIENT.path} data: blob: 'unsafe-inline' 'unsafe-eval'`,
    `form-action ${own}`,
    `base-uri ${own}`,
    `frame-ancestors 'self' ${new URL(publicUrl).origin}`,
    "webrtc 'block'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': PERMISSIONS,
    // A popup of a package finds the API by its opener.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  };
}

/** Sends a page with our client in it. Holds the whole page in memory. */
async function sendPage(res: Response, file: OpenFile, headers: Headers, client: string): Promise<void> {
  const packed = await file.whole();
  const plain = file.isDeflated ? await inflate(packed, { maxOutputLength: Math.max(file.sizeBytes, 1) }) : packed;
  begin(res, file, headers);
  res.end(withClient(plain, client, file.contentType === XHTML));
}

/** Streams a file, or the requested range of it. The URL and the ETag name one version of the package. */
async function sendFile(req: Request, res: Response, file: OpenFile, headers: Headers): Promise<void> {
  const { isDeflated, sizeBytes, companyId, tag } = file;
  const etag = `"${tag}"`;
  const beginFile = () => begin(res, file, { ...headers, ETag: etag });
  if (namesTag(req.headers['if-none-match'], etag)) {
    beginFile();
    res.status(304).removeHeader('Content-Type');
    return void res.end();
  }
  // A range of another version would not continue the bytes that the client has.
  const ranges = [undefined, etag].includes(req.get('if-range')) ? readRanges(req, sizeBytes) : undefined;
  const [range] = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  if (ranges === -1) {
    beginFile();
    return void res.status(416).set('Content-Range', `bytes */${sizeBytes}`).end();
  }
  const beginPart = () => {
    beginFile();
    if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
    res.set('Content-Length', String(range ? range.end - range.start + 1 : sizeBytes));
  };
  if (sizeBytes === 0) {
    beginPart();
    return void res.end();
  }
  if (!isDeflated) return sendParts(res, { parts: file.parts(range), companyId, begin: beginPart });
  const through = (packed: AsyncIterable<Buffer>) =>
    readRange(inflated(packed), range ?? { start: 0, end: sizeBytes - 1 });
  await sendParts(res, { parts: file.parts(), companyId, begin: beginPart, through });
}

/** Reads the requested ranges. A suffix longer than the file is the whole file; Express calls it unsatisfiable. */
function readRanges(req: Request, sizeBytes: number): ReturnType<Request['range']> {
  const suffix = /^bytes=-(\d+)$/.exec(req.get('range') ?? '')?.[1];
  if (suffix === undefined || Number(suffix) < sizeBytes || sizeBytes === 0) return req.range(sizeBytes);
  return Object.assign([{ start: 0, end: sizeBytes - 1 }], { type: 'bytes' });
}

function begin(res: Response, { contentType }: OpenFile, headers: Headers): void {
  res.removeHeader('X-Frame-Options');
  // Cached no longer than a window can read files, because the token in the URL is the permission.
  res.set({ ...headers, 'Cache-Control': 'private, max-age=14400', 'Accept-Ranges': 'bytes' });
  // Not `res.set`: Express would add a charset, and the page itself declares its encoding.
  res.setHeader('Content-Type', contentType);
  if (contentType === 'application/octet-stream') res.setHeader('Content-Disposition', 'attachment');
}

function noFile(): ApiError {
  return new ApiError('not_found', 'File not found.');
}

/** Inflates the chunks. Fails if reading them fails, or if they are not deflate data. */
async function* inflated(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const inflate = createInflateRaw();
  // A failure also destroys `inflate` with the same error, which the loop below throws.
  const fed = pipeline(pieces, inflate).catch(() => undefined);
  yield* inflate as AsyncIterable<Buffer>;
  await fed;
}

/** Yields the bytes from `start` to `end`, zero-based and inclusive. */
async function* readRange(
  pieces: AsyncIterable<Buffer>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void> {
  let place = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - place), Math.max(0, end + 1 - place));
    place += piece.length;
    if (part.length > 0) yield part;
    if (place > end) return;
  }
}

// Tags after which the script can be inserted, best first. The patterns stop at the next `<`: otherwise a page of many
// unfinished tags would take quadratic time.
const PLACES = [/<head(\s[^<>]*)?>/i, /<html(\s[^<>]*)?>/i, /<!doctype[^<>]*>/i];
/** Number of bytes at the start of a page that are searched for these tags. */
const BEGINNING = 65_536;

/**
 * Inserts our client into a page, before the page's own scripts. Pages look for the SCORM API in their own window
 * first, and in a sandbox the windows above are closed to them. Non-ASCII bytes stay unchanged, in any encoding.
 */
export function withClient(page: Buffer, client: string, isXml = false): Buffer {
  const script = Buffer.from(`<script src="${client}"></script>`);
  const text = page.toString('latin1', 0, BEGINNING);
  // Inserting ASCII into UTF-16 would break the page.
  if (/^(\xff\xfe|\xfe\xff)/.test(text)) return page;
  for (const place of isXml ? PLACES.slice(0, 1) : PLACES) {
    const match = place.exec(text);
    if (!match) continue;
    const end = match.index + match[0].length;
    return Buffer.concat([page.subarray(0, end), script, page.subarray(end)]);
  }
  // Text before an XML declaration would make the page invalid.
  return isXml ? page : Buffer.concat([script, page]);
}
