// The report button of mail programs: how people report a suspicious email with one click.
//
// Each company can have a button: an add-in for Outlook and an add-on for Gmail, which its admins deploy with files
// from this service. The add-in sends the open email unchanged to the company's URL (src/pages/report-button/). For
// Gmail, the service reads the email from Google (gmail-messages.ts). The email is then processed like one that
// somebody has forwarded to the mailbox for reports (simulations/events/reported-mail/):
//
// 1. A process with limits on time and memory reads the email, wrapped like a forwarded attachment.
// 2. If the email is a simulation message, the recipient's report is recorded, and the person is informed at once.
// 3. Every other email is forwarded to the company's e-mail address, as an unchanged attachment.
//
// Identity. An add-in runs on anybody's machine, so it holds no API key. Its URLs contain a token of the company: 256
// random bits that every person with the add-in can read. The token allows only one thing: reporting an email. Admins
// can rotate the token, with a period in which both tokens work. Signing in the reporter with Microsoft Entra would
// require an app registration in each company's tenant, and would not make reports safer, because of the next rule.
//
// Trust. Nothing that the add-in states is trusted. A report is recorded only for the recipient whose secret link or
// Message-ID the email contains. The reporter's stated e-mail address can only prevent this: a colleague who reports a
// forwarded message is not its recipient, and the email is passed on as `marked`. A forged report can therefore change
// only whether a recipient has reported a message that the forger has in full. The event has a fixed id, so further
// reports of the message change nothing.
//
// No report is lost silently. The service stores no reported email. The page confirms that an email was forwarded only
// after the mail server has accepted it; otherwise, the person is asked to forward the email. The same email always
// gets the same Message-ID, so mail servers drop a second copy.
//
// Emails are never passed on to the operator's mailbox for reports, where they would be left unread. A button cannot be
// enabled with the address of that mailbox, and if the company sets it later, the person is asked to forward the email.
//
// Limits: the size of an email, concurrent reports (`receiving`, `slots`), and reports per minute
// (src/pages/report-button/).
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { NIL } from 'uuid';
import type { Origin } from '../../auth/caller.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { JobTenants } from '../../db/tenant.ts';
import { createTenantReader, createTenantWriter } from '../../db/tenant-session.ts';
import { readPersonToken } from '../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../identity/unauthenticated-lookups.ts';
import { Bulkhead } from '../../limits/bulkhead.ts';
import { type MailTransport, openMailTransport } from '../../mail/sending/mail-transport.ts';
import { isSameAddress } from '../../mail/same-address.ts';
import type { DeliveryError } from '../../mail/sending/message-rules.ts';
import type { Logger } from '../../observability/logger.ts';
import { findTraces } from '../simulations/events/reported-mail/find-traces.ts';
import { buildHandOver } from '../simulations/events/reported-mail/hand-over.ts';
import { type ForwardReason, judgeReport, listIdentifiers } from '../simulations/events/reported-mail/judge-report.ts';
import { buttonByToken, type ButtonOfToken, findRecipients } from './reporter-repository.ts';

/** Maximum number of bytes to examine, as in the mailbox for reports. A longer email is still passed on. */
const MAX_EXAMINED_BYTES = 2 * 1024 * 1024;

/** Slots for receiving large emails, so that slow clients do not occupy the slots for processing. */
const receiving = new Bulkhead({ max: 4, maxPerCompany: 2, maxWithOthers: 1, timeoutMs: 30_000 });
/** Slots for examining and forwarding emails. Forwarding takes as long as the mail server takes. */
const slots = new Bulkhead({ max: 6, maxPerCompany: 4, maxWithOthers: 2, timeoutMs: 30_000 });

/**
 * Timeouts in milliseconds; shorter than for queued messages, because a person is waiting. An email that is sent again
 * has the same Message-ID.
 */
const MAIL_TIMEOUTS = { connect: 10_000, handOver: 60_000, answer: 60_000 };

export interface ReportedMail {
  source: Buffer;
  /**
   * The reporter's e-mail address according to the mail program, in lower case; undefined if the program states none.
   */
  reporter: string | undefined;
}

/** Outcome to show to the person who reports. */
export type ReportOutcome = { outcome: 'simulation'; lesson: string | null } | { outcome: 'passed_on' };

