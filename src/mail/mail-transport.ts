import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config.ts';

/** Hands mails over. */
export interface MailTransport {
  /** @throws {DeliveryError} when the mail was not taken, or nobody knows after minutes. */
  send(mail: SendMailOptions): Promise<void>;
}

/** How long a mail server may take, in milliseconds. */
interface MailTimeouts {
  /** To be found, connected to and encrypted, until it has greeted. */
  connect: number;
  /** For all of that, the login and each command, until it has read the mail. To give up is harmless: nothing was taken. */
  handOver: number;
  /** To say that it has taken a mail that it has read. To give up before RFC 5321, 4.5.3.2.6, does sends the mail twice. */
  answer: number;
}

export const MAIL_TIMEOUTS: MailTimeouts = { connect: 30_000, handOver: 120_000, answer: 600_000 };

/** Mail by SMTP, or as files in a folder. */
export function openMailTransport(
  { delivery }: Pick<MailConfig, 'delivery'>,
  connections: number,
  times = MAIL_TIMEOUTS,
): MailTransport {
  return 'smtpUrl' in delivery ? smtpTransport(delivery.smtpUrl, connections, times) : folderTransport(delivery.folder);
}

function smtpTransport(url: string, maxConnections: number, times: MailTimeouts): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: times.connect,
    greetingTimeout: times.connect,
    socketTimeout: times.answer,
    requireTLS: needsTls(new URL(url)),
  });
  const deadlines = new WeakMap<AbortSignal, Deadline>();
  // nodemailer has one timeout for all that follows the greeting: it does not tell apart what has been read and what not.
  transport.use('stream', ({ data, message }, done) => {
    const deadline = deadlines.get(data.signal!)!;
    message.processFunc((input) => input.once('end', () => deadline.extend(times.answer)));
    done();
  });
  return {
    async send(mail) {
      const deadline = new Deadline(times.handOver);
      deadlines.set(deadline.signal, deadline);
      try {
        await transport.sendMail({ ...mail, signal: deadline.signal });
      } catch (error) {
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      } finally {
        deadline.end();
      }
    },
  };
}

/** Aborts its signal when a mail takes too long. */
class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = this.#startTimer(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(ms: number): void {
    this.end();
    this.#timer = this.#startTimer(ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #startTimer(ms: number): NodeJS.Timeout {
    const reason = Object.assign(new Error(`the mail server took more than ${ms / 1000} seconds`), {
      code: 'ETIMEDOUT',
    });
    return setTimeout(() => this.#controller.abort(reason), ms).unref();
  }
}

/** Passwords and setup links cross a network encrypted or not at all. */
function needsTls({ hostname, searchParams }: URL): boolean {
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return !isThisMachine && searchParams.get('requireTLS') !== 'false';
}

/** Each mail is a file that a mail program opens. A mail that is sent again replaces its file. */
function folderTransport(folder: string): MailTransport {
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
