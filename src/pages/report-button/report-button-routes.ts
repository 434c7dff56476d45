// The endpoints of report buttons. The token in the path identifies the company; for its permissions, see
// src/resources/report-button/. An add-in sends a report as plain text, so that no browser asks for permission first:
// the language, the reporter's e-mail address, and the email in base64, each on a separate line.
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Config } from '../../config/config.ts';
import { invalidField, notFound } from '../../contract/errors.ts';
import { LANGUAGES, type Language, toLanguage } from '../../contract/languages.ts';
import { readBody } from '../../http/body/body-text.ts';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import { serveAssets } from '../../http/html/assets.ts';
import type { Readiness } from '../../http/readiness.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { toApiError } from '../../http/response/error-response.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import type { Logger } from '../../observability/logger.ts';
import { decodeBase64 } from '../../limits/decode-base64.ts';
import { languageAsked } from '../shared/page-context.ts';
import { type Button, ICONS, toAddIn } from './add-in.ts';
import { buildAppPackage } from './app-package.ts';
import { buildGmailDeployment } from './gmail-cards.ts';
import { createGmailRoutes } from './gmail-routes.ts';
import { describeFailure, describeOutcome } from './outcomes.ts';
import { buildEventsScript, MAX_MAIL_LENGTH, PANE_SCRIPT, sendEventsPage, sendPane } from './report-button-pages.ts';
import { renderXmlManifest } from './xml-manifest.ts';

/** Maximum length of the lines before the email: a language and an e-mail address. */
const MAX_HEAD_BYTES = 1024;

export interface ReportButtonRoutesOptions {
  config: Pick<Config, 'publicUrl'>;
  readiness: Readiness;
  logger: Logger;
}

export function reportButtonRoutes(
  { config: { publicUrl }, readiness, logger }: ReportButtonRoutesOptions,
  shared: Pick<SharedServices, 'openings' | 'countFailure' | 'countReport' | 'budget'>,
): Router {
  const find = findButton(shared);
  const addInOf = (req: Request, res: Response) => toAddIn(getButton(res), publicUrl, getToken(req));
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(requireStarted(readiness));
  pages.get('/:token/manifest.xml', find, requireCurrent, (req, res) => {
    const manifest = renderXmlManifest(addInOf(req, res));
    sendFile(res, manifest, { name: 'report-button.xml', type: 'application/xml; charset=utf-8' });
  });
  pages.get('/:token/outlook.zip', find, requireCurrent, (req, res) => {
    sendFile(res, buildAppPackage(addInOf(req, res)), { name: 'report-button.zip', type: 'application/zip' });
  });
  pages.get('/:token/gmail.json', find, requireCurrent, (req, res) => {
    const deployment = `${JSON.stringify(buildGmailDeployment(addInOf(req, res)), null, 2)}\n`;
    sendFile(res, deployment, { name: 'report-button-gmail.json', type: 'application/json; charset=utf-8' });
  });
  pages.get('/:token/pane', find, (req, res) => sendPane(res, getButton(res), chooseLanguage(req)));
  pages.get('/:token/events', find, (req, res) => sendEventsPage(res, languageAsked(req)));
  pages.get('/:token/events.js', find, (req, res) => {
    const script = buildEventsScript(getButton(res), `${publicUrl}/report-button/${getToken(req)}`);
    res.set({ 'Content-Type': 'text/javascript; charset=utf-8' }).send(script);
  });
  pages.all(
    ['manifest.xml', 'outlook.zip', 'gmail.json', 'pane', 'events', 'events.js'].map((name) => `/:token/${name}`),
    refuseMethod('GET', 'HEAD'),
  );
  pages.post('/:token/reports', allowOutlook, find, limitNetwork(shared), limitCompany(shared), takeReport);
  pages.all('/:token/reports', refuseMethod('POST'));
  const getBase = (req: Request) => `${publicUrl}/report-button/${getToken(req)}`;
  const gmail = createGmailRoutes({ gmail: shared.openings.gmail, logger, getButton, getBase });
  // Google calls on behalf of everybody from a few IP addresses, so reports are limited per company, not per IP
  // address.
  pages.post('/:token/gmail/open', find, gmail.open);
  pages.post('/:token/gmail/report', find, limitCompany(shared), gmail.report);
  pages.all(['/:token/gmail/open', '/:token/gmail/report'], refuseMethod('POST'));
  pages.use((_req, _res, next) => next(notFound('page')));
  pages.use('/:token/reports', createReportErrorHandler(logger));
  const router = Router({ caseSensitive: true, strict: true });
  router.use(serveAssets([PANE_SCRIPT, ...ICONS.values()]));
  router.use('/report-button', pages);
  return router;
}

