import type pg from 'pg';
import type { Config } from '../../../../config/config.ts';
import type { MailAddress } from '../../../../config/mail-settings.ts';
import type { ReportMailboxConfig } from '../../../../config/phish-report-mailbox.ts';
import type { JobTenants } from '../../../../db/tenant.ts';
import type { Poller } from '../../../../limits/poller.ts';
import { findTraces } from './find-traces.ts';
import { buildHandOver, buildLargeMailNotice, isOfHandOver } from './hand-over.ts';
import { type ForwardReason, judgeReport, type Reporter } from './judge-report.ts';
import { type MailTransport, openMailTransport } from '../../../../mail/sending/mail-transport.ts';
import type { MailTraces } from './mail-traces.ts';
import { type DeliveryError, isPermanent } from '../../../../mail/sending/message-rules.ts';
import type { Logger } from '../../../../observability/logger.ts';
import { type FetchedMail, type Outcome, readMailbox } from '../../../../mail/mailboxes/mailbox-reader.ts';

/** Number of connections in the pool; one of them holds the lock. */
export const MAILBOX_CONNECTIONS = 2;

export interface ReportMailboxOptions extends Pick<Taking, 'pool' | 'access' | 'logger'> {
  mailbox: ReportMailboxConfig;
  mail: Config['mail'];
}

/** Reads the mailbox to which people forward suspicious emails. */
export function startReportMailbox({ mailbox, mail, ...options }: ReportMailboxOptions): Poller {
  const { pool, logger } = options;
  const to = mailbox.forwardTo;
  const handingOver =
    mail && to !== undefined ? { transport: openMailTransport(mail, 1), from: mail.from, to } : undefined;
  return readMailbox({
    ...{ purpose: 'report', mailbox, pool, logger },
    // Reads emails one by one, because memory holds each email with its attachments.
    batchSize: 1,
    take: (mails) =>
      Promise.allSettled(mails.map((reported) => takeReportedMail(reported, { ...options, handingOver }))),
  });
}

interface Taking {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
  /**
   * Transport and e-mail addresses for forwarding emails that are not simulation messages; undefined if such emails are
   * left for manual review.
   */
  handingOver: { transport: MailTransport; from: MailAddress; to: string } | undefined;
}

/**
 * Processes a forwarded email: records, for each simulation message in it, that the person who forwarded it has
 * reported the message. If the email contains anything else, forwards the email or flags it for manual review. Logs
 * only the ids of emails.
 */
async function takeReportedMail(mail: FetchedMail, options: Taking): Promise<Outcome> {
  const { logger, handingOver } = options;
  const { uid, source, isWhole } = mail;
  const traces = await findTraces(source);
  const reason = traces ? await judge(traces, mail, options) : 'unreadable';
  if (isWhole && reason === undefined) return 'seen';
  if (!handingOver || isOfHandOver(traces?.messageId, handingOver.from)) {
    logger.warn({ uid, bytes: source.length }, 'reported message left for manual review');
    return 'flagged';
  }
  const { transport, from, to } = handingOver;
  if (!isWhole) logger.warn({ uid, bytes: source.length }, 'reported message is too large; left for manual review');
  try {
    await transport.send(
      await (isWhole && reason
        ? buildHandOver(source, { from, to, reason })
        : buildLargeMailNotice(source, { from, to, uid })),
    );
    return isWhole ? 'seen' : 'flagged';
  } catch (error) {
    const { code, responseCode } = error as DeliveryError;
    // Does not log the server's text, which might quote the email.
    if (!isPermanent(error as DeliveryError))
      throw Object.assign(new Error('the reported message was not forwarded'), { code });
    logger.warn({ uid, code, responseCode }, 'forwarding a reported message was rejected; left for manual review');
    return 'flagged';
  }
}

/** Judges the email as a report by each learner who has a sender's address now, or had it when receiving a message. */
async function judge(
  traces: MailTraces,
  { arrivedAt }: FetchedMail,
  { pool, access }: Taking,
): Promise<ForwardReason | undefined> {
  const reporters: Reporter[] = [];
  for (const sender of traces.senders) {
    const { rows } = await pool.query<Reporter>(
      `select company_id as "companyId", learner_id as "learnerId" from find_learners_by_email($1)
       union select company_id, learner_id from find_recipients_by_email($1)`,
      [sender],
    );
    reporters.push(...rows);
  }
  return judgeReport(traces, { reporters, at: arrivedAt, access });
}
