import { fullNameOf } from '../../db/expressions.ts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { notFound } from '../../contract/errors.ts';
import type { PersonAnswer } from '../../operations/operations.ts';
import { tokenField } from '../shared/person-page.ts';
import { pageContextOf } from '../shared/page-context.ts';
import { type Html, html } from '../../http/html/html.ts';
import { certificatePdf } from './certificate-pdf.ts';
import { type CertificateMessages, certificateMessages } from './certificate-messages.ts';
import { sendLearnPage } from './learn-page.ts';

/**
 * The certificate of an attempt that the learner has passed, below `/learn`. It is made when the learner asks for it: whoever
 * wants none has no number that others could look up.
 */
export function certificateRoutes(publicUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/certificates/:attemptId.pdf', sendCertificatePdf(publicUrl));
  router.get('/certificates/:attemptId', sendCertificate);
  router.post('/certificates/:attemptId', makeCertificate);
  return router;
}

const sendCertificate: RequestHandler = async (req, res) => {
  const { language } = pageContextOf(res);
  const { courseName, shownNumber } = await findOwn(req, res);
  const shown = { courseName, shownNumber, path: pathOf(req), token: tokenField(res) };
  sendLearnPage(res, {
    title: certificateMessages[language].title,
    content: contentOf(shown, certificateMessages[language]),
  });
};

interface Shown {
  courseName: string;
  /** In groups; null before the certificate is made. */
  shownNumber: string | null;
  path: string;
  token: Html;
}

function contentOf({ courseName, shownNumber, path, token }: Shown, messages: CertificateMessages): Html {
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
    <p>${messages.number}: <code>${shownNumber}</code></p>
    <p>${messages.whoSees} <a href=${`/certificates/${shownNumber}`}>${messages.checkPage}</a></p>
  `;
}

const makeCertificate: RequestHandler = async (req, res) => {
  const { call, language } = pageContextOf(res);
  const { number } = await findOwn(req, res);
  if (number === null) await call('issueCertificate', { attemptId: attemptOf(req), language });
  res.redirect(303, pathOf(req));
};

function sendCertificatePdf(publicUrl: string): RequestHandler {
  return async (req, res) => {
    const { person, companyName, language } = pageContextOf(res);
    const { number, issuedAt, shownNumber, ...facts } = await findOwn(req, res);
    if (shownNumber === null || issuedAt === null) throw notFound('certificate');
    const holder = fullNameOf(person);
    const address = `${publicUrl}/certificates/${shownNumber}`;
    const pdf = await certificatePdf({ ...facts, shownNumber, issuedAt, holder, companyName, language, address });
    res.set({ 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${number}.pdf"` });
    res.send(pdf);
  };
}

/** @throws {ApiError} `not_found` for an attempt that is not passed, or another learner's */
function findOwn(req: Request, res: Response): Promise<PersonAnswer<'getOwnCertificate'>> {
  const { call, language } = pageContextOf(res);
  return call('getOwnCertificate', { attemptId: attemptOf(req), language });
}

function pathOf(req: Request): string {
  return `/learn/certificates/${attemptOf(req)}`;
}

function attemptOf(req: Request): string {
  return (req.params.attemptId as string).toLowerCase();
}
