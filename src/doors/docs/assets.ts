import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

/** A file that pages load. Its address contains a hash of its content, so clients cache it forever. */
export interface Asset {
  path: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function assetOf(file: URL): Asset {
  const body = readFileSync(file);
  const extension = extname(file.pathname);
  const name = basename(file.pathname, extension);
  return {
    path: `/docs/assets/${name}-${hash('sha256', body).slice(0, 12)}${extension}`,
    body,
    headers: { 'Content-Type': TYPES[extension]!, 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}
