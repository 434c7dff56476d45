import { setImmediate } from 'node:timers/promises';
import type { Schemas } from '../../contract.ts';
import { newIds } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { enrolNewLearners } from '../people/auto-enrolment.ts';
import { findEmailPolicy } from '../people/email-policy.ts';
import { findGroupIds } from '../people/known-groups.ts';
import { lockFreeSeats } from '../people/learner-locks.ts';
import { addMemberships } from '../people/memberships.ts';
import { findKeyHolders } from './key-holders.ts';
import { asStored, judgeNewLearners, type NewLearner, type RefusedLearner } from './learner-rules.ts';

/** New learners as arrays, one for each column. */
interface NewColumns {
  ids: string[];
  emails: string[];
  firstNames: string[];
  lastNames: string[];
  externalLearnerIds: (string | null)[];
  locales: (string | null)[];
  excluded: boolean[];
}

const insert = change<NewColumns>(
  'learner_insert',
  (p) => sql`
    insert into learners (company_id, id, email, email_key, first_name, last_name, external_learner_id, locale,
                          excluded_from_auto_enrol)
    select ${p.companyId}, id, email, lower(email), first_name, last_name, external_learner_id, locale, excluded
      from unnest(${p.ids}::uuid[], ${p.emails}::text[], ${p.firstNames}::text[], ${p.lastNames}::text[],
                  ${p.externalLearnerIds}::text[], ${p.locales}::text[], ${p.excluded}::boolean[])
        as new (id, email, first_name, last_name, external_learner_id, locale, excluded)
    returning id`,
);

/**
 * Creates the learners that the rules accept, and returns the others with the reason. The row of the company is locked
 * first, so that no other call can take a seat, an address or an id in between.
 */
export async function insertLearners(
  tenant: TenantWriter,
  inputs: readonly Schemas['CreateLearnerInput'][],
  freeMail: ReadonlySet<string>,
): Promise<{ created: NewLearner[]; refused: RefusedLearner[] }> {
  const ids = newIds(inputs.length);
  const learners = inputs.map((input, index) => ({ ...asStored(input), index, id: ids[index]! }));
  const freeSeats = await lockFreeSeats(tenant);
  const emailPolicy = await findEmailPolicy(tenant);
  const knownGroupIds = await findGroupIds(tenant, [...new Set(learners.flatMap(({ groupIds }) => groupIds ?? []))]);
  const holders = await findKeyHolders(tenant, inputs);
  const { accepted, refused } = judgeNewLearners(learners, {
    emailPolicy: { ...emailPolicy, freeMail },
    freeSeats,
    knownGroupIds,
    ...holders,
  });
  // Judging ten thousand takes as long as writing them: between the two, others get their turn.
  await setImmediate();
  if (accepted.length > 0) await insertRows(tenant, accepted);
  return { created: accepted, refused };
}

async function insertRows(tenant: TenantWriter, learners: readonly NewLearner[]): Promise<void> {
  const ids = learners.map((learner) => learner.id);
  await tenant.run(insert, {
    ids,
    emails: learners.map((learner) => learner.email),
    firstNames: learners.map((learner) => learner.firstName),
    lastNames: learners.map((learner) => learner.lastName),
    externalLearnerIds: learners.map((learner) => learner.externalLearnerId ?? null),
    locales: learners.map((learner) => learner.locale ?? null),
    excluded: learners.map((learner) => learner.excludedFromAutoEnrol ?? false),
  });
  const memberships = learners.flatMap(({ id, groupIds = [] }) =>
    groupIds.map((groupId) => ({ groupId, learnerId: id })),
  );
  await addMemberships(tenant, memberships);
  await enrolNewLearners(tenant, ids);
}
