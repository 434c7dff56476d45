import { type Request, type Response, Router } from 'express';
import type pg from 'pg';
import { notFound } from '../../contract/errors.ts';
import { refuseMethod } from '../../http/guards.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { briefResponse, sendStatic } from '../../http/response/static-response.ts';
import { type BrandFiles, findBrandFiles } from '../../identity/brand-files.ts';

/** Lets clients cache files for a year, because a different colour or logo has a different URL. */
const CACHED = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Creates the routes of the style and the logo of each company. */
export function brandRoutes(pool: pg.Pool): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const find = async (req: Request, res: Response): Promise<BrandFiles> => {
    const { companyId, version } = req.params as { companyId: string; version: string };
    const found = await findBrandFiles(pool, { companyId, version }, getRequestOrigin(req, res));
    if (!found) throw notFound('page');
    return found;
  };
  router.get('/brand/:companyId/:version/style.css', async (req, res) => {
    const { color } = await find(req, res);
    const style = color === null ? '' : `:root {\n  --brand: ${color};\n}\n`;
    await sendStatic(req, res, briefResponse(style, { 'Content-Type': 'text/css; charset=utf-8', ...CACHED }));
  });
  router.get('/brand/:companyId/:version/logo', async (req, res) => {
    const { logo, logoFacts } = await find(req, res);
    if (!logo) throw notFound('page');
    await sendStatic(req, res, briefResponse(logo, { 'Content-Type': logoFacts!.mediaType, ...CACHED }));
  });
  router.all(['/brand/:companyId/:version/style.css', '/brand/:companyId/:version/logo'], refuseMethod('GET', 'HEAD'));
  return router;
}
