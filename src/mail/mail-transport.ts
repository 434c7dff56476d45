import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config/config.ts';

/** A transport that sends mail to a mail server or writes it to a folder. */
export interface MailTransport {
  /**
   * Sends a mail.
   * @param isWanted called twice a second until the server has read the whole mail; if it resolves to false, the
   * connection is closed
   * @throws {DeliveryError} if the server rejects the mail or does not respond in time, or if the mail is no longer
   * wanted
   */
  send(mail: SendMailOptions, isWanted?: () => Promise<boolean>): Promise<void>;
}

/** Timeouts of a mail server, in milliseconds. */
interface MailTimeouts {
  /** Time to look up the server, connect, encrypt and receive its greeting. */
  connect: number;
  /** Time to connect, log in and send the mail. Giving up is harmless: the server has not accepted the mail. */
  handOver: number;
  /**
   * Time to accept a mail that the server has read. With a shorter time than in RFC 5321, section 4.5.3.2.6, mails
   * would be sent twice.
   */
  answer: number;
}

const LOOK_MS = 500;

export const MAIL_TIMEOUTS: MailTimeouts = { connect: 30_000, handOver: 120_000, answer: 600_000 };

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
  // nodemailer has only one timeout for everything after the greeting, and does not report when the server has read the
  // mail.
  transport.use('stream', ({ data, message }, done) => {
    const deadline = deadlines.get(data.signal!)!;
    message.processFunc((input) => input.once('end', () => deadline.startResponseTimeout(times.answer)));
    done();
  });
  return {
    async send(mail, isWanted) {
      const deadline = new Deadline(times.handOver);
      deadlines.set(deadline.signal, deadline);
      const looking = isWanted && setInterval(() => void withdrawUnless(isWanted, deadline), LOOK_MS);
      try {
        await transport.sendMail({ ...mail, signal: deadline.signal });
      } catch (error) {
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      } finally {
        clearInterval(looking);
        deadline.end();
      }
    },
  };
}

/** Withdraws a mail that is no longer wanted. If the check itself fails, sending continues. */
async function withdrawUnless(isWanted: () => Promise<boolean>, deadline: Deadline): Promise<void> {
  if (!(await isWanted().catch(() => true))) deadline.withdraw();
}

/** Aborts its signal if sending a mail takes too long, or if the mail is withdrawn. */
class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;
  #isRead = false;

  constructor(ms: number) {
    this.#timer = this.#startTimer(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the timeout for the response, once the server has read the whole mail. */
  startResponseTimeout(ms: number): void {
    this.#isRead = true;
    this.end();
    this.#timer = this.#startTimer(ms);
  }

  withdraw(): void {
    if (this.#isRead) return;
    this.#controller.abort(Object.assign(new Error('the message was withdrawn'), { code: 'EWITHDRAWN' }));
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

/**
 * Reports whether the connection must be encrypted, because it carries a password and setup links. Only a server on
 * this machine, or a URL with `requireTLS=false`, is exempt.
 */
function needsTls({ hostname, searchParams }: URL): boolean {
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return !isThisMachine && searchParams.get('requireTLS') !== 'false';
}

/** Writes each mail to a file that mail programs can open. A mail that is sent again replaces its file. */
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
