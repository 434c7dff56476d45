import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Asset, loadAsset } from '../../../http/html/assets.ts';

const ofLibrary = (name: string): Asset => loadAsset(new URL(import.meta.resolve(`scorm-again/${name}/min`)));

/** Scripts of our page: the SCORM runtime for each version, and its listener for calls from the frame. */
export const PACKAGE_PLAYER = loadAsset(new URL('assets/package-player.js', import.meta.url));
export const FRAME_LISTENER = ofLibrary('cross-frame-lms');
export const RUNTIMES = { scorm_1_2: ofLibrary('scorm12'), scorm_2004: ofLibrary('scorm2004') };
/** Script of the service's page around the content host: shows the status that the package's window reports. */
export const PACKAGE_WINDOW = loadAsset(new URL('assets/package-window.js', import.meta.url));
export const PACKAGE_ASSETS: readonly Asset[] = [
  PACKAGE_PLAYER,
  PACKAGE_WINDOW,
  FRAME_LISTENER,
  ...Object.values(RUNTIMES),
];

/** Files of our page on the content host. */
export const CONTENT_PLAYER = loadAsset(new URL('assets/content-player.js', import.meta.url));
export const CONTENT_STYLE = loadAsset(new URL('assets/content-player.css', import.meta.url));
/**
 * Script that runs in the pages of packages on the content host. A classic script, for the same reason as
 * `PACKAGE_CLIENT`.
 */
export const CONTENT_CLIENT = loadAsset(new URL('assets/content-client.js', import.meta.url));
export const CONTENT_ASSETS: readonly Asset[] = [
  CONTENT_PLAYER,
  CONTENT_STYLE,
  CONTENT_CLIENT,
  ...Object.values(RUNTIMES),
];

/**
 * Script that runs in the pages of packages. A classic script, not a module, because packages look for the SCORM API at
 * once.
 */
export const PACKAGE_CLIENT = loadClient();

function loadClient(): Asset {
  const library = createRequire(import.meta.url).resolve('scorm-again/cross-frame-api/min');
  const own = new URL('assets/package-client.js', import.meta.url);
  const body = Buffer.concat([library, own].map((file) => readFileSync(file)));
  return {
    path: `/packages/client-${hash('sha256', body).slice(0, 12)}.js`,
    body,
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  };
}
