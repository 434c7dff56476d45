import { hash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { MailAddress } from '../../../../config/mail-settings.ts';

const PREFIX = 'reported-';

/**
 * Builds the mail that forwards a reported mail, attached unchanged. The same source always gets the same Message-ID,
 * so a mail system recognises a duplicate.
 */
export function buildHandOver(source: Buffer, from: MailAddress, to: string): SendMailOptions {
  return {
    from,
    to,
    subject: 'Reported message',
    text: 'Somebody has reported the attached message. It is not of a simulation, and nobody has read it.\n',
    messageId: `<${PREFIX}${hash('sha256', source)}@${getDomain(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: [
      {
        filename: 'reported-message.eml',
        content: source,
        contentType: 'message/rfc822',
        contentDisposition: 'attachment',
      },
    ],
    // Prevents nodemailer from loading a part of the message from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Reports whether a Message-ID belongs to a mail of `buildHandOver`; forwarding it again would start a mail loop. */
export function isOfHandOver(messageId: string | undefined, from: MailAddress): boolean {
  return messageId !== undefined && messageId.startsWith(PREFIX) && messageId.endsWith(`@${getDomain(from)}`);
}

function getDomain({ address }: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
