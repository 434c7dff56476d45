import type { RequestHandler } from 'express';
import type { Site } from './site.ts';
import { methodNotAllowed } from '../http/guards.ts';
import { oncePerKey } from '../http/once.ts';
import { type StaticResponse, staticResponse, sendStatic } from '../http/response/static-response.ts';

/** Serves the documentation. Passes on requests for paths that it does not have. */
export function docsRoutes({ files }: Site): RequestHandler {
  const answers = oncePerKey<StaticResponse>();
  return async (req, res, next) => {
    if (!/^\/(docs|llms\.txt)/.test(req.path)) return next();
    if (req.path === '/docs/') return res.redirect(308, '/docs');
    const render = files.get(req.path);
    if (!render) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    const answer = await answers(req.path, async () => {
      const { body, headers } = await render();
      return staticResponse(body, headers);
    });
    sendStatic(req, res, answer);
  };
}
