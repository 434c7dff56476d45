import type { Caller } from '../../../auth/caller.ts';
import { asText, literal, type Sql, sql } from '../../../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { type Approver, getApproverId, isNewApproval, MIN_KNOWN_HOURS } from './approval-rules.ts';
import { lockOwnSimulation } from '../own-simulation-repository.ts';

/**
 * Time since when an admin `a` cannot have been replaced by somebody else, and has had the same role: a new e-mail
 * address or invite can let another person in.
 */
const KNOWN_SINCE = sql`greatest(a.created_at, a.invited_at, a.activated_at, a.email_changed_at, a.role_changed_at)`;

/** Part of the lower-case e-mail address before the last @, without a `+` suffix. */
const LOCAL_PART = sql`split_part(regexp_replace(lower(a.email), '@[^@]*$', ''), '+', 1)`;
const DOMAIN = sql`regexp_replace(lower(a.email), '^.*@', '')`;

/**
 * Mailbox that an admin `a` reads. Ignores case and a `+` suffix. For Gmail, also ignores dots and treats its two
 * domains as one; elsewhere, dots and domains distinguish mailboxes.
 */
const MAILBOX = sql`
  case when ${DOMAIN} in ('gmail.com', 'googlemail.com') then replace(${LOCAL_PART}, '.', '') || '@gmail.com'
       else ${LOCAL_PART} || '@' || ${DOMAIN} end`;

/**
 * Builds the condition that a simulation `s` needs no approval, or that two admins with different mailboxes have
 * approved it. An approver counts only as an active admin whose access did not change within a day before the
 * simulation was scheduled.
 */
export const isApproved = (p: Parameters<object>): Sql => sql`
  (not s.needs_approval or 2 <= (
     select count(distinct ${MAILBOX}) from admins a
      where a.company_id = ${p.companyId} and a.id = any(s.approved_by) and a.status = 'active'
        and ${KNOWN_SINCE} <= s.scheduled_at - ${literal(MIN_KNOWN_HOURS)} * interval '1 hour'))`;

interface Approval {
  simulationId: string;
  adminId: string;
}

const approver = pointQuery<Approval, Approver>(
  'simulation_approver',
  (p) => sql`
    select a.id, ${asText(KNOWN_SINCE)} as "knownSince", ${MAILBOX} in (
             select ${MAILBOX} from simulations s join admins a on a.company_id = ${p.companyId} and a.id = any(s.approved_by)
              where s.company_id = ${p.companyId} and s.id = ${p.simulationId} and a.id <> ${p.adminId}) as "sharesMailbox"
      from admins a
     where a.company_id = ${p.companyId} and a.id = ${p.adminId} and a.status = 'active'`,
);

const approve = mutation<Approval>(
  'simulation_approve',
  (p) => sql`
    update simulations set approved_by = approved_by || ${p.adminId}::uuid, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.simulationId} and is_own`,
);

const unblock = mutation<Pick<Approval, 'simulationId'>>(
  'simulation_unblock_approved',
  (p) => sql`
    update simulations s set blocked_because = null
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId} and s.blocked_because = 'approval'
       and ${isApproved(p)}`,
);

/**
 * Records an admin's approval. Must run in a transaction, because it locks the simulation.
 * @throws the errors that the contract documents for the operation
 */
export async function approveScheduled(
  tenant: TenantWriter,
  simulationId: string,
  caller: Pick<Caller, 'actor'>,
): Promise<void> {
  const stored = await lockOwnSimulation(tenant, simulationId);
  const adminId = getApproverId(caller);
  if (!isNewApproval(stored, await tenant.queryOne(approver, { simulationId, adminId }))) return;
  await tenant.mutate(approve, { simulationId, adminId });
  await tenant.mutate(unblock, { simulationId });
}
