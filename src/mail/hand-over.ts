import { hash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { MailAddress } from '../config/config.ts';

const PREFIX = 'reported-';

/**
 * The mail that hands a reported one over, which it has attached as it is. The same mail has the same Message-ID, so that a
 * mail system recognises it when it comes twice.
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
    // No part of a message is ever loaded from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Whether a Message-ID is one of these: a mail that came back would go round and round. */
export function isOfHandOver(messageId: string | undefined, from: MailAddress): boolean {
  return messageId !== undefined && messageId.startsWith(PREFIX) && messageId.endsWith(`@${getDomain(from)}`);
}

function getDomain({ address }: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
