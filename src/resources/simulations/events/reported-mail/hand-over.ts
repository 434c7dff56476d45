import { webcrypto } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { MailAddress } from '../../../../config/mail-settings.ts';
import type { ForwardReason } from './judge-report.ts';

const PREFIX = 'reported-';

const TEXTS: Record<ForwardReason, { subject: string; text: string }> = {
  unknown: {
    subject: 'Reported message',
    text: 'Somebody has reported the attached message. It does not belong to a simulation, and nobody has checked it.',
  },
  mixed: {
    subject: 'Reported message with a simulation',
    text: `Somebody has reported the attached email. It contains a simulation message, for which the report is recorded,
and at least one message that does not belong to a simulation. Nobody has checked it.`,
  },
  likely: {
    subject: 'Reported message, probably a simulation',
    text: `Somebody has reported the attached message. It has the subject and the sender of a simulation message that the
person received, and the report is recorded. It has no other trace of the simulation, so check it before you dismiss
it.`,
  },
  marked: {
    subject: 'Reported message with marks of a simulation',
    text: `Somebody has reported the attached message. It carries marks of a simulation message that was sent to somebody
else, so the report is not recorded. Everybody who has seen that simulation can copy these marks, so check the message
before you dismiss it.`,
  },
  unreadable: {
    subject: 'Reported message that could not be examined',
    text: `Somebody has reported the attached message. It could not be examined completely, so it might be a simulation or a
real attack. Open it with care.`,
  },
};

interface HandOver {
  from: MailAddress;
  to: string;
  reason: ForwardReason;
  /**
   * E-mail address that a mail program states for the person who reports, if the email itself does not name the person.
   */
  reporter?: string | undefined;
}

/**
 * Builds the email that forwards a reported email, attached unchanged. The same source always gets the same Message-ID,
 * so a mail system recognises a duplicate.
 */
export async function buildHandOver(
  source: Buffer,
  { from, to, reason, reporter }: HandOver,
): Promise<SendMailOptions> {
  const { subject, text } = TEXTS[reason];
  const by =
    reporter === undefined ? '' : `\n\nReported by ${reporter}, as the mail program states. Nothing proves this.`;
  return {
    ...(await buildNotice(source, { from, to, subject, text: `${text}${by}` })),
    attachments: [
      {
        filename: 'reported-message.eml',
        content: source,
        contentType: 'message/rfc822',
        contentDisposition: 'attachment',
      },
    ],
  };
}

/**
 * Builds the email about a reported email that is too large to be examined and forwarded. The reported email stays in
 * the mailbox.
 */
export function buildLargeMailNotice(
  source: Buffer,
  { from, to, uid }: { from: MailAddress; to: string; uid: number },
): Promise<SendMailOptions> {
  const subject = 'Reported message that is too large';
  const text = `Somebody has reported a message that is too large to be examined completely and to be attached. It might be
a simulation or a real attack. It is flagged in the mailbox for reports (UID ${uid}); please check it there.`;
  return buildNotice(source, { from, to, subject, text });
}

async function buildNotice(
  source: Buffer,
  { from, to, subject, text }: { from: MailAddress; to: string; subject: string; text: string },
): Promise<SendMailOptions> {
  // Runs in another thread, because hashing 20 MiB would block the event loop for 50 ms.
  const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', source as Uint8Array<ArrayBuffer>));
  return {
    ...{ from, to, subject, text: `${text}\n` },
    messageId: `<${PREFIX}${digest.toString('hex')}@${getDomain(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Prevents nodemailer from loading a part of the message from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Reports whether a Message-ID belongs to an email from `buildHandOver`. Forwarding that email again would start a mail
 * loop.
 */
export function isOfHandOver(messageId: string | undefined, from: MailAddress): boolean {
  return messageId !== undefined && messageId.startsWith(PREFIX) && messageId.endsWith(`@${getDomain(from)}`);
}

function getDomain({ address }: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
