import { type Sql, sql } from '../../db/sql.ts';
import { change, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';

// Whatever changes many learners, or what belongs to them, locks them first, in the order of their ids: two such calls
// queue, and do not deadlock.
function selectInOrder(p: Parameters<{ learnerIds: string[] }>): Sql {
  return sql`
    select id, inactive from learners where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])
     order by id`;
}

const states = change<{ learnerIds: string[] }, { id: string; inactive: boolean }>(
  'learner_states',
  (p) => sql`${selectInOrder(p)} for no key update`,
);

/** Has nobody else act on the learners, or refer to them, until the transaction ends. */
export const lockLearnersToRemove = change<{ learnerIds: string[] }>(
  'learner_lock_to_remove',
  (p) => sql`${selectInOrder(p)} for update`,
);

/** Of those of the ids that the company has, whether they are inactive; nobody else acts on them until the transaction ends. */
export async function lockLearnerStates(tenant: TenantWriter, learnerIds: string[]): Promise<Map<string, boolean>> {
  return new Map((await tenant.run(states, { learnerIds })).map((row) => [row.id, row.inactive]));
}

const LEARNERS_TO_A_STATEMENT = 1000;

/** Acts on many learners a thousand at a time, in the order of their ids, each thousand locked before. */
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

const freeSeats = change<object, { seats: number | null }>(
  'learner_free_seats',
  () => sql`select lock_free_seats() as seats`,
);

/** How many learners may still become active, null without a limit. Other changes of that number wait until the end. */
export async function lockFreeSeats(tenant: TenantWriter): Promise<number | null> {
  return (await tenant.run(freeSeats, {}))[0]?.seats ?? null;
}
