import { sql } from '../../db/sql.ts';
import { pointQuery, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { Identifiers } from '../simulations/events/reported-mail/forward-repository.ts';
import { hashToken } from '../simulations/events/reported-mail/reported-messages.ts';

export interface ButtonOfToken {
  companyName: string;
  /** The company's colour and logo; null if the company has set neither. */
  brand: { version: string; hasColor: boolean; logo: { width: number; height: number } | null } | null;
  /** The e-mail address that reports are forwarded to; null if the company has removed it. */
  forwardTo: string | null;
  /** Last part of the manifests' version number. */
  version: number;
  /** Whether the token is the current one. The previous token serves no manifests. */
  isCurrent: boolean;
}

export const buttonByToken = pointQuery<{ token: string }, ButtonOfToken>(
  'report_button_by_token',
  (p) => sql`
    select coalesce(s.brand_name, c.name) as "companyName",
           case when s.brand_version is not null
                then json_build_object('version', s.brand_version, 'hasColor', s.brand_color is not null,
                                       'logo', s.brand_logo_facts) end as brand,
           coalesce(s.report_button_forward_to, s.reporting ->> 'address') as "forwardTo",
           s.report_button_version as version, s.report_button_token = ${p.token} as "isCurrent"
      from company_settings s join companies c on c.id = ${p.companyId}
     where s.company_id = ${p.companyId} and s.report_button_enabled
       and (s.report_button_token = ${p.token}
            or (s.report_button_previous_token = ${p.token} and s.report_button_previous_until > now()))`,
);

/** The recipient of a simulation message. */
interface Recipient {
  learnerId: string;
  /** The lesson in the language of the message; null if the template was deleted. */
  lesson: string | null;
}

interface Lookup {
  tokenHashes: Buffer[];
  messageIdTexts: readonly string[];
  reporter: string | null;
}

const recipients = query<Lookup, Recipient>(
  'report_button_recipients',
  (p) => sql`
    select m.learner_id as "learnerId",
           (select coalesce(t.content -> r.locale, t.content -> t.locales[1]) ->> 'lesson'
              from simulation_recipients r
              join simulation_templates t on t.owner_id in (managed_catalogue(), ${p.companyId}) and t.id = r.template_id
             where r.company_id = ${p.companyId} and r.simulation_id = m.simulation_id and r.learner_id = m.learner_id
             limit 1) as lesson
      from (select simulation_id, learner_id from simulation_recipients
             where company_id = ${p.companyId} and token_hash = any(${p.tokenHashes}::bytea[])
            union
            select simulation_id, learner_id from simulation_events
             where company_id = ${p.companyId} and message_id = any(${p.messageIdTexts}::text[])
               and voided_at is null) as m
     where not exists (select from learners l
                        where l.company_id = ${p.companyId} and l.email_key = ${p.reporter}::text and l.id <> m.learner_id)
     order by m.learner_id limit 20`,
  { reporter: 'learner1@tenant.test' },
);

/**
 * Finds the recipients of the messages with these identifiers. Leaves out recipients if `reporter` is the e-mail
 * address of a different learner.
 */
export function findRecipients(
  tenant: TenantReader,
  { reporter, identifiers }: { reporter: string | undefined; identifiers: Identifiers },
): Promise<Recipient[]> {
  const { tokens, messageIds: messageIdTexts } = identifiers;
  return tenant.queryAll(recipients, {
    ...{ messageIdTexts, tokenHashes: tokens.map(hashToken) },
    reporter: reporter ?? null,
  });
}
