import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import type { PackageVisits } from '../../../auth/package-visits.ts';
import { ApiError } from '../../../errors.ts';
import { Bulkhead } from '../../../limits/bulkhead.ts';
import { findFile, type PackedFile } from '../../../resources/courses/play-repository.ts';
import { clientGone } from '../../../web/client-gone.ts';
import { refuseMethod } from '../../../web/guards.ts';
import { PACKAGE_CLIENT } from './package-assets.ts';
import { withClient } from './page-client.ts';

/** A file may have 32 MiB. */
const slots = new Bulkhead({ max: 12, maxPerCompany: 6, timeoutMs: 20_000 });
const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

/**
 * A package is a stranger's program. Each of its files comes with a sandbox of its own, so that it has no origin, no cookies
 * and no storage even when it is opened by itself, and reaches nothing but this service, where nobody knows it.
 * It is in our frame, and in frames of its own that have no origin either: `frame-ancestors` cannot name them.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms',
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
  "form-action 'none'",
  "base-uri 'self'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  // A document without an origin is a stranger to its own files, and sends no cookies with what it asks.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, max-age=600',
  'Accept-Ranges': 'bytes',
};

/** The files of packages, for who has the secret of a window that has one open. */
export function packageFiles(visits: PackageVisits): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PACKAGE_CLIENT.path, (_req, res) => {
    res.removeHeader('X-Frame-Options');
    res.set({ ...HEADERS, ...PACKAGE_CLIENT.headers }).end(PACKAGE_CLIENT.body);
  });
  const files = '/packages/:token/*path';
  router.get(files, async (req, res) => {
    const visit = visits.find(req.params.token);
    if (!visit) throw noFile();
    const { companyId } = visit.tenant;
    const path = req.params.path.join('/').normalize('NFC');
    if (path.includes('\0')) throw noFile();
    await slots.run(companyId, clientGone(res), async () => {
      const file = await findFile(visit.tenant, visit.tokenHash, path);
      if (!file) throw noFile();
      await sendFile(req, res, file);
    });
  });
  router.all(files, refuseMethod('GET', 'HEAD'));
  return router;
}

async function sendFile(req: Request, res: Response, file: PackedFile): Promise<void> {
  const { contentType, isDeflated, sizeBytes, standard } = file;
  const plain = isDeflated ? await inflate(file.bytes, { maxOutputLength: Math.max(sizeBytes, 1) }) : file.bytes;
  const body = contentType === 'text/html' ? withClient(plain, standard) : plain;
  res.removeHeader('X-Frame-Options');
  res.set(HEADERS);
  // Not by Express, which would say how a page is encoded that says it itself.
  res.setHeader('Content-Type', contentType);
  const ranges = req.range(body.length);
  if (ranges === -1) return void res.status(416).set('Content-Range', `bytes */${body.length}`).end();
  const [range] = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  const part = range ? body.subarray(range.start, range.end + 1) : body;
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${body.length}`);
  res.set('Content-Length', String(part.length)).end(req.method === 'HEAD' ? undefined : part);
  // The place is kept until the client has read it, or is gone.
  await finished(res).catch(() => undefined);
}

function noFile(): ApiError {
  return new ApiError('not_found', 'There is no such file.');
}
