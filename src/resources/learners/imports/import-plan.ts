// The plan of an import: the effect of each row, judged by the rules of the bulk operations.
//
// Checking and applying an import make the same plan; applying then writes it. Planning locks the company's seats, so
// no other call can take a seat, an e-mail address or an id between planning and writing.
//
// 1. The learner of each row is found by number, then by e-mail address. Rows without a learner are new.
// 2. New rows are judged like those of `createLearners`, the others like those of `updateLearners`, both against the
//    learners before the import. If a new row and a change request the same e-mail address or number, the new row gets
//    it.
// 3. The manager in a row can be a learner in a new row. New ids are therefore generated before the rows are judged. If
//    a manager's new row is rejected, the rows of the manager's reports get a fault and are imported without the
//    manager. Otherwise, one invalid row for a head of department would reject the whole department.
import { newIds } from '../../../db/ids.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { CONSTRAINT_REFUSALS } from '../../../db/database-errors.ts';
import { giveWay, mapInTurns, runInTurns } from '../../../limits/give-way.ts';
import { findEmailPolicy } from '../shared/email-policy.ts';
import { lockLearnersByKeys } from '../shared/learner-keys.ts';
import { lockFreeSeats } from '../shared/learner-locks.ts';
import { findGroupsOfLearners } from '../shared/memberships.ts';
import { findKeyHolders } from '../unique-value-owners.ts';
import { asStored, judgeLearnersInSteps, type NewLearner } from '../learner-rules.ts';
import { type ExistingValues, judgeChangesInSteps, type LearnerChange } from '../learner-update-rules.ts';
import { lockLearnersToChange, listChangedFields } from '../learner-updates.ts';
import type { ImportField, MappedColumn } from './import-fields.ts';
import { findGroupIdsByName } from './import-repository.ts';
import * as rows from './import-rows.ts';

/** A row with its outcome, its faults and its changes. */
export interface PlannedRow {
  number: number;
  fate: 'new' | 'changed' | 'unchanged' | 'rejected' | 'skipped';
  learnerId: string | null;
  faults: rows.Fault[];
  changes: rows.Change[];
}

export interface ImportPlan {
  rows: PlannedRow[];
  created: NewLearner[];
  changed: ExistingValues[];
}

/** A row with its values. Rows with a fault, or without values, are not judged further. */
interface ReadRow {
  number: number;
  values: rows.RowValues;
  /** Field that identifies the learner. */
  own: ImportField;
  /** Id of the existing learner. */
  learnerId?: string;
  newId: string;
  groupIds: string[];
  managerId?: string;
  faults: rows.Fault[];
}

/** Plans an import. @param freeMail domains of free e-mail providers */
export async function planImport(
  tenant: TenantWriter,
  table: { rows: readonly rows.StoredRow[]; mapping: readonly MappedColumn[] },
  freeMail: ReadonlySet<string>,
): Promise<ImportPlan> {
  const freeSeats = await lockFreeSeats(tenant);
  const emailPolicy = { ...(await findEmailPolicy(tenant)), freeMail };
  const read = await readRows(tenant, table);
  const sound = read.filter(({ faults, values }) => faults.length === 0 && hasValues(values));
  const [existing, fresh] = [sound.filter(({ learnerId }) => learnerId), sound.filter(({ learnerId }) => !learnerId)];
  const managerIds = new Set(sound.flatMap(({ managerId }) => managerId ?? []));
  const known = {
    existingGroupIds: new Set(sound.flatMap(({ groupIds }) => groupIds)),
    existingManagerIds: managerIds,
  };

  const newLearners = await mapInTurns(fresh, toNewLearner);
  const holders = await findKeyHolders(tenant, newLearners);
  const facts = { ...known, ...holders, emailPolicy, freeSeats };
  const created = await runInTurns(judgeLearnersInSteps(newLearners, facts));

  const learners = await lockLearnersToChange(tenant, [...new Set(existing.map(({ learnerId }) => learnerId!))]);
  const changes = await mapInTurns(existing, (row) => toChange(row, learners.get(row.learnerId!)));
  const createdKeys = indexKeys(created.accepted);
  const remaining = changes.filter((change) => !judgeAgainstCreated(change, createdKeys));
  const changeFacts = { ...known, ...(await findKeyHolders(tenant, remaining)), emailPolicy };
  const judged = await runInTurns(judgeChangesInSteps(remaining, changeFacts));

  const byNumber = new Map(read.map((row) => [row.number, row]));
  for (const { index, ...refusal } of [...created.refused, ...judged.refused])
    byNumber.get(index)!.faults.push(...rows.toFaults(refusal, byNumber.get(index)!.own));
  for (const change of changes.filter((one) => judgeAgainstCreated(one, createdKeys)))
    byNumber.get(change.index)!.faults.push(...rows.toFaults(judgeAgainstCreated(change, createdKeys)!, 'email'));
  return finish(tenant, read, { created: created.accepted, changed: judged.accepted });
}

