import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { isApproved } from './approve-simulation.ts';
import { lookForProofs, recordProofs } from '../settings/domain-repository.ts';
import type { FindTexts } from '../settings/find-texts.ts';

interface Due {
  id: string;
  isApproved: boolean;
}

// A blocked simulation is checked again only once a minute, not at each poll.
const dueToBegin = query<{ now: string }, Due>(
  'simulation_due_to_begin',
  (p) => sql`
    select s.id, ${isApproved(p)} as "isApproved" from simulations s
     where s.company_id = ${p.companyId} and s.is_own and s.status = 'scheduled'
       and s.start_date <= ${p.now}::timestamptz and s.end_date > ${p.now}::timestamptz
       and (s.blocked_because is null or s.updated_at < ${p.now}::timestamptz - interval '1 minute')
     order by s.id`,
);

interface SimulationsParams {
  simulationIds: string[];
}

const lock = mutation<SimulationsParams, { id: string }>(
  'simulation_lock_due',
  (p) => sql`
    select id from simulations where company_id = ${p.companyId} and id = any(${p.simulationIds}::uuid[])
     order by id for no key update`,
);

// Checks the approval again: an admin might have been deleted during the DNS lookup.
const begin = mutation<SimulationsParams & { now: string }>(
  'simulation_begin',
  (p) => sql`
    update simulations s set status = 'running', blocked_because = null, updated_at = ${p.now}
     where s.company_id = ${p.companyId} and s.id = any(${p.simulationIds}::uuid[]) and s.is_own
       and s.status = 'scheduled' and ${isApproved(p)}`,
);

const block = mutation<SimulationsParams & { now: string; blockedBecause: string }>(
  'simulation_block',
  (p) => sql`
    update simulations set blocked_because = ${p.blockedBecause}, updated_at = ${p.now}
     where company_id = ${p.companyId} and id = any(${p.simulationIds}::uuid[]) and is_own and status = 'scheduled'`,
);

// A running simulation ends at most a day after its window. A simulation that did not start within its window is
// cancelled.
const end = mutation<{ now: string }>(
  'simulation_end',
  (p) => sql`
    update simulations s
       set status = case when s.status = 'running' then 'completed' else 'cancelled' end, blocked_because = null,
           updated_at = ${p.now}
     where s.company_id = ${p.companyId} and s.is_own and s.status in ('scheduled', 'running')
       and s.end_date <= ${p.now}::timestamptz
       and (s.status = 'scheduled' or s.end_date <= ${p.now}::timestamptz - interval '1 day'
            or not exists (
              select from simulation_recipients r
                join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id and not l.inactive
               where r.company_id = ${p.companyId} and r.simulation_id = s.id and r.sent_at is null
                 and r.failed_at is null))`,
);

interface Clock {
  findTexts: FindTexts;
  now: Date;
}

/**
 * Starts and ends a company's simulations on time, and records why simulations are blocked. Must not run in a
 * transaction.
 */
export async function moveSimulations(tenant: TenantWriter, { findTexts, now: at }: Clock): Promise<void> {
  const now = at.toISOString();
  const due = Map.groupBy(await tenant.queryAll(dueToBegin, { now }), ({ isApproved }) => isApproved);
  const [approved, waiting] = [true, false].map((isApproved) => (due.get(isApproved) ?? []).map(({ id }) => id));
  if (waiting!.length > 0) await tenant.mutate(block, { simulationIds: waiting!, blockedBecause: 'approval', now });
  if (approved!.length > 0) await beginProved(tenant, approved!, { findTexts, now: at });
  await tenant.mutate(end, { now });
}

async function beginProved(
  tenant: TenantWriter,
  simulationIds: string[],
  { findTexts, now: at }: Clock,
): Promise<void> {
  const proofs = await lookForProofs(tenant, findTexts, at);
  const now = at.toISOString();
  await tenant.transaction(async (tx) => {
    await tx.mutate(lock, { simulationIds });
    const domains = await recordProofs(tx, proofs);
    if (domains.length > 0) await tx.mutate(begin, { simulationIds, now });
    else await tx.mutate(block, { simulationIds, blockedBecause: 'domain', now });
  });
}
