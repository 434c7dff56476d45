import type pg from 'pg';
import type { Config } from '../../../../config/config.ts';
import type { MailAddress } from '../../../../config/mail-settings.ts';
import type { ReportMailboxConfig } from '../../../../config/phish-report-mailbox.ts';
import type { JobTenants } from '../../../../db/tenant.ts';
import type { Poller } from '../../../../limits/poller.ts';
import { findTraces } from './find-traces.ts';
import { buildHandOver, isOfHandOver } from './hand-over.ts';
import { type MailTransport, openMailTransport } from '../../../../mail/mail-transport.ts';
import type { MailTraces } from './mail-traces.ts';
import { type DeliveryError, isPermanent } from '../../../../mail/message-rules.ts';
import type { Logger } from '../../../../observability/logger.ts';
import { type FetchedMail, type Outcome, readMailbox } from '../../../../mail/mailbox-reader.ts';
import { recordForward } from './reported-messages.ts';

/** Number of connections in the pool; one of them holds the lock. */
export const MAILBOX_CONNECTIONS = 2;

export interface ReportMailboxOptions extends Pick<Taking, 'pool' | 'access' | 'logger'> {
  mailbox: ReportMailboxConfig;
  mail: Config['mail'];
}

/** Reads the mailbox that people forward suspicious mails to. */
export function startReportMailbox({ mailbox, mail, ...options }: ReportMailboxOptions): Poller {
  const { pool, logger } = options;
  const to = mailbox.forwardTo;
  const handingOver =
    mail && to !== undefined ? { transport: openMailTransport(mail, 1), from: mail.from, to } : undefined;
  return readMailbox({
    ...{ purpose: 'report', mailbox, pool, logger },
    take: (reported) => takeReportedMail(reported, { ...options, handingOver }),
  });
}

interface Taking {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
  /** Transport and addresses for mails that are not of a simulation; undefined if such mails wait for a person. */
  handingOver: { transport: MailTransport; from: MailAddress; to: string } | undefined;
}

/**
 * Processes a forwarded mail. If the mail contains a simulation message that its sender received, records a report.
 * Otherwise forwards the mail, or flags it for a person. Logs only ids of mails.
 */
async function takeReportedMail(mail: FetchedMail, options: Taking): Promise<Outcome> {
  const { logger, handingOver } = options;
  const { uid, source, isWhole } = mail;
  const traces = await findTraces(source);
  if (traces && (await recordReports(traces, mail, options))) return 'seen';
  if (!handingOver || !isWhole || isOfHandOver(traces?.messageId, handingOver.from)) {
    logger.warn({ uid, bytes: source.length }, 'reported message left for manual review');
    return 'flagged';
  }
  const { transport, from, to } = handingOver;
  try {
    await transport.send(buildHandOver(source, from, to));
    return 'seen';
  } catch (error) {
    const { code, responseCode } = error as DeliveryError;
    // Omits the server's text, which might quote the mail.
    if (!isPermanent(error as DeliveryError))
      throw Object.assign(new Error('the reported message was not forwarded'), { code });
    logger.warn({ uid, code, responseCode }, 'forwarding a reported message was rejected; left for manual review');
    return 'flagged';
  }
}

/**
 * Records a report by each learner who has the address of a sender, or had that address as a recipient, and who
 * received one of the messages. Reports whether any learner did.
 */
async function recordReports(
  { senders, ...traces }: MailTraces,
  { arrivedAt }: FetchedMail,
  { pool, access }: Taking,
): Promise<boolean> {
  if (traces.messageIds.length + traces.tokens.length === 0) return false;
  let isOurs = false;
  for (const sender of senders) {
    const { rows } = await pool.query<{ companyId: string; learnerId: string }>(
      `select company_id as "companyId", learner_id as "learnerId" from find_learners_by_email($1)
       union select company_id, learner_id from find_recipients_by_email($1)`,
      [sender],
    );
    for (const { companyId, learnerId } of rows) {
      if (await recordForward(access.ofJob(companyId), learnerId, traces, arrivedAt)) isOurs = true;
    }
  }
  return isOurs;
}
