import type { SendMailOptions } from 'nodemailer';
import { type MailSettings, SUPPRESSED_REPLIES } from '../../../mail/messages/compose.ts';
import { renderMessageHtml, renderMessageText } from '../../../mail/messages/message-form.ts';
import { oneLine, oneLineAmidText } from '../../../mail/messages/one-line.ts';
import { createFormats } from '../board-formats.ts';
import { boardMailMessages } from './board-mail-messages.ts';

/** A queued message that carries a report. */
export interface BoardMailRow {
  id: string;
  createdAt: string;
  companyName: string;
  scheduleName: string;
  language: 'en' | 'de' | 'fr';
  from: string;
  to: string;
  name: string;
  email: string;
  /** The PDF file; null once a later report of the schedule has replaced it. */
  pdf: Buffer | null;
  /** Secret of the unsubscribe link; null for a report that an admin requested. */
  token: string | null;
}

/**
 * Header fields that the DKIM signature covers, in addition to the library's own. Mail programs offer one-click
 * unsubscription only if the signature covers both fields (RFC 8058, section 4).
 */
const SIGNED_FIELDS = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding',
  'List-Unsubscribe:List-Unsubscribe-Post',
].join(':');

/** Composes the email. Message-ID and Date are the same on every attempt, so a mail system recognises a duplicate. */
export function composeBoardMail(row: BoardMailRow, settings: MailSettings): SendMailOptions {
  const { from, contact, dkim, publicUrl } = settings;
  const { language, token } = row;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const url = token === null ? undefined : `${publicUrl}/board-reports/unsubscribe/${token}`;
  const content = buildContent(row, contact, url);
  return {
    from,
    to: { name: oneLine(row.name), address: row.email },
    ...(contact !== from.address && { replyTo: contact }),
    subject: oneLine(content.subject),
    text: renderMessageText(content),
    html: renderMessageHtml(content, language),
    attachments: [{ filename: `security-awareness-${row.to}.pdf`, content: row.pdf!, contentType: 'application/pdf' }],
    messageId: `<${row.id}@${domain}>`,
    date: new Date(row.createdAt),
    headers: {
      'Content-Language': language,
      'Auto-Submitted': 'auto-generated',
      ...SUPPRESSED_REPLIES,
      ...(url !== undefined && {
        'List-Unsubscribe': `<${url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(dkim && {
      dkim: {
        ...{ domainName: domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
        headerFieldNames: SIGNED_FIELDS,
      },
    }),
    // Forbids nodemailer from loading a part of the message from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function buildContent(row: BoardMailRow, contact: string, url: string | undefined) {
  const messages = boardMailMessages[row.language];
  const { day } = createFormats(row.language);
  const mail = {
    ...{ company: oneLine(row.companyName), contact, schedule: oneLineAmidText(row.scheduleName) },
    ...{ from: day(row.from), to: day(row.to) },
  };
  return {
    subject: messages.subject(mail),
    greeting: messages.greeting(oneLine(row.name)),
    paragraphs: [messages.about(mail), messages.attached],
    items: [],
    ...(url !== undefined && { action: { label: messages.unsubscribe, url } }),
    footer: url === undefined ? messages.requestedFooter(mail) : messages.footer(mail),
  };
}
