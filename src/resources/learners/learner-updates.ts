import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueLearnerAddressNotices } from '../../mail/outbox/outbox.ts';
import { giveWay, mapInTurns, runInTurns } from '../../limits/give-way.ts';
import { findEmailPolicy } from './shared/email-policy.ts';
import { findGroupIds } from './shared/known-groups.ts';
import { withCurrentManagers } from './current-managers.ts';
import { findLearnerIds } from './shared/known-learners.ts';
import { findLearnersByKeys } from './shared/learner-keys.ts';
import { lockFreeSeats } from './shared/learner-locks.ts';
import { addMemberships, findGroupsOfLearners, type Membership, removeMemberships } from './shared/memberships.ts';
import { findKeyHolders } from './unique-value-owners.ts';
import { toLearnerColumns, insertColumns, type LearnerColumns } from './learner-columns.ts';
import { asStored, GROUP_LISTS, listManagerIds } from './learner-rules.ts';
import {
  givingUp,
  judgeChangesInSteps,
  type ExistingValues,
  type LearnerChange,
  type RefusedChange,
  type StoredLearner,
} from './learner-update-rules.ts';

type Item = Schemas['LearnerUpdateItem'];

// Changing an e-mail address locks the row like a deletion, because the address is part of a unique index. Locks all
// rows at once, in id order.
const lock = mutation<{ learnerIds: string[] }, StoredLearner>(
  'learner_lock_to_change',
  (p) => sql`
    select id, email, first_name as "firstName", last_name as "lastName", external_learner_id as "externalLearnerId",
           locale, department, job_title as "jobTitle", country, location, time_zone as "timeZone",
           manager_id as "managerId", absent_until::text as "absentUntil",
           excluded_from_auto_enrol as "excludedFromAutoEnrol"
      from learners where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])
     order by id for update`,
);

// Unique indexes are checked row by row. The learner's id serves as an interim e-mail address, because no real address
// can equal an id.
const giveUpEmails = mutation<{ learnerIds: string[] }>(
  'learner_give_up_emails',
  (p) => sql`
    update learners set email = id::text where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])`,
);
const giveUpExternalIds = mutation<{ learnerIds: string[] }>(
  'learner_give_up_external_ids',
  (p) => sql`
    update learners set external_learner_id = null
     where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])`,
);

/**
 * Maximum number of learners in a statement. Changing the leave of 10,000 learners with 80,000 open assignments in one
 * statement exceeded the statement timeout of 12 s on two busy cores (2026-11-29).
 */
const LEARNERS_TO_A_STATEMENT = 1000;

// The rows exist and are locked. An upsert finds each row by its key, even with outdated statistics.
const store = mutation<LearnerColumns>(
  'learner_store',
  (p) => sql`
    ${insertColumns(p)}
    on conflict (company_id, id) do update
       set email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
           external_learner_id = excluded.external_learner_id, locale = excluded.locale,
           department = excluded.department, job_title = excluded.job_title, country = excluded.country,
           location = excluded.location, time_zone = excluded.time_zone,
           manager_id = excluded.manager_id, absent_until = excluded.absent_until,
           excluded_from_auto_enrol = excluded.excluded_from_auto_enrol, updated_at = excluded.updated_at`,
);

/**
 * Changes the learners of the items that the rules accept, and returns the others with the reasons. Locks the company's
 * seats first, so that no other call can take an e-mail address or an id in the meantime.
 * @returns the accepted changes, and whether each changed its learner
 */
export async function changeLearners(
  tenant: TenantWriter,
  items: readonly Item[],
  freeMail: ReadonlySet<string>,
): Promise<{ accepted: (ExistingValues & { changed: boolean })[]; refused: RefusedChange[] }> {
  await lockFreeSeats(tenant);
  const changes = await withCurrentManagers(tenant, await findLearners(tenant, items));
  const groupIds = [...new Set(changes.flatMap((item) => GROUP_LISTS.flatMap((list) => item[list] ?? [])))];
  const facts = {
    emailPolicy: { ...(await findEmailPolicy(tenant)), freeMail },
    existingGroupIds: await findGroupIds(tenant, groupIds),
    existingManagerIds: await findLearnerIds(tenant, listManagerIds(changes)),
    ...(await findKeyHolders(tenant, changes)),
  };
  const { accepted, refused } = await runInTurns(judgeChangesInSteps(changes, facts));
  const changedIds = await storeChanges(tenant, accepted);
  return { accepted: accepted.map((one) => ({ ...one, changed: changedIds.has(one.learner.id) })), refused };
}

/** Writes the accepted changes. Returns the ids of the learners who were changed. */
export async function storeChanges(tenant: TenantWriter, accepted: readonly ExistingValues[]): Promise<Set<string>> {
  const stored = await storeFields(tenant, accepted);
  const moved = await storeGroups(tenant, accepted);
  return new Set([...stored, ...moved]);
}

