import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Response, Router } from 'express';
import { type Asset, loadAsset, serveAssets } from '../../../http/html/assets.ts';

const packageFile = (name: string): URL => new URL(import.meta.resolve(`pdfjs-dist/${name}`));
const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };

/**
 * Content security policy of the worker's script: it lets the worker load decoders and fonts from this service, and
 * nothing from elsewhere.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

const script = loadAsset(new URL('assets/pdf-reader.js', import.meta.url));
const library = loadAsset(packageFile('build/pdf.min.mjs'));
const worker = withPolicy(loadAsset(packageFile('build/pdf.worker.min.mjs')));

/** Addresses of the scripts and files that show the PDF of a policy. */
export const READER = {
  script: script.path,
  library: library.path,
  worker: worker.path,
  resources: `/assets/pdfjs-${version}`,
};

/** Folders that pdf.js loads only for some files: fonts that are not embedded, encodings, colour profiles, decoders. */
const FOLDERS = ['cmaps', 'standard_fonts', 'iccs', 'wasm'];

/** Serves pdf.js, and our script that shows a PDF with it. */
export function readerAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(serveAssets([script, library, worker]));
  for (const folder of FOLDERS) {
    const path = fileURLToPath(new URL(`${folder}/`, packageFile('package.json')));
    router.use(`${READER.resources}/${folder}`, express.static(path, { index: false, redirect: false, setHeaders }));
  }
  return router;
}

/** Lets clients cache a file for a year, because the version is part of the address. */
function setHeaders(res: Response): void {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
}

function withPolicy(asset: Asset): Asset {
  return { ...asset, headers: { ...asset.headers, 'Content-Security-Policy': WORKER_POLICY } };
}
