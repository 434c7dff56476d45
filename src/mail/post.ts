import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config.ts';

/** Hands mails over. */
export interface Post {
  /** @throws {DeliveryError} when the mail was not taken, or nobody knows within eleven minutes. */
  send(mail: SendMailOptions): Promise<void>;
}

const CONNECT_MS = 30_000;
// A server may take ten minutes to say that it has taken a mail (RFC 5321, 4.5.3.2.6); who asks again before is sent it twice.
const SILENCE_MS = 600_000;
const LONGEST_SEND_MS = 660_000;

/** Mail by SMTP, or as files in a folder. */
export function openPost({ delivery }: MailConfig, connections: number): Post {
  return 'smtpUrl' in delivery ? smtpPost(delivery.smtpUrl, connections) : folderPost(delivery.folder);
}

function smtpPost(url: string, maxConnections: number): Post {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    requireTLS: needsTls(new URL(url)),
  });
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, signal: AbortSignal.timeout(LONGEST_SEND_MS) });
    },
  };
}

/** Passwords and setup links cross a network encrypted or not at all. */
function needsTls({ hostname, searchParams }: URL): boolean {
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return !isThisMachine && searchParams.get('requireTLS') !== 'false';
}

/** Each mail is a file that a mail program opens. A mail that is sent again replaces its file. */
function folderPost(folder: string): Post {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message, messageId } = await transport.sendMail(mail);
      const time = (mail.date as Date).toISOString().replace(/\D/g, '').slice(0, 14);
      const file = join(folder, `${time}-${messageId.slice(1, messageId.indexOf('@'))}.eml`);
      await mkdir(folder, { recursive: true });
      await writeFile(`${file}.part`, message as Buffer);
      await rename(`${file}.part`, file);
    },
  };
}
