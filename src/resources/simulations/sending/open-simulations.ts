import { literal, sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { isApproved } from './approve-simulation.ts';

/** A scheduled or running simulation of the service, as shown to an admin who decides about it. */
export interface OpenSimulation {
  id: string;
  name: string;
  status: 'scheduled' | 'running';
  startDate: string | null;
  endDate: string | null;
  scheduledAt: string | null;
  /**
   * Name of the admin who scheduled the simulation; null for an API key, a deleted admin, or an unrecorded scheduler.
   */
  schedulingAdmin: string | null;
  /** Name of the API key that scheduled the simulation; null if no key did. */
  schedulingKey: string | null;
  /** Name of the campaign that started the simulation; null if no campaign did. */
  campaignName: string | null;
  senderDomain: string;
  recipientCount: number;
  templateCount: number;
  /** Names of the templates, `MAX_NAMES` at most. */
  templateNames: string[];
  isApproved: boolean;
  blockedBecause: string | null;
  /** Ids of the admins who have approved, in order. */
  approvedBy: string[];
  /** Names of those approvers who are still active admins. */
  approverNames: string[];
}

const MAX_NAMES = 20;

interface OpenRow extends Omit<OpenSimulation, 'schedulingKey'> {
  scheduledBy: string | null;
}

const openRows = query<{ max: number }, OpenRow>(
  'simulation_list_open',
  (p) => sql`
    select s.id, s.name, s.status, s.start_date as "startDate", s.end_date as "endDate",
           s.scheduled_at as "scheduledAt", s.plan ->> 'senderDomain' as "senderDomain",
           (select a.first_name || ' ' || a.last_name from admins a
             where a.company_id = ${p.companyId} and a.id = s.scheduled_by) as "schedulingAdmin",
           s.scheduled_by as "scheduledBy",
           (select c.name from campaigns c
             where c.company_id = ${p.companyId} and c.id = s.campaign_id) as "campaignName",
           (select count(*)::integer from simulation_recipients r
             where r.company_id = ${p.companyId} and r.simulation_id = s.id) as "recipientCount",
           jsonb_array_length(s.plan -> 'templateIds') as "templateCount",
           array(select t.name from simulation_templates t
                  where (t.owner_id = managed_catalogue() or t.owner_id = ${p.companyId})
                    and s.plan -> 'templateIds' ? t.id::text
                  order by t.name, t.id limit ${literal(MAX_NAMES)}) as "templateNames",
           ${isApproved(p)} as "isApproved", s.blocked_because as "blockedBecause", s.approved_by as "approvedBy",
           array(select a.first_name || ' ' || a.last_name from admins a
                  where a.company_id = ${p.companyId} and a.id = any(s.approved_by) and a.status = 'active'
                  order by a.id) as "approverNames"
      from simulations s
     where s.company_id = ${p.companyId} and s.is_own and s.status in ('scheduled', 'running')
     order by s.start_date, s.id limit ${p.max}::integer`,
);

// A separate statement: on Citus, API keys are on a different node from the simulations of their company.
const keyNames = query<{ apiKeyIds: string[] }, { id: string; name: string }>(
  'simulation_scheduling_keys',
  (p) => sql`
    select k.id, k.name from api_keys k where k.company_id = ${p.companyId} and k.id = any(${p.apiKeyIds}::uuid[])`,
);

/** Lists open simulations ordered by start date. */
export async function listOpenSimulations({ max }: { max: number }, tenant: TenantReader): Promise<OpenSimulation[]> {
  const rows = await tenant.queryAll(openRows, { max });
  const apiKeyIds = rows.flatMap(({ scheduledBy }) => scheduledBy ?? []);
  const keys = apiKeyIds.length > 0 ? await tenant.queryAll(keyNames, { apiKeyIds }) : [];
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return rows.map(({ scheduledBy, ...row }) => ({ ...row, schedulingKey: names.get(scheduledBy ?? '') ?? null }));
}
