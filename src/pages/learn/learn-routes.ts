import { Router } from 'express';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { signInRoutes, requireSession, signOut, signOutEverywhere } from '../shared/sign-in-routes.ts';
import { addOwnSessionsPages } from '../shared/own-sessions-routes.ts';
import { createPageErrorHandler } from '../shared/failure-page.ts';
import { createSignIn } from '../shared/sign-in-config.ts';
import { getSession } from '../shared/page-context.ts';
import { serveAssets } from '../../http/html/assets.ts';
import { guardForms } from '../../http/html/form-guard.ts';
import { requireStarted } from '../../http/guards.ts';
import type { Readiness } from '../../http/readiness.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { addCertificatePages } from './certificates/certificate-routes.ts';
import { linkedTrainingRoutes } from './linked/linked-training-routes.ts';
import { LEARN, sendLearnPage } from './learn-page.ts';
import { readerAssets } from '../shared/pdf-reader/pdf-reader.ts';
import { policyRoutes } from './policy-routes.ts';
import { sendMyTraining, startProposal } from './my-training-page.ts';
import { pictureRoutes, playerRoutes } from './player/player-routes.ts';
import { PACKAGE_ASSETS } from './packages/package-assets.ts';
import { packageFiles } from './packages/package-files.ts';
import { packageRoutes } from './packages/package-routes.ts';

export interface LearnRoutesOptions {
  config: Config;
  pool: pg.Pool;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Serves the pages of learners. A learner follows a mailed link, presses a button, and is signed in for some hours.
 * Each page has its own file, which reads the learner from `getPageContext(res)`; `guardForms` checks its POSTs.
 */
export function learnRoutes(options: LearnRoutesOptions, shared: SharedServices): Router {
  const { config, pool, readiness, logger } = options;
  const signIn = createSignIn('learner', LEARN, { ...shared, pool, publicUrl: config.publicUrl });
  const pages = Router({ caseSensitive: true, strict: true });
  const router = Router({ caseSensitive: true, strict: true });
  pages.use(requireStarted(readiness), pictureRoutes(shared), signInRoutes(signIn));
  pages.use(linkedTrainingRoutes(signIn, config, shared));
  pages.use(requireSession(signIn), guardForms(getSession));
  pages.get('/', sendMyTraining);
  pages.post('/proposals/:courseId', startProposal);
  pages.post('/sign-out', signOut(signIn));
  pages.post('/sign-out-everywhere', signOutEverywhere(signIn));
  addOwnSessionsPages(pages, signIn, sendLearnPage);
  pages.use(policyRoutes(), packageRoutes(config.contentHost));
  addCertificatePages({ own: pages, open: router }, options, shared);
  pages.use(playerRoutes(config.mail?.trainingUrl));
  pages.use((_req, _res, next) => next(new ApiError('not_found', 'Page not found.')));
  pages.use(createPageErrorHandler(LEARN, logger));
  router.use(readerAssets());
  router.use('/learn', pages);
  router.use(serveAssets(PACKAGE_ASSETS));
  if (!config.contentHost) router.use(packageFiles(shared));
  return router;
}
