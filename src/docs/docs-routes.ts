import type { Request, RequestHandler, Response } from 'express';
import { missingPage } from './layout.ts';
import { html, type Site } from './site.ts';
import { methodNotAllowed } from '../http/guards.ts';
import { prefersPage } from '../http/html/prefers-page.ts';
import { oncePerKey } from '../http/once.ts';
import { type StaticResponse, staticResponse, sendStatic } from '../http/response/static-response.ts';

/**
 * Serves the documentation. Passes on requests for paths that it does not have, except those of browsers below `/docs`,
 * which get a page with the search and the list of all pages.
 */
export function docsRoutes({ files, frame }: Site): RequestHandler {
  const answers = oncePerKey<StaticResponse>();
  const missing = html(missingPage(frame));
  return async (req, res, next) => {
    if (!/^\/(docs|llms\.txt)/.test(req.path)) return next();
    if (req.path === '/docs/') return res.redirect(308, '/docs');
    const render = files.get(req.path);
    if (!render) return isForReader(req, res) ? res.status(404).set(missing.headers).end(missing.body) : next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    const answer = await answers(req.path, async () => {
      const { body, headers } = await render();
      return staticResponse(body, headers);
    });
    return sendStatic(req, res, answer);
  };
}

/** Reports whether a browser requests a page of the documentation. */
function isForReader(req: Request, res: Response): boolean {
  return req.path.startsWith('/docs/') && ['GET', 'HEAD'].includes(req.method) && prefersPage(req, res);
}
