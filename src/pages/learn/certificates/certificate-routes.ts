import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Config } from '../../../config/config.ts';
import { notFound } from '../../../contract/errors.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { requireStarted } from '../../../http/guards.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { Readiness } from '../../../http/readiness.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { PersonResult } from '../../../operations/operations.ts';
import { createPageErrorHandler } from '../../shared/failure-page.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { tokenField } from '../../shared/person-page.ts';
import { LEARN, sendLearnPage } from '../learn-page.ts';
import { certificateCheckRoutes } from './certificate-check-routes.ts';
import { type CertificateMessages, certificateMessages } from './certificate-messages.ts';
import { formatter } from '../formats.ts';
import { certificatePdf } from './certificate-pdf.ts';

interface CertificatePagesOptions {
  config: Pick<Config, 'publicUrl'>;
  readiness: Readiness;
  logger: Logger;
}

/** Adds the certificate pages to a learner's own pages and to the public pages. */
export function addCertificatePages(
  { own, open }: Record<'own' | 'open', Router>,
  { config, readiness, logger }: CertificatePagesOptions,
  shared: SharedServices,
): void {
  own.use(certificateRoutes(config.publicUrl));
  open.use(
    '/certificates',
    requireStarted(readiness),
    certificateCheckRoutes(shared),
    createPageErrorHandler(LEARN, logger),
  );
}

/**
 * Serves the certificate of a passed attempt, below `/learn`. It is issued only when the learner requests it. Until
 * then, there is no number that others could look up.
 */
function certificateRoutes(publicUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/certificates/:attemptId.pdf', sendCertificatePdf(publicUrl));
  router.get('/certificates/:attemptId', sendCertificate);
  router.post('/certificates/:attemptId', makeCertificate);
  return router;
}

const sendCertificate: RequestHandler = async (req, res) => {
  const { language } = getPageContext(res);
  const { courseName, shownNumber, validUntil } = await findOwn(req, res);
  const validDay = validUntil && formatter(language).day(validUntil);
  const shown = { courseName, shownNumber, validDay, path: buildCertificatePath(req), token: tokenField(res) };
  sendLearnPage(res, {
    title: certificateMessages[language].title,
    content: renderContent(shown, certificateMessages[language]),
  });
};

interface Shown {
  courseName: string;
  /** Certificate number in groups; null before the certificate is issued. */
  shownNumber: string | null;
  /** Last day on which the certificate is valid, formatted for people; null if it does not expire. */
  validDay: string | null;
  path: string;
  token: Html;
}

function renderContent({ courseName, shownNumber, validDay, path, token }: Shown, messages: CertificateMessages): Html {
  if (shownNumber === null) {
    return html`
      <p>${messages.page(courseName)}</p>
      <p>${messages.notYet} ${messages.whoSees}</p>
      <form method="post" action=${path}>
        ${token}
        <button type="submit">${messages.make}</button>
      </form>
    `;
  }
  return html`
    <p>${messages.page(courseName)}</p>
    <p><a class="button" href=${`${path}.pdf`} download>${messages.download}</a></p>
    ${validDay && html`<p>${messages.validUntil(validDay)}</p>`}
    <p>${messages.number}: <code>${shownNumber}</code></p>
    <p>${messages.whoSees} <a href=${`/certificates/${shownNumber}`}>${messages.checkPage}</a></p>
  `;
}

const makeCertificate: RequestHandler = async (req, res) => {
  const { call, language } = getPageContext(res);
  const { number } = await findOwn(req, res);
  if (number === null) await call('issueCertificate', { attemptId: readAttemptId(req), language });
  res.redirect(303, buildCertificatePath(req));
};

function sendCertificatePdf(publicUrl: string): RequestHandler {
  return async (req, res) => {
    const { person, companyName, language } = getPageContext(res);
    const { number, issuedAt, shownNumber, ...facts } = await findOwn(req, res);
    if (shownNumber === null || issuedAt === null) throw notFound('certificate');
    const holder = formatFullName(person);
    const address = `${publicUrl}/certificates/${shownNumber}`;
    const pdf = await certificatePdf({ ...facts, shownNumber, issuedAt, holder, companyName, language, address });
    res.set({ 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${number}.pdf"` });
    res.send(pdf);
  };
}

/** @throws {ApiError} `not_found` if the attempt is not passed, or belongs to another learner */
function findOwn(req: Request, res: Response): Promise<PersonResult<'getOwnCertificate'>> {
  const { call, language } = getPageContext(res);
  return call('getOwnCertificate', { attemptId: readAttemptId(req), language });
}

function buildCertificatePath(req: Request): string {
  return `/learn/certificates/${readAttemptId(req)}`;
}

function readAttemptId(req: Request): string {
  return (req.params.attemptId as string).toLowerCase();
}
