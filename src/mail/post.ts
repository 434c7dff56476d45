import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config.ts';

/** Hands mails over. */
export interface Post {
  /** @throws {DeliveryError} when the mail was not taken, or nobody knows within a minute. */
  send(mail: SendMailOptions): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const LONGEST_SEND_MS = 60_000;

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
  });
  return {
    async send(mail) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error('The mail server did not answer in time')), LONGEST_SEND_MS);
      await Promise.race([transport.sendMail(mail), late]).finally(() => clearTimeout(timer));
    },
    close: () => transport.close(),
  };
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
    close: () => transport.close(),
  };
}
