import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { RequestHandler } from 'express';
import { staticResponse, sendStatic } from '../response/static-response.ts';
import { methodNotAllowed } from '../guards.ts';

/** A file that pages load. Its URL contains a hash of its content, so clients cache it forever. */
export interface Asset {
  path: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/**
 * Loads an asset into memory.
 * @param folder path prefix of the asset
 */
export function loadAsset(file: URL, folder = '/assets'): Asset {
  const body = readFileSync(file);
  const extension = extname(file.pathname);
  const name = basename(file.pathname, extension);
  return {
    path: `${folder}/${name}-${hash('sha256', body).slice(0, 12)}${extension}`,
    body,
    headers: { 'Content-Type': TYPES[extension]!, 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}

/** Serves the assets at their paths. Passes all other requests on. */
export function serveAssets(assets: readonly Asset[]): RequestHandler {
  const answers = new Map(assets.map(({ path, body, headers }) => [path, staticResponse(body, headers)]));
  return (req, res, next) => {
    const answer = answers.get(req.path);
    if (!answer) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    return sendStatic(req, res, answer);
  };
}
