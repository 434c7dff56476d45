import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Response, Router } from 'express';
import { type Html, html } from '../../../http/html/html.ts';
import { type Asset, loadAsset, serveAssets } from '../../../http/html/assets.ts';

const packageFile = (name: string): URL => new URL(import.meta.resolve(`pdfjs-dist/${name}`));
const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };

/**
 * Content security policy of the worker's script. It lets the worker load decoders and fonts from this service only.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

const script = loadAsset(new URL('assets/pdf-reader.js', import.meta.url));
const library = loadAsset(packageFile('build/pdf.min.mjs'));
const worker = withPolicy(loadAsset(packageFile('build/pdf.worker.min.mjs')));

/** URLs of the scripts and files that show the PDF of a policy. */
export const READER = {
  script: script.path,
  library: library.path,
  worker: worker.path,
  resources: `/assets/pdfjs-${version}`,
};

/** Sources for pdf.js, which reads the file, starts a worker, and loads fonts that the file lacks. */
export const READER_SOURCES = { 'connect-src': "'self'", 'worker-src': "'self'", 'font-src': "'self'" };

/** Texts of the reader; its script replaces `{page}` and `{pages}`. */
export interface ReaderMessages {
  label: string;
  loading: string;
  failed: string;
  page: string;
}

/** Renders the place in which the script shows a PDF. It is hidden without the script. */
export function readerFrame(file: string, { label, loading, failed, page }: ReaderMessages): Html {
  return html`<div
      id="reader"
      class="pdf"
      role="region"
      aria-label=${label}
      tabindex="0"
      hidden
      data-file=${file}
      data-library=${READER.library}
      data-worker=${READER.worker}
      data-resources=${READER.resources}
      data-loading=${loading}
      data-failed=${failed}
      data-page=${page}
    ></div>
    <p id="reader-status" role="status"></p>`;
}

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

/** Lets clients cache a file for a year, because the version is part of the URL. */
function setHeaders(res: Response): void {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
}

function withPolicy(asset: Asset): Asset {
  return { ...asset, headers: { ...asset.headers, 'Content-Security-Policy': WORKER_POLICY } };
}
