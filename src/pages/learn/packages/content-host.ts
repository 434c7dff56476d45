// The content host: the origin on which packages run when CONTENT_URL is set.
//
// A package is untrusted code that expects a normal origin: frames that call each other, dialogs, popups, storage,
// and the SCORM API in a window above. On the service's own host it would get the learner's session. So one process
// serves two hosts, and the Host header decides, on any port:
//
// - The content host serves packages (`/packages/{token}/…`), the page that runs one (`/play/{token}`) with its scripts,
//   and nothing else. It sets no cookie and reads none. Every other path is 404.
// - The service's host serves everything else, and no package.
//
// The learner's page on the service's host has a frame with `/play/{token}`. That page holds the SCORM runtime, and the
// package is in a frame below it. Both have the same origin, so a package finds the API through `window.parent`, and
// calls are synchronous. The runtime sends reports to its own URL, `POST /play/{token}`, because a fetch with
// `keepalive` survives the end of the page; a message to the page above would be lost with the page. `postMessage` only
// carries the status, a fixed word for which the service's page shows its own text.
//
// The capability is the token of a window: 256 random bits; the database has only the hash. It is bound to the learner,
// the attempt and the package version. It expires after 4 hours, or earlier when the learner opens the package again,
// when the session in which the package was opened ends, or when a new attempt begins. A package knows its token. The
// token allows nothing that the package cannot do anyway: read its files, and report states of this attempt. So a score
// is as trustworthy as the package that reports it.
//
// Two forms of CONTENT_URL:
//
// - `https://*.content.example` gives each window a different host, derived from the token. No two windows share an
//   origin, so no package reaches the frames, the storage or the workers of another. Cookies are the exception: a
//   script can set one for the whole domain, which other packages can read. To close that, have the domain added to the
//   Public Suffix List.
// - `https://content.example` is one origin for all packages. The Content-Security-Policy of each file names the path
//   of its window, so a package cannot load the files of another. Entering a package clears the storage of the origin.
//   Two packages that one browser has open at the same time share storage and can find each other's frames.
//
// In both forms, the sandbox refuses navigation of the window above, the service refuses `Service-Worker` requests, and
// the Content-Security-Policy refuses connections to other hosts. Two ways out remain. A popup can open any address; it
// inherits the sandbox. WebRTC can connect to any host: Chromium 153 ignores `webrtc 'block'` in that policy, so a
// script removes the WebRTC constructor from each page. A malicious package can get the constructor from an empty frame
// and send the data that it has: the learner's name, id and answers.
//
// The service's host and the content host should have different registrable domains: otherwise a package can fill the
// cookies that browsers send to the service until requests are too large.
//
// A package with several pages (SCOs) has a menu of the manifest's items, next to the frame. The menu opens an item by
// its position, `/play/{token}?item=2`: the script first empties the frame, so that the package can finish, and waits
// until its last report is stored. Each item has a separate runtime state, and a report names its item. See
// package-state.ts for how the course gets its result.
//
// Leaving the page or the item ends a package, even if it never finishes: the last report says so, and the service
// records a result from a final status. The runtime removes the package's frame before that report, so the report
// includes what the package does in `unload`.
//
// Limits: the runtime sends at most one report a second. The service accepts up to 2 MiB per report and counts reports
// against the learner's budget. A report that arrives after a newer one of its item is ignored, so a repeated or
// delayed one does no harm. If an attempt has two windows, the one opened later counts, and reports from the other get
// 409. Reports after the finish also get 409, unless the package has suspended the attempt (`cmi.exit`): the attempt
// then continues, and a window can improve the recorded result once.
import { hash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';

/** Sandbox permissions of packages on the content host. */
export const SANDBOX =
  'allow-same-origin allow-scripts allow-forms allow-modals allow-popups allow-downloads allow-pointer-lock';

/** Returns the origin on which the window of a token plays its package. */
export function getContentOrigin({ protocol, host, isWildcard }: ContentHost, token: string): string {
  return `${protocol}//${isWildcard ? `${deriveLabel(token)}.` : ''}${host}`;
}

/** Passes requests to the content host on to `routes`, and no other requests. */
export function onContentHost(content: ContentHost, routes: RequestHandler): RequestHandler {
  return (req, res, next) => (isOnContentHost(content, req) ? routes(req, res, next) : next());
}

/** Reports whether a request names the host of the window with this token. Proxies can drop the port. */
export function isContentHost(content: ContentHost, token: string, req: Request): boolean {
  return toHostname(req.host ?? '') === new URL(getContentOrigin(content, token)).hostname;
}

/**
 * Reports whether a request names the content host in any way, on any port. With a wildcard, every name below the host
 * belongs to packages, and so does the host itself. A package can send X-Forwarded-Host, but cannot use it to reach
 * another host.
 */
function isOnContentHost(content: ContentHost, { headers, url }: Request): boolean {
  const [, target = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  const { hostname } = new URL(`${content.protocol}//${content.host}`);
  return [target, headers.host, headers['x-forwarded-host']]
    .flatMap((name) => String(name ?? '').split(','))
    .map((name) => toHostname(name.trim()).replace(/\.$/, ''))
    .some((name) => name === hostname || (content.isWildcard && name.endsWith(`.${hostname}`)));
}

function toHostname(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

/**
 * Derives the host label of a window from its token. DNS servers can safely see the label, because nobody can derive
 * the token from it.
 */
function deriveLabel(token: string): string {
  return hash('sha256', `content host ${token}`).slice(0, 32);
}
