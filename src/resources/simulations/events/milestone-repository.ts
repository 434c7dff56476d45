import { addInterval } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { Milestones } from './milestone-rules.ts';

interface StoredMilestones extends Milestones {
  learnerId: string;
}

const ofLearners = query<{ simulationId: string; learnerIds: string[] }, StoredMilestones>(
  'simulation_milestones',
  (p) => sql`
    select learner_id as "learnerId", scheduled_at as scheduled, sent_at as sent, opened_at as opened,
           visited_at as visited, compromised_at as compromised, reported_at as reported
      from simulation_recipients
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and learner_id = any(${p.learnerIds}::uuid[])`,
);

/** Finds the milestones of recipients, by learner. */
export async function findMilestones(
  tenant: TenantWriter,
  simulationId: string,
  learnerIds: string[],
): Promise<Map<string, Milestones>> {
  const rows = await tenant.queryAll(ofLearners, { simulationId, learnerIds });
  return new Map(rows.map(({ learnerId, ...milestones }) => [learnerId, milestones]));
}

/** Milestones of a recipient, and whether any of them was revoked. */
export interface DerivedMilestones extends Milestones {
  learnerId: string;
  isTakenBack: boolean;
  /** Reason given for a withdrawal or a correction; null if events revoked the milestone. */
  withdrawnBecause: string | null;
}

interface Columns {
  simulationId: string;
  learnerIds: string[];
  scheduled: (string | null)[];
  sent: (string | null)[];
  opened: (string | null)[];
  visited: (string | null)[];
  compromised: (string | null)[];
  reported: (string | null)[];
  withdrawn: (string | null)[];
  reasons: (string | null)[];
  now: string;
}

const NONE = [null, null];

// An upsert finds each row by its key, regardless of the table's statistics. A join compared thousands of new rows with
// each other. The trigger allows milestones to change only together with `evaluated_at`.
const save = mutation<Columns>(
  'simulation_milestones_save',
  (p) => sql`
    insert into simulation_recipients as r (company_id, simulation_id, learner_id, scheduled_at, sent_at, opened_at,
                                            visited_at, compromised_at, reported_at, withdrawn_at, withdrawn_because,
                                            evaluated_at)
    select ${p.companyId}, ${p.simulationId}, new.*, ${p.now}::timestamptz
      from unnest(${p.learnerIds}::uuid[], ${p.scheduled}::timestamptz[], ${p.sent}::timestamptz[],
                  ${p.opened}::timestamptz[], ${p.visited}::timestamptz[], ${p.compromised}::timestamptz[],
                  ${p.reported}::timestamptz[], ${p.withdrawn}::timestamptz[],
                  ${p.reasons}::text[]) as new
    on conflict (company_id, simulation_id, learner_id) do update
       set scheduled_at = excluded.scheduled_at, sent_at = excluded.sent_at, opened_at = excluded.opened_at,
           visited_at = excluded.visited_at, compromised_at = excluded.compromised_at, reported_at = excluded.reported_at,
           evaluated_at = greatest(excluded.evaluated_at, ${addInterval(sql`r.evaluated_at`, sql`interval '1 millisecond'`)}),
           withdrawn_at = coalesce(excluded.withdrawn_at, r.withdrawn_at),
           withdrawn_because = case when excluded.withdrawn_at is null then r.withdrawn_because
                                    else excluded.withdrawn_because end`,
  {
    scheduled: NONE,
    sent: NONE,
    opened: NONE,
    visited: NONE,
    compromised: NONE,
    reported: NONE,
    withdrawn: NONE,
    reasons: NONE,
  },
);

/** Replaces the milestones of recipients. The caller has locked the simulation. */
export async function saveMilestones(
  tenant: TenantWriter,
  simulationId: string,
  derived: readonly DerivedMilestones[],
): Promise<void> {
  if (derived.length === 0) return;
  const now = new Date().toISOString();
  await tenant.mutate(save, {
    simulationId,
    learnerIds: derived.map(({ learnerId }) => learnerId),
    scheduled: derived.map(({ scheduled }) => scheduled),
    sent: derived.map(({ sent }) => sent),
    opened: derived.map(({ opened }) => opened),
    visited: derived.map(({ visited }) => visited),
    compromised: derived.map(({ compromised }) => compromised),
    reported: derived.map(({ reported }) => reported),
    withdrawn: derived.map(({ isTakenBack }) => (isTakenBack ? now : null)),
    reasons: derived.map(({ withdrawnBecause }) => withdrawnBecause),
    now,
  });
}
