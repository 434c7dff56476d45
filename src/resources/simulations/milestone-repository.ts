import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { Milestones } from './milestone-rules.ts';

interface StoredMilestones extends Milestones {
  learnerId: string;
}

const ofLearners = statement<{ simulationId: string; learnerIds: string[] }, StoredMilestones>(
  'simulation_milestones',
  (p) => sql`
    select learner_id as "learnerId", scheduled_at as scheduled, sent_at as sent, opened_at as opened,
           visited_at as visited, compromised_at as compromised, reported_at as reported
      from simulation_recipients
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and learner_id = any(${p.learnerIds}::uuid[])`,
);

/** The milestones of recipients, by the learner. */
export async function findMilestones(
  tenant: TenantWriter,
  simulationId: string,
  learnerIds: string[],
): Promise<Map<string, Milestones>> {
  const rows = await tenant.all(ofLearners, { simulationId, learnerIds });
  return new Map(rows.map(({ learnerId, ...milestones }) => [learnerId, milestones]));
}

/** The milestones of a recipient, and whether one was taken back. */
export interface DerivedMilestones extends Milestones {
  learnerId: string;
  isTakenBack: boolean;
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
  takenBack: boolean[];
}

const NONE = [null, null];

// The moment in `judged_at` lets the trigger move milestones. Two updates in one moment would be one too few.
const update = change<Columns>(
  'simulation_milestones_update',
  (p) => sql`
    update simulation_recipients r
       set scheduled_at = new.scheduled, sent_at = new.sent, opened_at = new.opened, visited_at = new.visited,
           compromised_at = new.compromised, reported_at = new.reported,
           judged_at = greatest(statement_timestamp(), r.judged_at + interval '1 millisecond'),
           withdrawn_at = case when new.taken_back then statement_timestamp() else r.withdrawn_at end
      from unnest(${p.learnerIds}::uuid[], ${p.scheduled}::timestamptz[], ${p.sent}::timestamptz[],
                  ${p.opened}::timestamptz[], ${p.visited}::timestamptz[], ${p.compromised}::timestamptz[],
                  ${p.reported}::timestamptz[], ${p.takenBack}::boolean[])
        as new (learner_id, scheduled, sent, opened, visited, compromised, reported, taken_back)
     where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId} and r.learner_id = new.learner_id`,
  { scheduled: NONE, sent: NONE, opened: NONE, visited: NONE, compromised: NONE, reported: NONE },
);

/** Replaces the milestones of recipients whose simulation is locked. */
export async function saveMilestones(
  tenant: TenantWriter,
  simulationId: string,
  derived: readonly DerivedMilestones[],
): Promise<void> {
  if (derived.length === 0) return;
  await tenant.run(update, {
    simulationId,
    learnerIds: derived.map(({ learnerId }) => learnerId),
    scheduled: derived.map(({ scheduled }) => scheduled),
    sent: derived.map(({ sent }) => sent),
    opened: derived.map(({ opened }) => opened),
    visited: derived.map(({ visited }) => visited),
    compromised: derived.map(({ compromised }) => compromised),
    reported: derived.map(({ reported }) => reported),
    takenBack: derived.map(({ isTakenBack }) => isTakenBack),
  });
}
