import { setImmediate } from 'node:timers/promises';
import type { Schemas } from '../../contract.ts';
import { newIds } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { enrolNewLearners } from '../people/auto-enrolment.ts';
import { findEmailPolicy } from '../people/email-policy.ts';
import { findGroupIds } from '../people/known-groups.ts';
import { lockFreeSeats } from '../people/learner-locks.ts';
import { addMemberships } from '../people/memberships.ts';
import { asStored, judgeNewLearners, type NewLearner, type RefusedLearner } from './learner-rules.ts';

interface AskedKeys {
  emails: string[];
  externalLearnerIds: string[];
}

/** An address, in lower case, or an id that a learner of the company has. */
interface TakenKey {
  email: string | null;
  externalLearnerId: string | null;
  learnerId: string;
}

// One index lookup for each value. LIMIT keeps Postgres from turning it into a join with all learners.
const taken = statement<AskedKeys, TakenKey>(
  'learner_taken',
  (p) => sql`
    select asked.email, null as "externalLearnerId", l.id as "learnerId" from unnest(${p.emails}::text[]) as asked (email)
      cross join lateral (
        select l.id from learners l where l.company_id = ${p.companyId} and l.email_key = asked.email limit 1) as l
    union all
    select null, asked.id, l.id from unnest(${p.externalLearnerIds}::text[]) as asked (id)
      cross join lateral (
        select l.id from learners l where l.company_id = ${p.companyId} and l.external_learner_id = asked.id limit 1) as l`,
);

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
  const takenRows = await tenant.all(taken, {
    emails: learners.map(({ email }) => email.toLowerCase()),
    // With spaces around them, too: release 0.1.0 stored them so.
    externalLearnerIds: inputs.flatMap(({ externalLearnerId: id }) => (id ? [id, id.trim()] : [])),
  });
  const { accepted, refused } = judgeNewLearners(learners, {
    emailPolicy: { ...emailPolicy, freeMail },
    freeSeats,
    knownGroupIds,
    emailHolders: holdersOf('email', takenRows),
    externalIdHolders: holdersOf('externalLearnerId', takenRows),
  });
  // Judging ten thousand takes as long as writing them: between the two, others get their turn.
  await setImmediate();
  if (accepted.length > 0) await insertRows(tenant, accepted);
  return { created: accepted, refused };
}

function holdersOf(key: 'email' | 'externalLearnerId', rows: readonly TakenKey[]): Map<string, string> {
  return new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key].trim(), row.learnerId] as const])));
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
