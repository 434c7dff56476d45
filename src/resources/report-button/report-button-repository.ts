import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

/** The stored setting of a company's report button. */
export interface StoredButton {
  enabled: boolean;
  forwardTo: string | null;
  token: string | null;
  tokenCreatedAt: string | null;
  /** Time at which the previous token stops working; null if it no longer works. */
  previousTokenExpiresAt: string | null;
  /** E-mail address in the company's reporting channels, to which emails are forwarded unless `forwardTo` is set. */
  reportingAddress: string | null;
}

const NONE: StoredButton = {
  ...{ enabled: false, forwardTo: null, token: null, tokenCreatedAt: null },
  ...{ previousTokenExpiresAt: null, reportingAddress: null },
};

const stored = pointQuery<object, StoredButton>(
  'report_button',
  (p) => sql`
    select report_button_enabled as enabled, report_button_forward_to as "forwardTo", report_button_token as token,
           report_button_token_at as "tokenCreatedAt",
           case when report_button_previous_until > now() then report_button_previous_until end as "previousTokenExpiresAt",
           reporting ->> 'address' as "reportingAddress"
      from company_settings where company_id = ${p.companyId}`,
);

/** Finds the setting of a company; a company that has set nothing has a disabled button. */
export async function findButton(tenant: TenantReader): Promise<StoredButton> {
  return (await tenant.queryOne(stored, {})) ?? NONE;
}

const replace = mutation<{ enabled: boolean; forwardTo: string | null; newToken: string }>(
  'report_button_replace',
  (p) => sql`
    insert into company_settings as c
           (company_id, report_button_enabled, report_button_forward_to, report_button_token, report_button_token_at)
    select ${p.companyId}, ${p.enabled}::boolean, ${p.forwardTo}, case when ${p.enabled}::boolean then ${p.newToken} end,
           case when ${p.enabled}::boolean then now() end
    on conflict (company_id) do update
       set report_button_enabled = excluded.report_button_enabled,
           report_button_forward_to = excluded.report_button_forward_to,
           report_button_token = coalesce(c.report_button_token, excluded.report_button_token),
           report_button_token_at = coalesce(c.report_button_token_at, excluded.report_button_token_at)`,
  { enabled: true, forwardTo: 'phishing@tenant.test', newToken: 'a'.repeat(64) },
);

/** Replaces the setting of a company. Stores `newToken` if the button is enabled for the first time. */
export async function replaceButton(
  tx: TenantWriter,
  values: { enabled: boolean; forwardTo: string | null; newToken: string },
): Promise<StoredButton> {
  await tx.mutate(replace, values);
  return findButton(tx);
}

const rotate = mutation<{ newToken: string; overlapHours: number }>(
  'report_button_rotate',
  (p) => sql`
    update company_settings s
       set report_button_previous_token = case when ${p.overlapHours}::integer > 0 then report_button_token end,
           report_button_previous_until =
             case when ${p.overlapHours}::integer > 0 and report_button_token is not null
                  then t.until end,
           report_button_token = ${p.newToken}, report_button_token_at = t.now,
           report_button_version = report_button_version + 1
      from (select now() as now, now() + make_interval(hours => ${p.overlapHours}::integer) as until) as t
     where s.company_id = ${p.companyId} and s.report_button_token is not null`,
  { newToken: 'a'.repeat(64), overlapHours: 1 },
);

/** Replaces the token, if the button was ever enabled. The previous token keeps working for `overlapHours`. */
export async function rotateToken(
  tx: TenantWriter,
  values: { newToken: string; overlapHours: number },
): Promise<StoredButton> {
  await tx.mutate(rotate, values);
  return findButton(tx);
}
