import { fullNameOf } from '../../db/expressions.ts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isId } from '../../db/ids.ts';
import { notFound } from '../../contract/errors.ts';
import { getPassedAttempt, issueCertificate } from '../../resources/courses/certificates/certificate-repository.ts';
import { groupsOf } from '../../resources/courses/certificates/certificate-rules.ts';
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
  const { tenant, language } = pageContextOf(res);
  const attempt = attemptOf(req, res);
  const { courseName, number } = await getPassedAttempt(tenant, attempt, language);
  const shown = { courseName, number, path: `/learn/certificates/${attempt.attemptId}`, token: tokenField(res) };
  sendLearnPage(res, {
    title: certificateMessages[language].title,
    content: contentOf(shown, certificateMessages[language]),
  });
};

interface Shown {
  courseName: string;
  /** Null before the certificate is made. */
  number: string | null;
  path: string;
  token: Html;
}

function contentOf({ courseName, number, path, token }: Shown, messages: CertificateMessages): Html {
  if (number === null) {
    return html`
      <p>${messages.page(courseName)}</p>
      <p>${messages.notYet} ${messages.whoSees}</p>
      <form method="post" action=${path}>
        ${token}
        <button type="submit">${messages.make}</button>
      </form>
    `;
  }
  const groups = groupsOf(number);
  return html`
    <p>${messages.page(courseName)}</p>
    <p><a class="button" href=${`${path}.pdf`} download>${messages.download}</a></p>
    <p>${messages.number}: <code>${groups}</code></p>
    <p>${messages.whoSees} <a href=${`/certificates/${groups}`}>${messages.checkPage}</a></p>
  `;
}

const makeCertificate: RequestHandler = async (req, res) => {
  const { tenant, open, language } = pageContextOf(res);
  const attempt = attemptOf(req, res);
  const { number } = await getPassedAttempt(tenant, attempt, language);
  const targets = [{ field: 'attemptId', count: 1, ids: [attempt.attemptId] }];
  if (number === null) await issueCertificate(open({ operation: 'issueCertificate', targets }), attempt, language);
  res.redirect(303, `/learn/certificates/${attempt.attemptId}`);
};

function sendCertificatePdf(publicUrl: string): RequestHandler {
  return async (req, res) => {
    const { tenant, person, companyName, language } = pageContextOf(res);
    const { number, issuedAt, ...facts } = await getPassedAttempt(tenant, attemptOf(req, res), language);
    if (number === null || issuedAt === null) throw notFound('certificate');
    const holder = fullNameOf(person);
    const address = `${publicUrl}/certificates/${groupsOf(number)}`;
    const pdf = await certificatePdf({ ...facts, number, issuedAt, holder, companyName, language, address });
    res.set({ 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${number}.pdf"` });
    res.send(pdf);
  };
}

/** @throws not_found for what is no id */
function attemptOf(req: Request, res: Response): { learnerId: string; attemptId: string } {
  const { modules, person } = pageContextOf(res);
  const attemptId = (req.params.attemptId as string).toLowerCase();
  if (!modules.includes('smlearn') || !isId(attemptId)) throw notFound('certificate');
  return { learnerId: person.id, attemptId };
}
