import type { RequestHandler } from 'express';
import type { Site, SiteFile } from './site.ts';
import { methodNotAllowed } from '../../web/guards.ts';
import { once } from '../../web/once.ts';
import { type FixedAnswer, fixedAnswer, sendFixed } from '../../web/fixed-answer.ts';

/** The documentation at its addresses. Paths that it does not have are left to what comes after. */
export function docsRoutes(site: Site): RequestHandler {
  const answers = new Map([...site].map(([path, render]) => [path, once(() => answerOf(render()))]));
  return (req, res, next) => {
    if (!/^\/(docs|llms\.txt)/.test(req.path)) return next();
    if (req.path === '/docs/') return res.redirect(308, '/docs');
    const answer = answers.get(req.path);
    if (!answer) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    sendFixed(req, res, answer());
  };
}

function answerOf({ body, headers }: SiteFile): FixedAnswer {
  return fixedAnswer(body, headers);
}
