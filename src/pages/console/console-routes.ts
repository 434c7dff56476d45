import { Router } from 'express';
import type pg from 'pg';
import { Passkeys, toPasskeySite } from '../../identity/passkeys.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { signInRoutes, requireSession, signOut, signOutEverywhere } from '../shared/sign-in-routes.ts';
import { addOwnSessionsPages } from '../shared/own-sessions-routes.ts';
import { createPageErrorHandler } from '../shared/failure-page.ts';
import { createSignIn } from '../shared/sign-in-config.ts';
import { getSession } from '../shared/page-context.ts';
import { serveAssets } from '../../http/html/assets.ts';
import { readFormUpTo } from '../../http/body/form.ts';
import { guardForms } from '../../http/html/form-guard.ts';
import { requireStarted } from '../../http/guards.ts';
import type { Readiness } from '../../http/readiness.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { addAdminsPages } from './admins/admins-routes.ts';
import { addAdminPages } from './admins/admin-routes.ts';
import { addProvisioningPages } from './admins/provisioning-routes.ts';
import { addAuditLogPage } from './audit-log/audit-log-routes.ts';
import { addBoardSchedulesPages } from './board/board-schedules-routes.ts';
import { addCampaignsPages } from './campaigns/campaigns-routes.ts';
import { addComparisonPage } from './children/children-routes.ts';
import { serveChildren } from './children/child-view.ts';
import { addConfirmForms, createConfirmHandler, requirePasskeyProof } from './confirm/confirm-routes.ts';
import { addBrandingPage, addBrandingUpload } from './branding/branding-routes.ts';
import { addCompanySettingsPage } from './company-settings/company-settings-routes.ts';
import { addApplicationsPages } from './applications/applications-routes.ts';
import { addCoursesPages } from './courses/courses-routes.ts';
import { addPackageUploads } from './courses/package-routes.ts';
import { CONSOLE, sendConsolePage } from './console-page.ts';
import { createConsoleRuns } from './console-runs.ts';
import { addGroupsPages } from './groups/groups-routes.ts';
import { addIdentityProvidersPages } from './identity-providers/identity-providers-routes.ts';
import { addKeysPages } from './keys/keys-routes.ts';
import { addOverviewPages } from './overview/overview-routes.ts';
import { BY_PASSKEY, passkeySignInRoutes } from './passkeys/passkey-sign-in-routes.ts';
import { PASSKEY_ASSETS } from './passkeys/passkeys-page.ts';
import { addPartsPage } from './parts/parts-routes.ts';
import { addRolesPages } from './roles/roles-routes.ts';
import { addRolesOfAdminsPages } from './admins/roles-of-admins-routes.ts';
import { addPasskeysOfAdminsPages } from './admins/passkeys-of-admins-routes.ts';
import { addSessionsOfAdminsForms } from './admins/sessions-of-admins-routes.ts';
import { PEOPLE_ASSETS } from './people/people-paths.ts';
import { addImportUpload } from './people/imports/imports-routes.ts';
import { addPeoplePages } from './people/people-routes.ts';
import { addPasskeysPages } from './passkeys/passkeys-routes.ts';
import { addSignInsPage } from './sign-ins/sign-ins-routes.ts';
import { addSuspendedPasskeysPages } from './passkeys/suspended-passkeys-routes.ts';
import { addPoliciesPages } from './policies/policies-routes.ts';
import { addPolicyUploads } from './policies/policy-form-routes.ts';
import { addReportButtonPage } from './report-button/report-button-routes.ts';
import { addReportsPages } from './reports/reports-routes.ts';
import { addSimulationsPages } from './simulations/simulations-routes.ts';
import { LIVE_SCRIPT } from './simulations/plans/plans-routes.ts';
import { createUploads } from './uploads.ts';
import { addSourcesPages } from './sources/sources-routes.ts';

/** Maximum size of a form; enough for an identity provider's metadata, which has at most 100,000 characters. */
const MAX_FORM_BYTES = 320 * 1024;

export interface ConsoleRoutesOptions {
  config: Config;
  pool: pg.Pool;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Creates the routes of the console. An admin who follows a mailed link presses a button, and is signed in for some
 * hours. Each page has its own file. It gets the admin from `getAdmin(res)` and runs operations of the contract as that
 * admin. Each POST has passed `guardForms`. The routes in confirm/ handle requests that need a recent sign-in.
 */
export function consoleRoutes(options: ConsoleRoutesOptions, shared: SharedServices): Router {
  const { config, pool, readiness, logger } = options;
  const site = toPasskeySite(config.publicUrl);
  const passkeys = site && new Passkeys(pool, site);
  const signIn = createSignIn(
    'admin',
    CONSOLE,
    { ...shared, pool, publicUrl: config.publicUrl },
    passkeys ? { alternative: BY_PASSKEY } : {},
  );
  const runs = createConsoleRuns({ ...shared, secretsKeys: config.secretsKeys });
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(requireStarted(readiness), signInRoutes(signIn));
  if (passkeys) pages.use(passkeySignInRoutes(signIn, passkeys));
  pages.use(requireSession(signIn));
  // Forms with a file have their own guard, because the usual one would read their body.
  const addUpload = createUploads(pages, config.packageLimits);
  addPolicyUploads(addUpload, runs);
  addPackageUploads(addUpload, runs);
  addImportUpload(addUpload, runs);
  addBrandingUpload(addUpload, runs);
  pages.use(guardForms(getSession, readFormUpTo(MAX_FORM_BYTES)), requirePasskeyProof);
  addConfirmForms(pages, signIn, passkeys);
  pages.use(serveChildren(runs));
  addPeoplePages(pages, runs, logger);
  addGroupsPages(pages, runs);
  addOverviewPages(pages, runs, logger);
  addComparisonPage(pages, runs);
  addCampaignsPages(pages, runs);
  addSimulationsPages(pages, runs);
  addPoliciesPages(pages, runs);
  addCoursesPages(pages, runs);
  addReportsPages(pages, runs);
  addBoardSchedulesPages(pages, runs);
  addKeysPages(pages, runs);
  addCompanySettingsPage(pages, runs);
  addBrandingPage(pages, runs);
  addReportButtonPage(pages, runs);
  addAdminsPages(pages, runs);
  addProvisioningPages(pages, runs);
  addAdminPages(pages, runs);
  addSourcesPages(pages, runs);
  addApplicationsPages(pages, runs);
  addIdentityProvidersPages(pages, runs);
  addPasskeysPages(pages, passkeys);
  if (passkeys) addSuspendedPasskeysPages(pages, passkeys);
  addPasskeysOfAdminsPages(pages, runs);
  addSessionsOfAdminsForms(pages, runs);
  addRolesOfAdminsPages(pages, runs);
  addRolesPages(pages, runs);
  addSignInsPage(pages, runs);
  addAuditLogPage(pages, runs);
  if (!config.isProduction) addPartsPage(pages);
  addOwnSessionsPages(pages, signIn, sendConsolePage);
  pages.post('/sign-out', signOut(signIn));
  pages.post('/sign-out-everywhere', signOutEverywhere(signIn));
  pages.use((_req, _res, next) => next(new ApiError('not_found', 'Page not found.')));
  pages.use(createConfirmHandler(passkeys), createPageErrorHandler(CONSOLE, logger));
  const router = Router({ caseSensitive: true, strict: true });
  router.use(serveAssets([...PASSKEY_ASSETS, ...PEOPLE_ASSETS, LIVE_SCRIPT]));
  router.use('/console', pages);
  return router;
}
