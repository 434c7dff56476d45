import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { requireOwn } from './own-simulation-rules.ts';
import type { Plan } from './sending/plan-rules.ts';
import { OVERVIEW } from './simulation-repository.ts';

interface SimulationParams {
  simulationId: string;
}

type Overview = Schemas['SimulationOverview'];

/** A simulation, including data that responses do not show. */
type Stored = Overview & { isOwn: boolean; seed: string | null };

const lock = mutation<SimulationParams, Stored>(
  'simulation_lock',
  (p) => sql`
    select ${OVERVIEW}, s.is_own as "isOwn", s.plan ->> 'seed' as seed from simulations s
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId} for no key update`,
);

export type OwnSimulation = Overview & { plan: Schemas['SimulationPlan']; seed: string };

/**
 * Locks one of the service's own simulations until the transaction ends.
 * @throws not_found, or forbidden for a simulation that another system runs
 */
export async function lockOwnSimulation(tenant: TenantWriter, simulationId: string): Promise<OwnSimulation> {
  const { isOwn, ...simulation } = requireFound((await tenant.mutate(lock, { simulationId }))[0], 'simulation');
  requireOwn(isOwn);
  return simulation as OwnSimulation;
}

const planned = pointQuery<SimulationParams, Stored>(
  'simulation_planned',
  (p) => sql`
    select ${OVERVIEW}, s.is_own as "isOwn", s.plan ->> 'seed' as seed from simulations s
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId}`,
);

/** Finds one of the service's own simulations. @throws not_found, or forbidden if another system runs it */
export async function findPlanned(tenant: TenantReader, simulationId: string): Promise<OwnSimulation> {
  const { isOwn, ...simulation } = requireFound(await tenant.queryOne(planned, { simulationId }), 'simulation');
  requireOwn(isOwn);
  return simulation as OwnSimulation;
}

const adminEmail = pointQuery<{ adminId: string }, { email: string }>(
  'simulation_admin_email',
  (p) => sql`select email from admins where company_id = ${p.companyId} and id = ${p.adminId}`,
);

/** @throws not_found */
export async function getAdminEmail(tenant: TenantReader, adminId: string): Promise<string> {
  return requireFound(await tenant.queryOne(adminEmail, { adminId }), 'admin').email;
}

export interface OwnColumns {
  name: string;
  deliveryMethod: string;
  startDate: string;
  endDate: string;
  plan: Plan;
  course: { id: string; ownerId: string } | undefined;
}

/** The campaign that started a simulation, with the item and the round. */
export interface CampaignRound {
  campaignId: string;
  itemId: string;
  round: number;
}

interface Columns extends SimulationParams, Omit<OwnColumns, 'plan' | 'course'> {
  planJson: string;
  courseId: string | null;
  courseOwnerId: string | null;
}

interface NewColumns extends Columns {
  campaignId: string | null;
  itemId: string | null;
  round: number | null;
}

const SAMPLES = { deliveryMethod: 'email', planJson: '{}', courseId: null, courseOwnerId: null };
const DATES = { startDate: '2026-12-07T07:00:00Z', endDate: '2026-12-18T17:00:00Z' };

const insert = mutation<NewColumns>(
  'simulation_insert_own',
  (p) => sql`
    insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date, is_own, plan,
                             training_course_id, training_course_owner_id, campaign_id, campaign_item_id, campaign_round)
    values (${p.companyId}, ${p.simulationId}, ${p.name}, 'draft', ${p.deliveryMethod}, ${p.startDate}, ${p.endDate}, true,
            ${p.planJson}::jsonb, ${p.courseId}, ${p.courseOwnerId}, ${p.campaignId}, ${p.itemId}, ${p.round})`,
  { ...SAMPLES, ...DATES, round: 2 },
);

/** Inserts a draft. Returns its id. */
export async function insertOwnSimulation(
  tenant: TenantWriter,
  columns: OwnColumns,
  campaignRound: CampaignRound | undefined,
): Promise<string> {
  const simulationId = uuidv7();
  const { campaignId = null, itemId = null, round = null } = campaignRound ?? {};
  await tenant.mutate(insert, { ...flat(simulationId, columns), campaignId, itemId, round });
  return simulationId;
}

const update = mutation<Columns>(
  'simulation_update_own',
  (p) => sql`
    update simulations
       set name = ${p.name}, delivery_method = ${p.deliveryMethod}, start_date = ${p.startDate}, end_date = ${p.endDate},
           plan = ${p.planJson}::jsonb, training_course_id = ${p.courseId}, training_course_owner_id = ${p.courseOwnerId},
           updated_at = now()
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own`,
  { ...SAMPLES, ...DATES },
);

export async function updateOwnSimulation(
  tenant: TenantWriter,
  simulationId: string,
  columns: OwnColumns,
): Promise<void> {
  await tenant.mutate(update, flat(simulationId, columns));
}

function flat(simulationId: string, { plan, course, ...columns }: OwnColumns): Columns {
  const planJson = JSON.stringify(plan);
  return { ...columns, simulationId, planJson, courseId: course?.id ?? null, courseOwnerId: course?.ownerId ?? null };
}

interface Scheduling extends SimulationParams {
  now: string;
  /** Id of the admin or API key that schedules the simulation. */
  scheduledBy: string;
  needsApproval: boolean;
  approvedBy: string[];
  blockedBecause: string | null;
}

/** Schedules a draft. If the draft's window has already begun, the simulation starts now. */
export const setScheduled = mutation<Scheduling>(
  'simulation_set_scheduled',
  (p) => sql`
    update simulations
       set status = 'scheduled', start_date = greatest(start_date, ${p.now}::timestamptz), scheduled_at = ${p.now},
           scheduled_by = ${p.scheduledBy}, needs_approval = ${p.needsApproval}, approved_by = ${p.approvedBy}::uuid[],
           blocked_because = ${p.blockedBecause}, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own`,
);

// The update changes nothing, but locks the row if it exists already.
const lockSettings = mutation<{ headerSecret: string }>(
  'simulation_settings_lock',
  (p) => sql`
    insert into simulation_settings (company_id, header_secret) values (${p.companyId}, ${p.headerSecret})
    on conflict (company_id) do update set header_secret = simulation_settings.header_secret`,
);

const unapproved = query<object, { count: number }>(
  'simulation_unapproved_recipients',
  (p) => sql`
    select count(*)::integer as count from simulations s
      join simulation_recipients r on r.company_id = ${p.companyId} and r.simulation_id = s.id
     where s.company_id = ${p.companyId} and s.is_own and not s.needs_approval
       and (s.status in ('scheduled', 'running') or r.sent_at > now() - interval '7 days')`,
);

/**
 * Counts the recipients of simulations that need no approval, if the simulation is open or the recipients' messages
 * were sent within seven days. Creates and locks the company's settings, so that no other call can schedule until the
 * transaction ends. Must be called last in the transaction.
 */
export async function lockUnapproved(tenant: TenantWriter): Promise<number> {
  await tenant.mutate(lockSettings, { headerSecret: randomBytes(16).toString('hex') });
  return (await tenant.queryAll(unapproved, {}))[0]!.count;
}

export const setCancelled = mutation<SimulationParams>(
  'simulation_set_cancelled',
  (p) => sql`
    update simulations set status = 'cancelled', blocked_because = null, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own`,
);

export const removeDraft = mutation<SimulationParams>(
  'simulation_remove_draft',
  (p) => sql`
    delete from simulations where company_id = ${p.companyId} and id = ${p.simulationId} and is_own and status = 'draft'`,
);