/** Locks learners and returns them by id. */
export async function lockLearnersToChange(
  tenant: TenantWriter,
  learnerIds: string[],
): Promise<Map<string, StoredLearner>> {
  if (learnerIds.length === 0) return new Map();
  return new Map((await tenant.mutate(lock, { learnerIds })).map((learner) => [learner.id, learner]));
}

async function findLearners(tenant: TenantWriter, items: readonly Item[]): Promise<LearnerChange[]> {
  const findLearnerId = await findLearnersByKeys(
    tenant,
    items.map(({ learner }) => learner),
  );
  const ids = items.map(({ learner }) => findLearnerId(learner));
  const learnerIds = [...new Set(ids.filter((id) => id !== undefined))];
  const learners = await lockLearnersToChange(tenant, learnerIds);
  return mapInTurns(items, (item, index) => ({ ...asStored(item), index, learner: learners.get(ids[index] ?? '') }));
}

/** Writes the fields other than groups. Returns the ids of the learners who were changed. */
async function storeFields(tenant: TenantWriter, changes: readonly ExistingValues[]): Promise<Set<string>> {
  await giveWay();
  const { emails, externalIds } = givingUp(changes);
  if (emails.length > 0) await tenant.mutate(giveUpEmails, { learnerIds: emails });
  if (externalIds.length > 0) await tenant.mutate(giveUpExternalIds, { learnerIds: externalIds });
  const next = await mapInTurns(changes, ({ learner, ...changedFields }) => {
    const changed = withChanges(learner, changedFields);
    return FIELDS.some((field) => changed[field] !== learner[field]) ? [changed] : [];
  });
  const learners = next.flat();
  const ordered = learners.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (let start = 0; start < ordered.length; start += LEARNERS_TO_A_STATEMENT) {
    await tenant.mutate(store, toLearnerColumns(ordered.slice(start, start + LEARNERS_TO_A_STATEMENT)));
  }
  await reportFormerAddresses(tenant, changes);
  return new Set(learners.map(({ id }) => id));
}

/** Fields that an item can change, except groups. */
const FIELDS = [
  ...(['email', 'firstName', 'lastName', 'externalLearnerId', 'locale', 'excludedFromAutoEnrol'] as const),
  ...(['department', 'jobTitle', 'country', 'location', 'timeZone', 'managerId', 'absentUntil'] as const),
];

function withChanges(learner: StoredLearner, changes: Omit<LearnerChange, 'learner'>): StoredLearner {
  const given = FIELDS.filter((field) => changes[field] !== undefined).map((field) => [field, changes[field]]);
  return { ...learner, ...Object.fromEntries(given) } as StoredLearner;
}

/** Lists the fields of a learner, except groups, whose values a change would modify. */
export function listChangedFields({
  learner,
  ...changes
}: ExistingValues): { field: (typeof FIELDS)[number]; from: string | null; to: string | null }[] {
  const next = withChanges(learner, changes);
  const toText = (value: string | boolean | null) => (value === null ? null : String(value));
  return FIELDS.filter((field) => next[field] !== learner[field]).map((field) => {
    return { field, from: toText(learner[field]), to: toText(next[field]) };
  });
}

/** Sends notices of changed e-mail addresses to the former addresses. */
async function reportFormerAddresses(tenant: TenantWriter, changes: readonly ExistingValues[]): Promise<void> {
  const moved = changes.filter(({ email, learner }) => email && email.toLowerCase() !== learner.email.toLowerCase());
  const learnerIds = moved.map(({ learner }) => learner.id);
  await queueLearnerAddressNotices(tenant, { learnerIds, formerAddresses: moved.map(({ learner }) => learner.email) });
}

/** Writes the groups. Returns the ids of the learners whose groups were changed. */
async function storeGroups(tenant: TenantWriter, changes: readonly ExistingValues[]): Promise<Set<string>> {
  const moving = changes.filter((change) => GROUP_LISTS.some((list) => change[list]));
  const current = await findGroupsOfLearners(
    tenant,
    moving.map(({ learner }) => learner.id),
  );
  const [added, removed]: [Membership[], Membership[]] = [[], []];
  for (const { learner, groupIds, addGroupIds = [], removeGroupIds = [] } of moving) {
    const before = current.get(learner.id) ?? new Set();
    const after = new Set([...(groupIds ?? before), ...addGroupIds]);
    removeGroupIds.forEach((groupId) => after.delete(groupId));
    for (const groupId of after) if (!before.has(groupId)) added.push({ groupId, learnerId: learner.id });
    for (const groupId of before) if (!after.has(groupId)) removed.push({ groupId, learnerId: learner.id });
  }
  await removeMemberships(tenant, removed);
  await addMemberships(tenant, added);
  return new Set([...added, ...removed].map(({ learnerId }) => learnerId));
}
