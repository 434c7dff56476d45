import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
import type { Config, MailAddress } from '../config/config.ts';
import type { PoolOptions } from '../db/pool.ts';
import type { ReportMailboxConfig } from '../config/phish-report-mailbox.ts';
import type { Logger } from '../observability/logger.ts';
import { findTraces } from '../mail/find-traces.ts';
import { buildHandOver, isOfHandOver } from '../mail/hand-over.ts';
import { type MailTransport, openMailTransport } from '../mail/mail-transport.ts';
import type { MailTraces } from '../mail/mail-traces.ts';
import { type DeliveryError, isPermanent } from '../mail/message-rules.ts';
import { recordForward } from '../resources/simulations/events/reported-messages.ts';
import { type FetchedMail, type Outcome, readMailbox } from './mailbox-reader.ts';
import type { Poller } from '../limits/poller.ts';

/** One connection has the lock. */
const CONNECTIONS = 2;

export interface ReportMailboxOptions {
  config: Config;
  logger: Logger;
  openPool: (name: string, options: Pick<PoolOptions, 'poolSize'>) => pg.Pool;
}

/** Reads the mailbox that people forward suspicious mails to. */
export function startReportMailbox(
  mailbox: ReportMailboxConfig,
  { config, logger, openPool }: ReportMailboxOptions,
): Poller {
  const { mail } = config;
  const to = mailbox.forwardTo;
  const handingOver =
    mail && to !== undefined ? { transport: openMailTransport(mail, 1), from: mail.from, to } : undefined;
  const pool = openPool('reports', { poolSize: CONNECTIONS });
  const taking = { pool, access: new TenantAccess(pool), logger, handingOver };
  return readMailbox({ mailbox, pool, logger, take: (reported) => takeReportedMail(reported, taking) });
}

interface Taking {
  pool: pg.Pool;
  access: TenantAccess;
  logger: Logger;
  /** Undefined: what is of no simulation waits for a person. */
  handingOver: { transport: MailTransport; from: MailAddress; to: string } | undefined;
}

/**
 * Takes a mail that somebody has forwarded: records the report where it has the sender's own message of a simulation, and
 * hands over what has none. Only ids of mails are logged.
 */
async function takeReportedMail(mail: FetchedMail, options: Taking): Promise<Outcome> {
  const { logger, handingOver } = options;
  const { uid, source, isWhole } = mail;
  const traces = await findTraces(source);
  if (traces && (await recordReports(traces, mail, options))) return 'seen';
  if (!handingOver || !isWhole || isOfHandOver(traces?.messageId, handingOver.from)) {
    logger.warn({ uid, bytes: source.length }, 'a mail to the mailbox for reports is left for a person');
    return 'flagged';
  }
  const { transport, from, to } = handingOver;
  try {
    await transport.send(buildHandOver(source, from, to));
    return 'seen';
  } catch (error) {
    const { code, responseCode } = error as DeliveryError;
    // Not the text of the server: it may repeat what is in the mail.
    if (!isPermanent(error as DeliveryError)) throw Object.assign(new Error('it was not handed over'), { code });
    logger.warn({ uid, code, responseCode }, 'a mail to the mailbox for reports is refused: it is left for a person');
    return 'flagged';
  }
}

/** Whether a learner with the address of the sender, now or when it was mailed, has got one of the messages in it. */
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
