import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

interface Settings {
  minGroupSize: number | null;
  timeZone: string | null;
  adminPasskeys: 'optional' | 'required';
  gapAnalysisFollowUp: Schemas['CompanySettings']['gapAnalysisFollowUp'];
  reporting: Schemas['ReportingChannels'] | null;
}

/**
 * Minimum group size of a company that has not set one. Five is the usual minimum for anonymous surveys of employees.
 */
const DEFAULT_MIN_GROUP_SIZE = 5;

const stored = pointQuery<object, Settings>('company_settings', (p, knex) =>
  knex('company_settings')
    .where({ company_id: p.companyId })
    .select({
      ...{ minGroupSize: 'min_group_size', timeZone: 'time_zone', adminPasskeys: 'admin_passkeys' },
      ...{ gapAnalysisFollowUp: 'gap_analysis_follow_up', reporting: 'reporting' },
    }),
);

/** Finds the settings of a company, or the defaults. */
export async function findSettings(tenant: TenantReader): Promise<Settings> {
  const defaults: Settings = {
    ...{ minGroupSize: null, timeZone: null, adminPasskeys: 'optional' as const },
    ...{ gapAnalysisFollowUp: 'propose' as const, reporting: null },
  };
  return (await tenant.queryOne(stored, {})) ?? defaults;
}

/** Finds the minimum number of people for which reports show a mean. Used by reports that always require a minimum. */
export async function findMinGroupSize(tenant: TenantReader): Promise<number> {
  return (await findSettings(tenant)).minGroupSize ?? DEFAULT_MIN_GROUP_SIZE;
}

/** Settings with the reporting channels as JSON, and flags for the settings to change. */
interface Change extends Omit<Settings, 'reporting'> {
  reporting: string | null;
  hasReporting: boolean;
  hasMinGroupSize: boolean;
  hasTimeZone: boolean;
  hasAdminPasskeys: boolean;
  hasGapAnalysisFollowUp: boolean;
}

const update = mutation<Change, Settings>(
  'company_settings_update',
  (p) => sql`
    insert into company_settings as c (company_id, min_group_size, time_zone, admin_passkeys, gap_analysis_follow_up, reporting)
    values (${p.companyId}, ${p.minGroupSize}, ${p.timeZone}, ${p.adminPasskeys}, ${p.gapAnalysisFollowUp}, ${p.reporting})
    on conflict (company_id) do update
       set min_group_size = case when ${p.hasMinGroupSize} then excluded.min_group_size else c.min_group_size end,
           time_zone = case when ${p.hasTimeZone} then excluded.time_zone else c.time_zone end,
           admin_passkeys = case when ${p.hasAdminPasskeys} then excluded.admin_passkeys else c.admin_passkeys end,
           gap_analysis_follow_up = case when ${p.hasGapAnalysisFollowUp} then excluded.gap_analysis_follow_up
                                         else c.gap_analysis_follow_up end,
           reporting = case when ${p.hasReporting} then excluded.reporting else c.reporting end
    returning c.min_group_size as "minGroupSize", c.time_zone as "timeZone", c.admin_passkeys as "adminPasskeys",
              c.gap_analysis_follow_up as "gapAnalysisFollowUp", c.reporting`,
  {
    ...{ minGroupSize: 5, timeZone: 'Europe/Berlin', adminPasskeys: 'optional' },
    ...{ gapAnalysisFollowUp: 'propose', reporting: '{}' },
  },
);

/** Changes the given settings. Returns all settings. */
export async function updateSettings(
  tenant: TenantWriter,
  { minGroupSize, timeZone, adminPasskeys, gapAnalysisFollowUp, reporting }: Schemas['UpdateCompanySettingsInput'],
): Promise<Settings> {
  const values = {
    ...{ minGroupSize: minGroupSize ?? null, timeZone: timeZone ?? null },
    adminPasskeys: adminPasskeys ?? 'optional',
    gapAnalysisFollowUp: gapAnalysisFollowUp ?? 'propose',
    reporting: reporting ? serializeChannels(reporting) : null,
  };
  const given = {
    ...{ hasMinGroupSize: minGroupSize !== undefined, hasTimeZone: timeZone !== undefined },
    ...{ hasAdminPasskeys: adminPasskeys !== undefined, hasReporting: reporting !== undefined },
    hasGapAnalysisFollowUp: gapAnalysisFollowUp !== undefined,
  };
  return (await tenant.mutate(update, { ...values, ...given }))[0]!;
}

function serializeChannels(reporting: Schemas['ReportingChannelsInput']): string {
  const { address = null, phone = null, instructions = null } = reporting;
  return JSON.stringify({ address, phone, instructions } satisfies Schemas['ReportingChannels']);
}

const ownersWithPasskey = mutation<object, { id: string }>(
  'company_owners_with_passkey',
  (p) => sql`
    select a.id from admins a
     where a.company_id = ${p.companyId} and a.status = 'active' and a.role = 'owner'
       and exists (select from passkeys k where k.company_id = ${p.companyId} and k.admin_id = a.id and k.expires_at is null)
     limit 1`,
);

/** Reports whether an active owner has a passkey. */
export async function hasOwnerPasskey(tenant: TenantWriter): Promise<boolean> {
  return (await tenant.mutate(ownersWithPasskey, {})).length > 0;
}

const buttonAddress = pointQuery<object, { isMissing: boolean }>(
  'company_button_address',
  (p) => sql`
    select s.report_button_enabled and s.report_button_forward_to is null
             and s.reporting ->> 'address' is null as "isMissing"
      from company_settings s where s.company_id = ${p.companyId}`,
);

/** Reports whether the report button is enabled, and no e-mail address is set for it. */
export async function lacksButtonAddress(tenant: TenantReader): Promise<boolean> {
  return (await tenant.queryOne(buttonAddress, {}))?.isMissing ?? false;
}
