import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { MailSettings } from '../../../mail/compose.ts';
import { type Settlement, settleMessage } from '../../../mail/message-repository.ts';
import type { Prepare } from '../../../mail/send-message.ts';
import { type BoardMailRow, composeBoardMail } from './compose-board-mail.ts';
import { findKnownAddresses } from './known-addresses.ts';
import { isAllowedAddress } from './schedule-rules.ts';

interface QueuedMail {
  /** The address; null once the schedule is deleted. */
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
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and m.status = 'queued'`,
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
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and m.status = 'queued'`,
);

const settleDelivery = mutation<{ messageId: string; status: string; reason: string | null }>(
  'board_delivery_settle',
  (p) => sql`
    update board_deliveries set status = ${p.status}, reason = ${p.reason}, settled_at = now()
     where company_id = ${p.companyId} and id = ${p.messageId} and status = 'queued'`,
  { status: 'sent' },
);

/**
 * Prepares the messages with reports. Cancels the message of a schedule that was deleted, and of a recipient who has
 * unsubscribed, was removed, or has an address that is no longer allowed.
 * @param freeMail domains of free e-mail providers
 */
export function preparingBoardReports(settings: MailSettings, freeMail: ReadonlySet<string>): Prepare {
  return async (tenant, messageId, attempt) => {
    const message = await tenant.queryOne(queued, { messageId });
    if (!message) return undefined;
    const settle = (settlement: Settlement) => settleMail(tenant, { messageId, attempt }, settlement);
    const reason = await findCancelReason(tenant, message, freeMail);
    const row = reason === undefined ? await tenant.queryOne(content, { messageId }) : undefined;
    if (row?.pdf) return { mail: composeBoardMail(row, settings), settle };
    await settle({ status: 'cancelled', reason: reason ?? 'the report was replaced by a later one' });
    return 'cancelled';
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
  const isAllowed = isAllowedAddress(email, await findKnownAddresses(tenant, [email], freeMail));
  return isAllowed ? undefined : 'the address no longer belongs to the company';
}

function settleMail(
  tenant: TenantWriter,
  { messageId, attempt }: { messageId: string; attempt: number },
  settlement: Settlement,
): Promise<void> {
  return tenant.transaction(async (tx) => {
    await tx.mutate(settleDelivery, { messageId, reason: null, ...settlement });
    await settleMessage(tx, messageId, attempt, settlement);
  });
}
