import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { OAuthAccess } from '../../config/mail-oauth.ts';
import type { MailConfig } from '../../config/mail-settings.ts';
import { createGraphTransport } from './graph-transport.ts';
import { type DeliveryError, isLoggedOut } from './message-rules.ts';
import { type AccessTokens, getAccessTokens } from '../oauth/access-tokens.ts';
import { createSmtpLogin } from '../oauth/smtp-login.ts';

/** A transport that sends mail to a mail server or to Microsoft Graph, or writes it to a folder. */
export interface MailTransport {
  /**
   * Sends an email.
   * @param isWanted called twice a second until the server has read the whole email; if it resolves to false, the
   * connection is closed
   * @throws {DeliveryError} if the server rejects the email or does not respond in time, or if the email is no longer
   * wanted
   */
  send(mail: SendMailOptions, isWanted?: () => Promise<boolean>): Promise<void>;
  /** Resolves once the server accepts mail again, at the time that it asked the service to wait for. */
  ready?(): Promise<void>;
}

/** Timeouts of a mail server, in milliseconds. */
interface MailTimeouts {
  /** Time to look up the server, connect, encrypt and receive its greeting. */
  connect: number;
  /**
   * Time to connect, log in and send the email. Giving up in that time is safe, because the server has not accepted the
   * email.
   */
  handOver: number;
  /**
   * Time to accept an email that the server has read. If this were shorter than RFC 5321, section 4.5.3.2.6, requires,
   * emails would be sent twice.
   */
  answer: number;
}

const LOOK_MS = 500;

export const MAIL_TIMEOUTS: MailTimeouts = { connect: 30_000, handOver: 120_000, answer: 600_000 };

/** @param ca certificate authorities of the OAuth provider and of Graph, in PEM; Node's by default */
export function openMailTransport(
  { delivery }: Pick<MailConfig, 'delivery'>,
  connections: number,
  times = MAIL_TIMEOUTS,
  ca?: string,
): MailTransport {
  if ('folder' in delivery) return folderTransport(delivery.folder);
  const tokens = delivery.oauth && getAccessTokens(delivery.oauth, ca === undefined ? {} : { ca });
  if ('smtpUrl' in delivery) return smtpTransport({ ...delivery, tokens }, connections, times);
  const options = { timeoutMs: times.answer, tokens: tokens!, ...(ca !== undefined && { ca }) };
  return createGraphTransport(delivery.graphUrl, options);
}

interface SmtpDelivery {
  smtpUrl: string;
  oauth?: OAuthAccess;
  /** Undefined if the URL has a password, or no login is needed. */
  tokens: AccessTokens | undefined;
}

function openPool({ smtpUrl, oauth, tokens }: SmtpDelivery, maxConnections: number, times: MailTimeouts) {
  const url = new URL(smtpUrl);
  // The library would treat a user in the URL as having an empty password.
  if (oauth) url.username = '';
  return createTransport({
    url: url.href,
    pool: true,
    maxConnections,
    connectionTimeout: times.connect,
    greetingTimeout: times.connect,
    socketTimeout: times.answer,
    requireTLS: needsTls(url),
    ...(oauth &&
      tokens && {
        // Not XOAUTH2: nodemailer 10.6 would instead pick the first method that the server offers, such as PLAIN.
        auth: { type: 'custom', user: oauth.user, method: 'OAUTHBEARER' },
        customAuth: { OAUTHBEARER: createSmtpLogin(oauth.user, tokens) },
        // A server that offers no login causes an error, instead of being used without a login.
        forceAuth: true,
      }),
  });
}

function smtpTransport(delivery: SmtpDelivery, maxConnections: number, times: MailTimeouts): MailTransport {
  const deadlines = new Map<AbortSignal, Deadline>();
  const open = () => watchEnds(openPool(delivery, maxConnections, times), deadlines, times);
  let transport = open();
  /**
   * Replaces the connections if the server has ended their login; each connection keeps the token that it began with.
   */
  const leave = (used: typeof transport) => {
    if (used !== transport) return;
    transport = open();
    // Messages in transit are completed first.
    used.close();
  };
  return {
    async send(mail, isWanted) {
      const deadline = new Deadline(times.handOver);
      deadlines.set(deadline.signal, deadline);
      const looking = isWanted && setInterval(() => void withdrawUnless(isWanted, deadline), LOOK_MS);
      const used = transport;
      try {
        await used.sendMail({ ...mail, signal: deadline.signal });
      } catch (error) {
        if (delivery.oauth && isLoggedOut(error as DeliveryError)) leave(used);
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      } finally {
        clearInterval(looking);
        deadlines.delete(deadline.signal);
        deadline.end();
      }
    },
  };
}

/**
 * Starts the timeout for the response when the server has read an email. nodemailer has only one timeout for everything
 * after the greeting, and does not report when the server has read the email.
 */
function watchEnds(
  transport: ReturnType<typeof openPool>,
  deadlines: ReadonlyMap<AbortSignal, Deadline>,
  times: MailTimeouts,
): ReturnType<typeof openPool> {
  transport.use('stream', ({ data, message }, done) => {
    const deadline = deadlines.get(data.signal!);
    message.processFunc((input) => gather(input).once('end', () => deadline?.startResponseTimeout(times.answer)));
    done();
  });
  return transport;
}

const GATHERED_BYTES = 65_536;

/**
 * Gathers the many small chunks of an email into chunks of at least 64 KiB. nodemailer 10.6 writes each chunk to the
 * socket separately, which took a fifth of the worker's processor time (`make bench ARGS=mails`, 2026-11-30).
 */
function gather(input: Readable): Readable {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const takePieces = () => {
    bytes = 0;
    return Buffer.concat(pieces.splice(0));
  };
  const gathered = new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes < GATHERED_BYTES) done();
      else done(null, takePieces());
    },
    flush: (done) => done(null, takePieces()),
  });
  return input.once('error', (error) => gathered.destroy(error)).pipe(gathered);
}

/** Withdraws an email that is no longer wanted. If the check itself fails, sending continues. */
async function withdrawUnless(isWanted: () => Promise<boolean>, deadline: Deadline): Promise<void> {
  if (!(await isWanted().catch(() => true))) deadline.withdraw();
}

/** Aborts its signal if sending an email takes too long, or if the email is withdrawn. */
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

  /** Starts the timeout for the response, once the server has read the whole email. */
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
    const timeOut = () => {
      const error = new Error(`the mail server took more than ${ms / 1000} seconds`);
      this.#controller.abort(Object.assign(error, { code: 'ETIMEDOUT' }));
    };
    return setTimeout(timeOut, ms).unref();
  }
}

/**
 * Reports whether the connection must be encrypted, because it carries a password and setup links. Only servers on this
 * machine and URLs with `requireTLS=false` are exempt.
 */
function needsTls({ hostname, searchParams }: URL): boolean {
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return !isThisMachine && searchParams.get('requireTLS') !== 'false';
}

/**
 * Writes each email to a file that mail programs can open. If an email with a date is sent again, it replaces its file.
 */
function folderTransport(folder: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message, messageId } = await transport.sendMail(mail);
      const time = new Date(mail.date ?? Date.now()).toISOString().replace(/\D/g, '').slice(0, 14);
      const file = join(folder, `${time}-${messageId.slice(1, messageId.indexOf('@'))}.eml`);
      await mkdir(folder, { recursive: true });
      await writeFile(`${file}.part`, message as Buffer);
      await rename(`${file}.part`, file);
    },
  };
}
