import type { FieldError } from '../../../contract/errors.ts';
import { type Language, toLanguage } from '../../../contract/languages.ts';
import { judgeHtml } from './phishing-email-html.ts';
import { judgeText, judgeVariables, type ReportFieldFault, type Variable } from '../sending/phishing-email-text.ts';

/** Method by which the recipient of a message reaches the landing page. */
export type DeliveryMethod = 'email' | 'qr_code' | 'attachment';

/** Texts of a template in one language. */
export interface PhishingEmailTexts {
  senderName: string;
  /** Part of the sender's e-mail address before the `@`. */
  senderMailbox: string;
  subject: string;
  text: string;
  html: string;
  /** Signs that a careful reader could have noticed. */
  cues: string[];
  /** Text of the lesson; paragraphs are separated by blank lines. */
  lesson: string;
  /** The attached PDF, with the link; only with the delivery method `attachment`. */
  attachment?: PhishingEmailAttachment | null;
}

export interface PhishingEmailAttachment {
  /** File name of the PDF. */
  name: string;
  title: string;
  text: string;
}

export type TemplateContent = Partial<Record<Language, PhishingEmailTexts>>;

/**
 * Returns the language of a template to show to a reader: the reader's own, otherwise English, otherwise the template's
 * first.
 */
export function localeFor(locales: readonly string[], locale: string | null): string {
  return [toLanguage(locale), 'en'].find((language) => locales.includes(language)) ?? locales[0]!;
}

/**
 * Returns the faults of a template's texts by field, such as `attachment/name`. The contract checks presence and
 * length.
 */
export function judgeTexts(method: DeliveryMethod, texts: PhishingEmailTexts): FieldError[] {
  const faults: FieldError[] = [];
  judgeEach(method, texts, (field, message) => faults.push({ field, message }));
  return faults;
}

const OF_READER: readonly Variable[] = ['firstName', 'lastName', 'companyName'];
const IN_TEXT: readonly Variable[] = [...OF_READER, 'link'];
const MAILBOX = /^[a-z0-9]+([._-][a-z0-9]+)*$/;
const PDF_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]*\.pdf$/u;

function judgeEach(method: DeliveryMethod, texts: PhishingEmailTexts, report: ReportFieldFault): void {
  const { senderName, senderMailbox, subject, text, html, cues, lesson, attachment } = texts;
  judgeLine('senderName', senderName, [], report);
  if (!MAILBOX.test(senderMailbox)) report('senderMailbox', 'must be the name of a mailbox such as parcel-service');
  judgeLine('subject', subject, OF_READER, report);
  judgeText('text', text, IN_TEXT, report);
  if (method === 'email' && !text.includes('{{link}}')) report('text', 'must have {{link}}');
  judgeHtml(html, method === 'qr_code' ? [...IN_TEXT, 'qrCode'] : IN_TEXT, report);
  if (method === 'email' && !html.includes('{{link}}')) report('html', 'must have a link: <a href="{{link}}">');
  if (method === 'qr_code' && html.split('{{qrCode}}').length !== 2)
    report('html', 'must have {{qrCode}} exactly once');
  // Cues are shown on the landing page, and can quote the e-mail address that gave the email away.
  cues.forEach((cue, index) => judgeVariables(`cues/${index}`, cue, [], report));
  judgeVariables('lesson', lesson, [], report);
  if (attachment && method === 'attachment') judgeAttachment(attachment, report);
  else if (attachment) report('attachment', 'is only for templates with the delivery method attachment');
  else if (method === 'attachment') report('attachment', 'is required');
}

function judgeAttachment({ name, title, text }: PhishingEmailAttachment, report: ReportFieldFault): void {
  if (!PDF_NAME.test(name)) report('attachment/name', 'must be the name of a PDF file such as Parcel notice.pdf');
  judgeLine('attachment/title', title, OF_READER, report);
  judgeText('attachment/text', text, IN_TEXT, report);
}

/** Checks a header or a title. */
function judgeLine(field: string, line: string, variables: readonly Variable[], report: ReportFieldFault): void {
  if (/[\p{Cc}\u2028\u2029]/u.test(line)) report(field, 'must be one line');
  if (line.includes('=?')) report(field, 'must not have =?, which starts an encoded word');
  judgeText(field, line, variables, report);
}