/** Reads the rows, and finds their learners, managers and groups. */
async function readRows(
  tenant: TenantWriter,
  { rows: stored, mapping }: { rows: readonly rows.StoredRow[]; mapping: readonly MappedColumn[] },
): Promise<ReadRow[]> {
  const ids = newIds(stored.length);
  const read = await mapInTurns(stored, ({ number, cells }, index): ReadRow => {
    const values = asStored(rows.readValues(cells, mapping));
    const own: ImportField = values.externalLearnerId === undefined ? 'email' : 'externalLearnerId';
    return { number, values, own, newId: ids[index]!, groupIds: [], faults: [] };
  });
  const { findId, keys } = await findLearners(tenant, read);
  await giveWay();
  const groupNames = new Set(read.flatMap(({ values }) => rows.readGroupNames(values)));
  const groups = await findGroupIdsByName(tenant, [...groupNames]);
  const existing = await lockLearnersToChange(tenant, [
    ...new Set(read.flatMap(({ values: { email } }) => (email === undefined ? [] : (findId({ email }) ?? [])))),
  ]);
  const newIdsByKey = new Map<string, string>();
  await mapInTurns(read, (row) => {
    if (!hasValues(row.values)) return;
    const { email, externalLearnerId: number, firstName } = row.values;
    const byNumber = number === undefined ? undefined : findId({ externalLearnerId: number });
    const byEmail = email === undefined ? undefined : findId({ email });
    const learnerId = byNumber ?? byEmail;
    const otherNumber = learnerId === byEmail && existing.get(byEmail ?? '')?.externalLearnerId;
    if (email === undefined && number === undefined) row.faults.push(rows.UNNAMED);
    else if (byNumber === undefined && number !== undefined && otherNumber) row.faults.push(rows.OTHER_PERSON);
    else if (learnerId !== undefined) row.learnerId = learnerId;
    else {
      if (email === undefined) row.faults.push(rows.isRequired('email'));
      if (firstName === undefined) row.faults.push(rows.isRequired('firstName'));
      for (const key of keys(row)) if (!newIdsByKey.has(key)) newIdsByKey.set(key, row.newId);
    }
    row.groupIds = [];
    for (const name of rows.readGroupNames(row.values)) {
      const groupId = groups.get(name.toLowerCase());
      if (groupId !== undefined) row.groupIds.push(groupId);
      else row.faults.push({ field: 'groups', code: 'not_found', message: `Group not found: ${name}.` });
    }
  });
  await mapInTurns(read, (row) => {
    const { manager } = row.values;
    if (manager === undefined) return;
    const key = rows.toManagerKey(manager);
    const managerId = findId(key) ?? newIdsByKey.get(rows.formatKey(key));
    if (managerId !== undefined) row.managerId = managerId;
    else row.faults.push(rows.unknownManager(`Learner not found: ${manager}.`));
  });
  return read;
}

async function findLearners(tenant: TenantWriter, read: readonly ReadRow[]) {
  const lookups = read.flatMap(({ values: { email, externalLearnerId, manager } }) => [
    ...(email === undefined ? [] : [{ email }]),
    ...(externalLearnerId === undefined ? [] : [{ externalLearnerId }]),
    ...(manager === undefined ? [] : [rows.toManagerKey(manager)]),
  ]);
  const storable = lookups.filter((key) => !(key.email ?? key.externalLearnerId!).includes('\0'));
  const { findId } = await lockLearnersByKeys(tenant, storable);
  const keys = ({ values: { email, externalLearnerId } }: ReadRow) => [
    ...(email === undefined ? [] : [rows.formatKey({ email })]),
    ...(externalLearnerId === undefined ? [] : [rows.formatKey({ externalLearnerId })]),
  ];
  return { findId, keys };
}