/** A company's button, found by its token. */
export interface ReportButton extends ButtonOfToken {
  companyId: string;
  /** Runs `work`, which receives a large email. @throws {ApiError} with the codes of `Bulkhead.run` */
  receive: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Processes a report.
   * @throws {ApiError} `service_unavailable` if the email could not be forwarded; also the codes of `Bulkhead.run`
   */
  report: (mail: ReportedMail) => Promise<ReportOutcome>;
}

export interface ReportButtonsOptions {
  pool: pg.Pool;
  mail: Config['mail'];
  /**
   * E-mail address of the operator's mailbox for reports, to which no email is passed on; undefined if there is none.
   */
  reportMailbox: string | undefined;
  logger: Logger;
}

/** Finds the buttons of companies by their tokens, and processes their reports. */
export class ReportButtons {
  readonly #options: ReportButtonsOptions;
  readonly #access: JobTenants;
  #transport: MailTransport | undefined;

  constructor(options: ReportButtonsOptions) {
    this.#options = options;
    this.#access = { ofJob: (companyId) => createTenantWriter(options.pool, companyId) };
  }

  /** Returns undefined if the token is malformed, replaced or unknown, or if the button is disabled. */
  async find(token: string, from: Pick<Origin, 'address'>): Promise<ReportButton | undefined> {
    const companyId = readPersonToken(token)?.companyId;
    if (companyId === undefined) return undefined;
    const unproved = createTenantReader(this.#options.pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => unproved.queryOne(buttonByToken, { token }));
    if (!row) return undefined;
    const button = { ...row, companyId };
    return {
      ...button,
      receive: (work) => receiving.run(companyId, undefined, work),
      report: (mail) => slots.run(companyId, undefined, () => this.#take(button, mail)),
    };
  }

  async #take(button: ButtonOfToken & { companyId: string }, mail: ReportedMail): Promise<ReportOutcome> {
    const { reason, lesson } = await this.#judge(button.companyId, mail);
    if (reason === undefined) return { outcome: 'simulation', lesson };
    await this.#passOn(button, mail, reason);
    return { outcome: 'passed_on' };
  }

  async #judge(
    companyId: string,
    { source, reporter }: ReportedMail,
  ): Promise<{ reason: ForwardReason | undefined; lesson: string | null }> {
    const traces = await findTraces(wrap(source.subarray(0, MAX_EXAMINED_BYTES)));
    if (!traces) return { reason: 'unreadable', lesson: null };
    const tenant = this.#access.ofJob(companyId);
    const recipients = await findRecipients(tenant, { reporter, identifiers: listIdentifiers(traces) });
    const [first, ...others] = recipients;
    // If several people received a message with this Message-ID, nothing shows which of them is reporting it.
    const isOfOne = first !== undefined && others.every(({ learnerId }) => learnerId === first.learnerId);
    const reporters = isOfOne ? [{ companyId, learnerId: first.learnerId }] : [];
    const judging = { reporters, companyIds: [companyId], at: new Date(), access: this.#access };
    const reason = await judgeReport(traces, judging);
    const isWhole = source.length <= MAX_EXAMINED_BYTES;
    return { reason: isWhole ? reason : (reason ?? 'unreadable'), lesson: first?.lesson ?? null };
  }

  async #passOn(
    { forwardTo: to }: ButtonOfToken,
    { source, reporter }: ReportedMail,
    reason: ForwardReason,
  ): Promise<void> {
    const { mail, reportMailbox, logger } = this.#options;
    if (!mail || to === null || isSameAddress(to, reportMailbox)) throw notPassedOn();
    this.#transport ??= openMailTransport(mail, 2, MAIL_TIMEOUTS);
    try {
      await this.#transport.send(await buildHandOver(source, { from: mail.from, to, reason, reporter }));
    } catch (error) {
      const { code, responseCode } = error as DeliveryError;
      // Does not log the server's text, which might quote the email.
      logger.warn({ code, responseCode, bytes: source.length }, 'forwarding a reported message failed');
      throw notPassedOn();
    }
  }
}

function notPassedOn(): ApiError {
  return new ApiError('service_unavailable', 'The message was not passed on; forward it to your security team.');
}

/** Wraps an email as a forwarded attachment, so that the whole email counts as reported. */
function wrap(source: Uint8Array): Buffer {
  const boundary = randomBytes(16).toString('hex');
  const head = [
    ...['MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`, '', `--${boundary}`],
    ...['Content-Type: message/rfc822', 'Content-Disposition: attachment; filename="reported.eml"', '', ''],
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), source, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
