import { ApiError } from '../../../contract/errors.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { mapInTurns } from '../../../limits/give-way.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { lockFreeSeats } from '../shared/learner-locks.ts';
import { removeLearners, setLearnersInactive } from '../learner-repository.ts';
import type { StoredLearner } from '../learner-update-rules.ts';
import { changeLearners, lockLearnersToChange } from '../learner-updates.ts';
import { getImport, type LearnerImport, lockImport } from './import-repository.ts';
import { type AppliedRow, findRecorded, readAppliedRows, type RowOutcome, storeUndo } from './undo-repository.ts';

const IN_DIRECTORY = 'A directory manages the learner.';
const HAS_ACTED = 'The learner has signed in or acted since the import.';
const CHANGED_SINCE = 'The value was changed after the import.';

/** Undoes an import in the caller's transaction. Does nothing if the import has already been undone. */
export async function undoImport(
  tenant: TenantWriter,
  importId: string,
  freeMail: ReadonlySet<string>,
): Promise<LearnerImport> {
  // Acquires the locks in the same order as applying an import.
  const { status, isExpired } = await lockImport(tenant, importId);
  if (status === 'undone') return getImport(tenant, importId);
  if (status !== 'applied') throw notUndoable('The import was not applied.');
  if (isExpired) throw notUndoable('The import was applied more than 24 hours ago.');
  await lockFreeSeats(tenant);
  const rows = await readAppliedRows(tenant, importId);
  const learners = await lockLearnersToChange(tenant, [...new Set(rows.map(({ learnerId }) => learnerId))].toSorted());
  tenant.addTargets('learnerId', [...learners.keys()]);
  const restored = await restoreLearners(
    tenant,
    rows.filter(({ fate }) => fate === 'changed'),
    { learners, freeMail },
  );
  const { outcomes, deleted } = await removeNewLearners(
    tenant,
    rows.filter(({ fate }) => fate === 'new'),
  );
  const all = [...restored, ...outcomes];
  const count = (outcome: RowOutcome['outcome']) => all.filter((one) => one.outcome === outcome).length;
  const undo = {
    deleted,
    deactivated: count('deactivated'),
    restored: count('restored'),
    partlyRestored: count('partly_restored'),
    kept: count('kept'),
  };
  await storeUndo(tenant, importId, { undo, outcomes: all });
  return getImport(tenant, importId);
}

function notUndoable(message: string): ApiError {
  const details = [{ field: 'path/learnerImportId', message }];
  return new ApiError('learner_import_not_undoable', message, { details });
}

/** Deletes the new learners. Keeps those who have acted, and deactivates others about whom something was recorded. */
async function removeNewLearners(
  tenant: TenantWriter,
  rows: readonly AppliedRow[],
): Promise<{ outcomes: RowOutcome[]; deleted: number }> {
  const own = rows.filter(({ isInDirectory }) => !isInDirectory);
  const recorded = await findRecorded(
    tenant,
    own.map(({ learnerId }) => learnerId),
  );
  const unused = own.map(({ learnerId }) => learnerId).filter((id) => !recorded.has(id));
  const passive = [...recorded].filter(([, hasActed]) => !hasActed).map(([id]) => id);
  if (passive.length > 0) await setLearnersInactive(tenant, passive, true);
  if (unused.length > 0) await removeLearners(tenant, unused);
  const outcomes = rows.flatMap(({ number, learnerId, isInDirectory }): RowOutcome[] => {
    if (isInDirectory) return [{ number, outcome: 'kept', keptFields: [], message: IN_DIRECTORY }];
    if (!recorded.has(learnerId)) return [];
    if (recorded.get(learnerId)) return [{ number, outcome: 'kept', keptFields: [], message: HAS_ACTED }];
    return [{ number, outcome: 'deactivated', keptFields: [], message: null }];
  });
  return { outcomes, deleted: unused.length };
}

interface Restoring {
  learners: ReadonlyMap<string, StoredLearner>;
  freeMail: ReadonlySet<string>;
}

/** Restores the former values of the changed fields, by the rules of bulk changes. */
async function restoreLearners(
  tenant: TenantWriter,
  rows: readonly AppliedRow[],
  { learners, freeMail }: Restoring,
): Promise<RowOutcome[]> {
  const plans = await mapInTurns(rows, (row) => ({ row, ...planRestoration(row, learners.get(row.learnerId)) }));
  const restorable = plans.filter(({ item }) => Object.keys(item).length > 1);
  const { refused } = await changeLearners(
    tenant,
    restorable.map(({ item }) => item),
    freeMail,
  );
  const refusals = new Map(refused.map(({ index, message }) => [restorable[index]!.row.number, message]));
  return mapInTurns(plans, ({ row, item, kept }): RowOutcome => {
    const { number, isInDirectory, changes } = row;
    const refusal = refusals.get(number);
    const isKept = refusal !== undefined || Object.keys(item).length === 1;
    const keptFields = [...new Set(isKept ? changes.map(({ field }) => field) : kept)];
    const message = refusal ?? (isInDirectory ? IN_DIRECTORY : keptFields.length > 0 ? CHANGED_SINCE : null);
    return { number, outcome: isKept ? 'kept' : kept.length > 0 ? 'partly_restored' : 'restored', keptFields, message };
  });
}

type Item = Schemas['LearnerUpdateItem'];

/** Plans the change that reverts a row. Lists the fields that no longer have the value from the import. */
function planRestoration(
  { learnerId, changes, isInDirectory }: AppliedRow,
  learner: StoredLearner | undefined,
): { item: Item; kept: string[] } {
  const item: Item = { learner: { id: learnerId } };
  if (isInDirectory || !learner) return { item, kept: changes.map(({ field }) => field) };
  const groupIds = changes.flatMap(({ field, to }) => (field === 'groupIds' && to !== null ? [to] : []));
  const fields = changes.filter(({ field }) => field !== 'groupIds');
  const same = fields.filter(({ field, to }) => learner[field as keyof StoredLearner] === to);
  const former = Object.fromEntries(same.map(({ field, from }) => [field, from])) as Partial<Item>;
  return {
    item: { ...item, ...former, ...(groupIds.length > 0 && { removeGroupIds: groupIds }) },
    kept: fields.filter((one) => !same.includes(one)).map(({ field }) => field),
  };
}
