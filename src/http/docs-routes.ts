import type { RequestHandler } from 'express';
import type { Site } from '../docs/site.ts';
import { ApiError } from '../errors.ts';
import { type FixedAnswer, fixedAnswer, sendFixed } from './fixed-answer.ts';

/** The documentation at its addresses. Paths that it does not have are left to what comes after. */
export function docsRoutes(site: () => Site): RequestHandler {
  let answers: Map<string, FixedAnswer> | undefined;
  return (req, res, next) => {
    if (!/^\/(docs|llms\.txt)/.test(req.path)) return next();
    if (req.path === '/docs/') return res.redirect(308, '/docs');
    answers ??= new Map([...site()].map(([path, { body, headers }]) => [path, fixedAnswer(body, headers)]));
    const answer = answers.get(req.path);
    if (!answer) return next();
    if (req.method === 'GET' || req.method === 'HEAD') return sendFixed(req, res, answer);
    next(new ApiError('method_not_allowed', 'This is a page to read.', { headers: { Allow: 'GET, HEAD' } }));
  };
}
