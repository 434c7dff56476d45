import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

export type ReportingChannels = Schemas['ReportingChannels'];

const channels = pointQuery<object, { reporting: ReportingChannels | null }>(
  'taking_reporting_channels',
  (p) => sql`select reporting from company_settings where company_id = ${p.companyId}`,
);

/** Finds how people in the company report a suspicious message. */
export async function findReportingChannels(tenant: TenantReader): Promise<ReportingChannels | null> {
  return (await tenant.queryOne(channels, {}))?.reporting ?? null;
}