function hasValues(values: rows.RowValues): boolean {
  return Object.keys(values).length > 0;
}

function toNewLearner({ number, values, newId, groupIds, managerId }: ReadRow): NewLearner {
  const { email = '', firstName = '', lastName = '', ...others } = withoutNames(values);
  const own = { email, firstName, lastName, ...(managerId && { managerId }), ...(groupIds.length > 0 && { groupIds }) };
  return { ...others, ...own, index: number, id: newId };
}

function toChange({ number, values, groupIds, managerId }: ReadRow, learner: LearnerChange['learner']): LearnerChange {
  const own = { ...(managerId && { managerId }), ...(groupIds.length > 0 && { addGroupIds: groupIds }) };
  return { ...withoutNames(values), ...own, index: number, learner };
}

/** Removes the names of the manager and the groups, which are replaced by ids. */
function withoutNames(values: rows.RowValues): Omit<rows.RowValues, 'manager' | 'groups'> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field !== 'manager' && field !== 'groups'));
}

interface CreatedKeys {
  emails: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

function indexKeys(created: readonly NewLearner[]): CreatedKeys {
  return {
    emails: new Set(created.map(({ email }) => email.toLowerCase())),
    numbers: new Set(created.flatMap(({ externalLearnerId }) => externalLearnerId ?? [])),
  };
}

/** Returns the refusal of a change that requests the e-mail address or number of a new row. */
function judgeAgainstCreated({ email, externalLearnerId }: LearnerChange, { emails, numbers }: CreatedKeys) {
  if (email !== undefined && emails.has(email.toLowerCase())) return CONSTRAINT_REFUSALS.learners_email;
  if (externalLearnerId && numbers.has(externalLearnerId)) return CONSTRAINT_REFUSALS.learners_external_learner_id;
  return undefined;
}

const MANAGER_REJECTED = 'The row of the manager is rejected; this row is imported without its manager.';

/** Removes managers whose rows are rejected, and lists the outcome of each row. */
async function finish(
  tenant: TenantWriter,
  read: readonly ReadRow[],
  judged: { created: NewLearner[]; changed: ExistingValues[] },
): Promise<ImportPlan> {
  const rejectedIds = new Set(
    read.filter(({ faults, learnerId }) => faults.length > 0 && !learnerId).map((row) => row.newId),
  );
  const byNumber = new Map(read.map((row) => [row.number, row]));
  const withManager = <T extends { index: number; managerId?: string | null }>(one: T): T => {
    if (!rejectedIds.has(one.managerId ?? '')) return one;
    byNumber.get(one.index)!.faults.push(rows.unknownManager(MANAGER_REJECTED));
    return Object.fromEntries(Object.entries(one).filter(([field]) => field !== 'managerId')) as T;
  };
  const created = await mapInTurns(judged.created, withManager);
  const changed = await mapInTurns(judged.changed, withManager);
  const memberships = await findGroupsOfLearners(
    tenant,
    changed.filter(({ addGroupIds }) => addGroupIds).map(({ learner }) => learner.id),
  );
  const createdIds = new Map(created.map(({ index, id }) => [index, id]));
  const changes = new Map(changed.map((change) => [change.index, change]));
  const planned = await mapInTurns(read, ({ number, values, learnerId = null, faults }): PlannedRow => {
    const newId = createdIds.get(number);
    if (newId !== undefined) return { number, fate: 'new', learnerId: newId, faults, changes: [] };
    const change = changes.get(number);
    if (change === undefined)
      return { number, fate: hasValues(values) ? 'rejected' : 'skipped', learnerId, faults, changes: [] };
    const fields = listChanges(change, memberships.get(change.learner.id) ?? new Set());
    return { number, fate: fields.length > 0 ? 'changed' : 'unchanged', learnerId, faults, changes: fields };
  });
  return { rows: planned, created, changed };
}

function listChanges(change: ExistingValues, groupIds: ReadonlySet<string>): rows.Change[] {
  const added = (change.addGroupIds ?? []).filter((id) => !groupIds.has(id));
  return [...listChangedFields(change), ...[...new Set(added)].map((to) => ({ field: 'groupIds', from: null, to }))];
}
