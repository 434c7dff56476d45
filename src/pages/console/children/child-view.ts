// The pages of a managed company: every page of the console about a company, read-only, for an admin of the MSP or the
// distributor above it.
//
// The path of such a page is the path of the admin's own page after the prefix `/companies/{companyId}`. A middleware
// strips this prefix, so that the usual routes serve the page, and sets the company that the admin is viewing
// (`Caller.childId`). Three files act on that value:
//
// - console-runs.ts adds `companyId` to each call, and rejects operations that do not read a managed company. `invoke`
//   checks the access and records each read in the audit log of the managed company, as for a key.
// - admin.ts offers only such operations, and only with a module that the managed company has.
// - console-page.ts changes the links of the page, removes its forms, and adds a banner with the company's name.
//
// A page exists for a managed company if the navigation offers it there. The pages of the admin's own account do not.
// No state is kept between requests, so two tabs can show two companies.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError, notFound } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import { enterChild, getPageContext } from '../../shared/page-context.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { findPlaces } from '../places.ts';
import { CHILDREN_PATH } from './children-paths.ts';

const ADDRESS = /^\/companies\/([^/?#]+)(.*)$/s;

/** Creates the middleware that serves the pages of managed companies. */
export function serveChildren(runs: ConsoleRuns): RequestHandler {
  return async (req, res, next) => {
    const [, companyId = '', rest = ''] = ADDRESS.exec(req.url) ?? [];
    const id = companyId.toLowerCase();
    if (!isId(id)) return next();
    if (id === getPageContext(res).companyId) return res.redirect(303, '/console/company');
    await enter(id, { req, res, runs });
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
    return requirePlace(req, res, next);
  };
}

/** @throws {ApiError} `forbidden` for a change, and for a company that the admin's company does not manage */
async function enter(
  companyId: string,
  { req, res, runs }: { req: Request; res: Response; runs: ConsoleRuns },
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD')
    throw new ApiError('forbidden', 'The pages of a managed company are read-only.');
  const { caller } = getPageContext(res);
  const { items } = await runs.page('listCompanies', caller, { id: companyId });
  const [child] = items;
  if (!child) throw new ApiError('forbidden', 'Your company does not manage this company.');
  const { smlearn, smphish, smpolicy, smbreachproenabled } = child.features;
  const modules = Object.entries({ smlearn, smphish, smpolicy, smbreachproenabled });
  enterChild(res, {
    id: child.id,
    name: child.name,
    modules: modules.filter(([, isEnabled]) => isEnabled).map(([name]) => name),
    path: `${CHILDREN_PATH}/${child.id}`,
  });
}

/** Passes on requests for pages that the navigation offers for the managed company. */
function requirePlace(req: Request, res: Response, next: NextFunction): void {
  const { places, section } = findPlaces(getPageContext(res), `/console${req.path}`.replace(/\/$/, ''));
  const isOffered = section !== undefined || places.some(({ current }) => current !== undefined);
  next(isOffered ? undefined : notFound('page'));
}
