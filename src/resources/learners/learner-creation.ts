import type { Schemas } from '../../contract/contract.ts';
import { newIds } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { runInTurns } from '../../limits/give-way.ts';
import { enrolNewLearners } from './shared/newcomers.ts';
import { findEmailPolicy } from './shared/email-policy.ts';
import { findGroupIds } from './shared/known-groups.ts';
import { withCurrentManagers } from './current-managers.ts';
import { findLearnerIds } from './shared/known-learners.ts';
import { lockFreeSeats } from './shared/learner-locks.ts';
import { addMemberships } from './shared/memberships.ts';
import { findKeyHolders } from './unique-value-owners.ts';
import { toLearnerColumns, insertColumns, type LearnerColumns } from './learner-columns.ts';
import {
  asStored,
  judgeLearnersInSteps,
  listManagerIds,
  type NewLearner,
  type RefusedLearner,
} from './learner-rules.ts';

const insert = mutation<LearnerColumns>('learner_insert', (p) => sql`${insertColumns(p)} returning id`);

/**
 * Creates the learners that the rules accept, and returns the others with the reasons. Locks the company's seats first,
 * so that no other call can take a seat, an e-mail address or an id in the meantime.
 */
export async function insertLearners(
  tenant: TenantWriter,
  inputs: readonly Schemas['CreateLearnerInput'][],
  freeMail: ReadonlySet<string>,
): Promise<{ created: NewLearner[]; refused: RefusedLearner[] }> {
  const ids = newIds(inputs.length);
  const freeSeats = await lockFreeSeats(tenant);
  const sent = inputs.map((input, index) => ({ ...asStored(input), index, id: ids[index]! }));
  const learners = await withCurrentManagers(tenant, sent);
  const emailPolicy = await findEmailPolicy(tenant);
  const existingGroupIds = await findGroupIds(tenant, [...new Set(learners.flatMap(({ groupIds }) => groupIds ?? []))]);
  const holders = await findKeyHolders(tenant, learners);
  const facts = {
    emailPolicy: { ...emailPolicy, freeMail },
    freeSeats,
    existingGroupIds,
    existingManagerIds: await findLearnerIds(tenant, listManagerIds(learners)),
    ...holders,
  };
  const { accepted, refused } = await runInTurns(judgeLearnersInSteps(learners, facts));
  if (accepted.length > 0) await insertRows(tenant, accepted);
  return { created: accepted, refused };
}

/** Writes the accepted learners, with their memberships and enrolments. */
export async function insertRows(tenant: TenantWriter, learners: readonly NewLearner[]): Promise<void> {
  const columns = toLearnerColumns(learners);
  await tenant.mutate(insert, columns);
  const memberships = learners.flatMap(({ id, groupIds = [] }) =>
    groupIds.map((groupId) => ({ groupId, learnerId: id })),
  );
  await addMemberships(tenant, memberships);
  const included = learners.filter(({ excludedFromAutoEnrol }) => excludedFromAutoEnrol !== true);
  await enrolNewLearners(
    tenant,
    included.map(({ id }) => id),
  );
}
