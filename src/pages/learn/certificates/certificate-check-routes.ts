import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendPlainPage } from '../../shared/person-page.ts';
import { languageAsked } from '../../shared/page-context.ts';
import { getForm, readForm } from '../../../http/body/form.ts';
import { methodNotAllowed } from '../../../http/guards.ts';
import { html } from '../../../http/html/html.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import { certificateMessages } from './certificate-messages.ts';
import { formatter } from '../formats.ts';

/**
 * Serves the public page that confirms a certificate, for anyone who has its number. The page never shows the holder's
 * name; it only compares that name with the one that a visitor enters. A wrong number or name counts as a failed
 * attempt of the client's IP address.
 */
export function certificateCheckRoutes({ openings, countFailure }: SharedServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const find: RequestHandler = async (req, res, next) => {
    const certificate = await openings.certificates.find(req.params.number as string);
    if (certificate) {
      res.locals.certificate = certificate;
      return next();
    }
    await countFailure(req, res);
    sendUnknown(req, res);
  };
  router.get('/:number', find, (req, res) => sendFound(req, res, undefined));
  router.post('/:number', find, readForm, async (req, res) => {
    const name = getForm(req).get('name') ?? '';
    const isHolder = getCertificate(res).isHolder(name);
    if (!isHolder) await countFailure(req, res);
    sendFound(req, res, { name, isHolder });
  });
  router.all('/:number', (_req, _res, next) => next(methodNotAllowed(['GET', 'HEAD', 'POST'])));
  return router;
}

type FoundCertificate = NonNullable<Awaited<ReturnType<SharedServices['openings']['certificates']['find']>>>;

function getCertificate(res: Response): FoundCertificate {
  return (res.locals as { certificate: FoundCertificate }).certificate;
}

function sendFound(req: Request, res: Response, compared: { name: string; isHolder: boolean } | undefined): void {
  const language = languageAsked(req);
  const messages = certificateMessages[language];
  const { shownNumber, courseName, companyName, finishDate, validUntil, isValid } = getCertificate(res);
  const isExpired = validUntil !== null && validUntil < new Date().toISOString().slice(0, 10);
  const title = !isValid ? messages.invalidTitle : isExpired ? messages.expiredTitle : messages.genuineTitle;
  const day = formatter(language).day(finishDate);
  const lastDay = validUntil && formatter(language).day(validUntil);
  const explanation = isValid
    ? messages.genuine(courseName, companyName, day)
    : messages.invalid(courseName, companyName, day);
  const content = html`
    <p>${explanation}</p>
    ${isValid && lastDay && html`<p>${isExpired ? messages.expired(lastDay) : messages.validUntil(lastDay)}</p>`}
    <p>${messages.number}: <code>${shownNumber}</code></p>
    ${
      compared &&
      html`<p class=${compared.isHolder ? 'note' : 'warning'} role="status">
        ${compared.name}: ${compared.isHolder ? messages.isHolder : messages.isNotHolder}
      </p>`
    }
    <form method="post">
      <p>${messages.compareHint}</p>
      <label for="name">${messages.compareName}</label>
      <input id="name" name="name" required autocomplete="off" />
      <button type="submit">${messages.compare}</button>
    </form>
  `;
  sendPlainPage(res, { language, title, content });
}

function sendUnknown(req: Request, res: Response): void {
  const language = languageAsked(req);
  const { unknownTitle: title, unknown } = certificateMessages[language];
  sendPlainPage(res, { status: 404, language, title, content: html`<p>${unknown}</p>` });
}
