import type { Caller } from '../../auth/caller.ts';
import { asText, type Sql, sql } from '../../db/sql.ts';
import { change, type Parameters, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type Approver, approverOf, isNewApproval } from './approval-rules.ts';
import { lockOwnSimulation } from './own-simulation-repository.ts';

/**
 * Since when nobody else can be behind an admin `a`. An invite of old may have been sent anew, to another address, and whoever
 * has a key can give an admin another address and sign in by it: the audit log knows.
 * @param since nothing before it matters
 */
const knownSince = (p: Parameters<object>, since: Sql): Sql => sql`
  greatest(a.created_at, a.invited_at, (
    select max(e.occurred_at) from audit_log e
     where e.company_id = ${p.companyId} and e.occurred_at >= ${since} and e.operation = 'updateAdmin'
       and e.outcome = 'done' and 'email' = any(e.fields)
       and e.targets @> jsonb_build_array(
             jsonb_build_object('field', 'adminId', 'ids', jsonb_build_array(a.id::text)))))`;

/**
 * Whether two admins have said yes to a simulation `s`, or none has to. Who is no active admin any more does not count, and
 * whoever came after it was scheduled neither.
 */
export const isApproved = (p: Parameters<object>): Sql => sql`
  (not s.needs_approval or 2 <= (
     select count(*) from admins a
      where a.company_id = ${p.companyId} and a.id = any(s.approved_by) and a.status = 'active'
        and ${knownSince(p, sql`s.scheduled_at`)} <= s.scheduled_at))`;

const approver = statement<{ adminId: string; scheduledAt: string | null }, Approver>(
  'simulation_approver',
  (p) => sql`
    select a.id, ${asText(knownSince(p, sql`${p.scheduledAt}::timestamptz`))} as "knownSince" from admins a
     where a.company_id = ${p.companyId} and a.id = ${p.adminId} and a.status = 'active'`,
);

interface Approval {
  simulationId: string;
  adminId: string;
}

const approve = change<Approval>(
  'simulation_approve',
  (p) => sql`
    update simulations set approved_by = approved_by || ${p.adminId}::uuid, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own`,
);

const unblock = change<Pick<Approval, 'simulationId'>>(
  'simulation_unblock_approved',
  (p) => sql`
    update simulations s set blocked_because = null
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId} and s.blocked_because = 'approval'
       and ${isApproved(p)}`,
);

/**
 * Enters in a transaction that an admin says yes. Nobody cancels or approves the simulation meanwhile.
 * @throws what the operation documents
 */
export async function approveScheduled(
  tenant: TenantWriter,
  simulationId: string,
  caller: Pick<Caller, 'actor'>,
): Promise<void> {
  const stored = await lockOwnSimulation(tenant, simulationId);
  const adminId = approverOf(caller);
  const { scheduledAt } = stored.plan;
  if (!isNewApproval(stored, await tenant.find(approver, { adminId, scheduledAt }))) return;
  await tenant.run(approve, { simulationId, adminId });
  await tenant.run(unblock, { simulationId });
}
