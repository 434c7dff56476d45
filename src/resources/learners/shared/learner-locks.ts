import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';

// Every change to many learners, or to rows that belong to them, locks the learners first, in the order of their ids.
// Two such calls therefore wait for each other instead of deadlocking.
function selectInOrder(p: Parameters<{ learnerIds: string[] }>): Sql {
  return sql`
    select id, inactive from learners where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])
     order by id`;
}

const states = mutation<{ learnerIds: string[] }, { id: string; inactive: boolean }>(
  'learner_states',
  (p) => sql`${selectInOrder(p)} for no key update`,
);

/** Locks learners against every change and every new reference, until the transaction ends. */
export const lockLearnersToRemove = mutation<{ learnerIds: string[] }, { id: string; inactive: boolean }>(
  'learner_lock_to_remove',
  (p) => sql`${selectInOrder(p)} for update`,
);

/** Locks learners. Returns, by id, whether each learner is inactive. Leaves out ids that the company does not have. */
export async function lockLearnerStates(tenant: TenantWriter, learnerIds: string[]): Promise<Map<string, boolean>> {
  return new Map((await tenant.mutate(states, { learnerIds })).map((row) => [row.id, row.inactive]));
}

/**
 * Maximum number of learners in a statement. With 1,000 learners, requesting 20 signatures each exceeded the statement
 * timeout of 12 s on two busy cores (2026-11-28).
 */
const LEARNERS_TO_A_STATEMENT = 250;

/** Locks learners and runs an action for them, 250 at a time, in the order of their ids. */
export async function inOrder(
  tenant: TenantWriter,
  learnerIds: readonly string[],
  act: (learnerIds: string[]) => Promise<unknown>,
): Promise<void> {
  const ordered = learnerIds.toSorted();
  for (let start = 0; start < ordered.length; start += LEARNERS_TO_A_STATEMENT) {
    const part = ordered.slice(start, start + LEARNERS_TO_A_STATEMENT);
    await lockLearnerStates(tenant, part);
    await act(part);
  }
}

// The update changes nothing, but locks the row if it exists already.
const freeSeats = mutation<object, { seats: number | null }>(
  'learner_free_seats',
  (p) => sql`
    with locked as (
      insert into company_seats (company_id, active) values (${p.companyId}, 0)
      on conflict (company_id) do update set active = company_seats.active
      returning active
    )
    select k.learner_limit - locked.active as seats from locked, companies k where k.id = ${p.companyId}`,
);

/**
 * Returns how many more learners can be active; null if the company has no limit. Locks the number of active learners
 * until the transaction ends.
 */
export async function lockFreeSeats(tenant: TenantWriter): Promise<number | null> {
  return (await tenant.mutate(freeSeats, {}))[0]?.seats ?? null;
}
