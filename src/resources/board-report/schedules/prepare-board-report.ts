import { IS_QUEUED } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { MailSettings } from '../../../mail/messages/compose.ts';
import type { Attempt, Prepared, Preparation } from '../../../mail/sending/preparation.ts';
import { type MessageResult, settleMessages } from '../../../mail/sending/settle-messages.ts';
import { type BoardMailRow, composeBoardMail } from './compose-board-mail.ts';
import { findCompanyAddresses } from './company-addresses.ts';
import { isAllowedAddress } from './schedule-rules.ts';

interface QueuedMail {
  /** The recipient's e-mail address; null once the schedule is deleted. */
  email: string | null;
  hasFile: boolean;
  isUnsubscribed: boolean;
}

const queued = pointQuery<{ messageId: string }, QueuedMail>(
  'board_message_queued',
  (p) => sql`
    select d.email, coalesce(b.pdf is not null, false) as "hasFile",
           coalesce(r.unsubscribed_at is not null or not r.is_listed or (r.id is null and d.recipient_id is not null), false)
             as "isUnsubscribed"
      from messages m
      left join board_deliveries d on d.company_id = ${p.companyId} and d.id = m.id
      left join board_reports b on b.company_id = ${p.companyId} and b.id = d.report_id
      left join board_recipients r on r.company_id = ${p.companyId} and r.id = d.recipient_id
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and ${IS_QUEUED}`,
);

const content = pointQuery<{ messageId: string }, BoardMailRow>(
  'board_message_content',
  (p) => sql`
    select m.id, m.created_at as "createdAt", k.name as "companyName", s.name as "scheduleName", s.language,
           b.period_from as "from", b.period_to as "to", d.name, d.email, b.pdf, m.setup_token as token
      from messages m
      join companies k on k.id = m.company_id
      join board_deliveries d on d.company_id = ${p.companyId} and d.id = m.id
      join board_reports b on b.company_id = ${p.companyId} and b.id = d.report_id
      join board_schedules s on s.company_id = ${p.companyId} and s.id = d.schedule_id
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and ${IS_QUEUED}`,
);

const settleDeliveries = mutation<{ messageIds: string[]; statuses: string[]; reasons: (string | null)[] }>(
  'board_delivery_settle',
  (p) => sql`
    update board_deliveries d set status = r.status, reason = r.reason, settled_at = now()
      from unnest(${p.messageIds}::uuid[], ${p.statuses}::text[], ${p.reasons}::text[]) as r (message_id, status, reason)
     where d.company_id = ${p.companyId} and d.id = r.message_id and d.status = 'queued'`,
  { statuses: ['sent'] },
);

/**
 * Prepares the messages with reports. Cancels a message if the schedule was deleted, or if the recipient has
 * unsubscribed, was removed, or has an e-mail address that is no longer allowed.
 * @param freeMail domains of free e-mail providers
 */
export function preparingBoardReports(settings: MailSettings, freeMail: ReadonlySet<string>): Preparation {
  const prepareOne = async (tenant: TenantWriter, { messageId, attempt }: Attempt): Promise<Prepared | undefined> => {
    const message = await tenant.queryOne(queued, { messageId });
    if (!message) return undefined;
    const reason = await findCancelReason(tenant, message, freeMail);
    const row = reason === undefined ? await tenant.queryOne(content, { messageId }) : undefined;
    if (row?.pdf) return { mail: composeBoardMail(row, settings) };
    const settlement = { status: 'cancelled' as const, reason: reason ?? 'the report was replaced by a later one' };
    await settleMails(tenant, [{ messageId, attempts: attempt, settlement }], true);
    return 'cancelled';
  };
  return {
    async prepare(tenant, attempts) {
      const prepared = new Map<string, Prepared>();
      for (const attempt of attempts) {
        const one = await prepareOne(tenant, attempt);
        if (one) prepared.set(attempt.messageId, one);
      }
      return prepared;
    },
    settle: settleMails,
  };
}

async function findCancelReason(
  tenant: TenantWriter,
  { email, hasFile, isUnsubscribed }: QueuedMail,
  freeMail: ReadonlySet<string>,
): Promise<string | undefined> {
  if (email === null) return 'the schedule was deleted';
  if (isUnsubscribed) return 'the recipient has unsubscribed or was removed';
  if (!hasFile) return 'the report was replaced by a later one';
  const isAllowed = isAllowedAddress(email, await findCompanyAddresses(tenant, [email], freeMail));
  return isAllowed ? undefined : 'the address no longer belongs to the company';
}

/** Settles messages, and the deliveries that the schedule shows with them. */
function settleMails(tenant: TenantWriter, results: readonly MessageResult[], waits: boolean): Promise<string[]> {
  return tenant.transaction(async (tx) => {
    const settledIds = await settleMessages(tx, results, waits);
    const settled = results.filter(({ messageId }) => settledIds.includes(messageId));
    if (settled.length > 0)
      await tx.mutate(settleDeliveries, {
        messageIds: settled.map(({ messageId }) => messageId),
        statuses: settled.map(({ settlement }) => settlement.status),
        reasons: settled.map(({ settlement }) => ('reason' in settlement ? settlement.reason : null)),
      });
    return settledIds;
  });
}
