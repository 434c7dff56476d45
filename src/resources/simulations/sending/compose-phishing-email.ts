import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import encodeQR from 'qr';
import { linksFrom, type SimulationsConfig } from '../../../config/simulation-settings.ts';
import { toLanguage } from '../../../contract/languages.ts';
import { SUPPRESSED_REPLIES } from '../../../mail/messages/compose.ts';
import { oneLine } from '../../../mail/messages/one-line.ts';
import { renderPhishingEmail } from './render-phishing-email.ts';
import type {
  PhishingEmailAttachment,
  PhishingEmailTexts,
  DeliveryMethod,
} from '../templates/simulation-template-content.ts';

const FONT = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));

/** A simulation message with its content. */
export interface PhishingEmail {
  id: string;
  createdAt: string;
  /** Secret in the message's links. */
  token: string;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  name: string;
  locale: string;
  /** Domain of the sender. */
  sender: string;
  deliveryMethod: DeliveryMethod;
  texts: PhishingEmailTexts;
  /** Secret in the header by which the company's mail team recognises the message. */
  headerSecret: string;
}

export type PhishingEmailSettings = Pick<SimulationsConfig, 'senders' | 'url' | 'dkim'>;

/** Header of each message, by which a mail team can recognise and allow-list simulations. */
export const SIMULATION_HEADER = 'X-Awareness-Simulation';

/** Formats the Message-ID, which is the same on each attempt, so that a mail system recognises a duplicate. */
export function formatMessageId({ id, sender }: Pick<PhishingEmail, 'id' | 'sender'>): string {
  return `<${id}@${sender}>`;
}

/** Composes the email of a message, from one of the operator's sender domains and without active content. */
export async function composePhishingEmail(
  message: PhishingEmail,
  settings: PhishingEmailSettings,
): Promise<SendMailOptions> {
  const { sender, texts, token, companyName, firstName, lastName, deliveryMethod } = message;
  const link = `${linksFrom(settings, sender)}/s/${token}`;
  const language = toLanguage(message.locale);
  const values = { language, firstName, lastName, companyName, link };
  const cid = `qr-code@${sender}`;
  const email = renderPhishingEmail(texts, { ...values, qrCode: `cid:${cid}`, picture: `${link}/picture.gif` });
  const attachments = [
    ...(deliveryMethod === 'qr_code' ? [qrCode(link, cid)] : []),
    ...(deliveryMethod === 'attachment' && email.attachment ? [await pdf(email.attachment, link, message)] : []),
  ];
  return {
    from: { name: oneLine(texts.senderName), address: `${texts.senderMailbox}@${sender}` },
    to: { name: oneLine(message.name), address: message.email },
    subject: email.subject,
    text: email.text,
    html: email.html,
    attachments,
    messageId: formatMessageId(message),
    date: new Date(message.createdAt),
    headers: {
      'Content-Language': language,
      // Prevents out-of-office replies to a mailbox that does not exist.
      'Auto-Submitted': 'auto-generated',
      ...SUPPRESSED_REPLIES,
      [SIMULATION_HEADER]: message.headerSecret,
    },
    ...(settings.dkim && { dkim: signature(settings.dkim, sender) }),
    // No part of a message is ever loaded from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function signature({ selector, privateKey }: NonNullable<PhishingEmailSettings['dkim']>, sender: string) {
  return { domainName: sender, keySelector: selector, privateKey };
}

type Attachment = NonNullable<SendMailOptions['attachments']>[number];

function qrCode(link: string, cid: string): Attachment {
  const content = Buffer.from(encodeQR(link, 'gif', { scale: 4, border: 4 }));
  return { cid, content, contentType: 'image/gif', contentDisposition: 'inline', filename: 'qr-code.gif' };
}

async function pdf(texts: PhishingEmailAttachment, link: string, { createdAt }: PhishingEmail): Promise<Attachment> {
  const content = await phishingEmailPdf(texts, link, new Date(createdAt));
  return { content, contentType: 'application/pdf', filename: texts.name };
}

/**
 * Builds a harmless document: a title, text and a link, but nothing executable. The same input always produces the same
 * bytes.
 */
async function phishingEmailPdf(
  { title, text }: PhishingEmailAttachment,
  link: string,
  createdAt: Date,
): Promise<Buffer> {
  // Loaded on first use, because few processes ever build a PDF.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    ...{ size: 'A4', margin: 72, pdfVersion: '1.7', font: FONT },
    info: { Title: title, CreationDate: createdAt },
  });
  document.fontSize(20).text(title).moveDown();
  // Turns each occurrence of the URL in the text into a link.
  for (const [index, part] of text.split(link).entries()) {
    document.fontSize(11).fillColor('black');
    if (index > 0) document.fillColor('blue').text(link, { link, underline: true }).fillColor('black');
    document.text(part.trim(), { link: null, underline: false });
  }
  if (!text.includes(link)) document.moveDown().fillColor('blue').text(link, { link, underline: true });
  document.end();
  return buffer(document);
}
