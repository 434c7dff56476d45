import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { queuedJobsSql } from '../../../mail/outbox/outbox.ts';
import { IS_QUEUED } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { PhishingEmail } from './compose-phishing-email.ts';
import { SEND_SIMULATION_MESSAGE } from './queue-due-messages.ts';
import type { SendingLimits } from './sending-stops.ts';

interface NewTestMessage {
  adminId: string;
  simulationId: string;
  templateId: string;
}

// Creates the header secret as scheduling does, so that the mail team can allow-list the first test message.
const insert = mutation<NewTestMessage & { messageId: string; headerSecret: string }, { queued: number }>(
  'simulation_test_insert',
  (p) => sql`
    with settings as (
      insert into simulation_settings (company_id, header_secret) values (${p.companyId}, ${p.headerSecret})
      on conflict (company_id) do nothing
    ), queued as (
      insert into messages (company_id, id, kind, admin_id, subject_ids)
      values (${p.companyId}, ${p.messageId}, 'simulation_test', ${p.adminId},
              array[${p.simulationId}, ${p.templateId}]::uuid[])
      returning company_id, id, 0::smallint as priority
    )${queuedJobsSql(SEND_SIMULATION_MESSAGE)}`,
);

export async function insertTestMessage(tenant: TenantWriter, message: NewTestMessage): Promise<void> {
  const headerSecret = randomBytes(16).toString('hex');
  await tenant.mutate(insert, { ...message, messageId: uuidv7(), headerSecret });
}

/** Part after `/s/` in the link of a test message. It belongs to no recipient. */
const TEST_TOKEN = 'test';

/** A queued test message, and the reason not to send it; null if there is none. */
type QueuedTest = Omit<PhishingEmail, 'token'> & { never: string | null };

const queuedTest = query<SendingLimits & { messageId: string }, QueuedTest>(
  'simulation_test_queued',
  (p) => sql`
    select m.id, m.created_at as "createdAt", k.name as "companyName", a.email, a.first_name as "firstName",
           a.last_name as "lastName", a.first_name || ' ' || a.last_name as name, w.locale,
           s.plan ->> 'senderDomain' as sender, s.delivery_method as "deliveryMethod", t.content -> w.locale as texts,
           coalesce(c.header_secret, '') as "headerSecret",
           case when a.status <> 'active' then 'the admin is not active'
                when not k.smphish then 'the company does not have the module'
                when c.stopped_at is not null then 'the company has stopped all'
                when exists (select from simulation_switch where stopped_at is not null) then 'the operator has stopped all'
                when not (s.plan ->> 'senderDomain') = any(${p.senders}::text[]) then 'the sender is not allowed' end as never
      from messages m
      join companies k on k.id = ${p.companyId}
      join admins a on a.company_id = ${p.companyId} and a.id = m.admin_id
      join simulations s on s.company_id = ${p.companyId} and s.id = m.subject_ids[1]
      join simulation_templates t on t.id = m.subject_ids[2] and t.owner_id in (managed_catalogue(), ${p.companyId})
     cross join lateral (
       select case when left(a.locale, 2) = any(t.locales) then left(a.locale, 2)
                   when 'en' = any(t.locales) then 'en' else t.locales[1] end as locale) as w
      left join simulation_settings c on c.company_id = ${p.companyId}
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and m.kind = 'simulation_test' and ${IS_QUEUED}`,
);

/** Finds a test message that is still queued. */
export async function findQueuedTest(
  tenant: TenantWriter,
  input: SendingLimits & { messageId: string },
): Promise<(PhishingEmail & { never: string | null }) | undefined> {
  const row = await tenant.queryOne(queuedTest, input);
  return row && { ...row, token: TEST_TOKEN };
}
