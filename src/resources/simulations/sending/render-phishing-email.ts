import escapeHtml from 'escape-html';
import type { Language } from '../../../contract/languages.ts';
import { oneLineAmidText, withoutEncodedWords } from '../../../mail/messages/one-line.ts';
import { fillIn } from './phishing-email-text.ts';
import type { PhishingEmailAttachment, PhishingEmailTexts } from '../templates/simulation-template-content.ts';

export interface PhishingEmailValues {
  language: Language;
  firstName: string;
  lastName: string;
  companyName: string;
  link: string;
  /** URL of the QR code image, such as `cid:qr-code`. */
  qrCode: string;
  /** URL of the tracking pixel; undefined in a preview. */
  picture?: string;
}

export interface RenderedPhishingEmail {
  subject: string;
  text: string;
  html: string;
  attachment: PhishingEmailAttachment | null;
}

/** Renders a template for one recipient. Each value is escaped for its context. */
export function renderPhishingEmail(texts: PhishingEmailTexts, values: PhishingEmailValues): RenderedPhishingEmail {
  const { link } = values;
  const names = {
    firstName: oneLineAmidText(values.firstName),
    lastName: oneLineAmidText(values.lastName),
    companyName: oneLineAmidText(values.companyName),
  };
  const subject = withoutEncodedWords(fillIn(texts.subject, names));
  const attachment = texts.attachment
    ? {
        name: texts.attachment.name,
        title: fillIn(texts.attachment.title, names),
        text: fillIn(texts.attachment.text, { ...names, link }),
      }
    : null;
  return {
    subject,
    text: `${fillIn(texts.text, { ...names, link }).trimEnd()}\n`,
    html: renderDocument(subject, fillHtml(texts.html, names, values), values),
    attachment,
  };
}

type Names = Pick<PhishingEmailValues, 'firstName' | 'lastName' | 'companyName'>;

/** Replaces the variables in a template's HTML with escaped values. */
export function fillHtml(
  html: string,
  names: Names,
  { link, qrCode }: Pick<PhishingEmailValues, 'link' | 'qrCode'>,
): string {
  return fillIn(html, {
    firstName: escapeHtml(names.firstName),
    lastName: escapeHtml(names.lastName),
    companyName: escapeHtml(names.companyName),
    link: escapeHtml(link),
    qrCode: `<img src="${escapeHtml(qrCode)}" width="200" height="200" alt="QR code">`,
  });
}

function renderDocument(subject: string, body: string, { language, picture }: PhishingEmailValues): string {
  const pixel = picture === undefined ? '' : `<img src="${escapeHtml(picture)}" width="1" height="1" alt="">\n`;
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body>
${body.trim()}
${pixel}</body>
</html>
`;
}