function findButton({ openings, countFailure }: Pick<SharedServices, 'openings' | 'countFailure'>): RequestHandler {
  return async (req, res, next) => {
    const button = await openings.reportButtons.find(getToken(req), getRequestOrigin(req, res));
    if (!button) {
      await countFailure(req, res);
      throw notFound('report button');
    }
    (res.locals as Locals).button = button;
    next();
  };
}

interface Locals {
  button?: Button;
  /** Language of the reporter, who reads the response. */
  language?: Language;
}

function getButton(res: Response): Button {
  return (res.locals as Locals).button!;
}

function getToken(req: Request): string {
  return req.params.token as string;
}

/** Serves no manifest for the previous token, which must no longer be deployed. */
const requireCurrent: RequestHandler = (_req, res, next) => {
  next(getButton(res).isCurrent ? undefined : notFound('report button'));
};

/** Limits the reports of a company, like the calls of a key. */
function limitCompany({ budget }: Pick<SharedServices, 'budget'>): RequestHandler {
  return (_req, res, next) => {
    budget.take(`report-button ${getButton(res).companyId}`);
    next();
  };
}

function limitNetwork({ countReport }: Pick<SharedServices, 'countReport'>): RequestHandler {
  return async (req, res, next) => {
    await countReport(req, res);
    next();
  };
}

/**
 * Any origin is allowed: requests from classic Outlook do not have this service's origin, and there are no cookies to
 * protect.
 */
const allowOutlook: RequestHandler = (_req, res, next) => {
  res.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};

/** Sends a file to store. It contains the token, so it is not compressed: its length would reveal the token. */
function sendFile(res: Response, content: string | Buffer, { name, type }: { name: string; type: string }): void {
  res.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }).send(content);
}

/** Returns the language in the URL from the manifest, or the language that the browser requests. */
function chooseLanguage(req: Request): Language {
  const { language } = req.query;
  return LANGUAGES.find((one) => one === language) ?? languageAsked(req);
}

/** Size up to which a body is received without a slot. */
const SMALL_BYTES = 512 * 1024;

const takeReport: RequestHandler = async (req, res) => {
  const button = getButton(res);
  const take = async (maxBytes: number) => {
    const body = await readBody(req, maxBytes);
    if (!body) return;
    const { language, ...mail } = await readReport(body);
    (res.locals as Locals).language = language;
    const result = await button.report(mail);
    res.json({ outcome: result.outcome, ...describeOutcome(result, language) });
  };
  const isSmall = Number(req.headers['content-length'] ?? Infinity) <= SMALL_BYTES;
  await (isSmall ? take(SMALL_BYTES) : button.receive(() => take(MAX_MAIL_LENGTH + MAX_HEAD_BYTES)));
};

const ADDRESS = /^[^\s<>"\p{C}]{1,100}@[^\s<>"\p{C}]{1,154}$/u;

/** Reads a report. @throws {ApiError} `invalid_request` if it has no email in base64 */
async function readReport(body: Buffer): Promise<{ language: Language; reporter: string | undefined; source: Buffer }> {
  const [, language = '', reporter = ''] =
    /^(.{0,20})\r?\n(.{0,300})\r?\n/.exec(body.toString('utf8', 0, MAX_HEAD_BYTES)) ?? [];
  const start = body.indexOf(0x0a, body.indexOf(0x0a) + 1) + 1;
  const source = start < 2 ? Buffer.alloc(0) : await decodeBase64(body.subarray(start));
  if (source.length === 0)
    throw invalidField('body', 'must have a language, an e-mail address and a message in base64, on three lines');
  return {
    language: toLanguage(language),
    reporter: ADDRESS.test(reporter.trim()) ? reporter.trim().toLowerCase() : undefined,
    source,
  };
}

/** Responds to a report with what the person should do instead. */
function createReportErrorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    const { language = languageAsked(req), button } = res.locals as Locals;
    res
      .status(error.status)
      .set(error.headers)
      .json({ outcome: 'failed', ...describeFailure(error, language, button?.forwardTo) });
  };
}
