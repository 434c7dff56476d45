import { type Handler, visibleText } from '../../../contract/contract.ts';
import { VISIBLE } from '../../../contract/validation-messages.ts';
import { ApiError, invalidField } from '../../../contract/errors.ts';
import type { Caller } from '../../../auth/caller.ts';
import { newIds } from '../../../db/ids.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { insertRows } from '../learner-creation.ts';
import { storeChanges } from '../learner-updates.ts';
import { identifiesLearners, type MappedColumn, proposeMapping } from './import-fields.ts';
import { type ImportPlan, type PlannedRow, planImport } from './import-plan.ts';
import * as repository from './import-repository.ts';
import { undoImport } from './undo-import.ts';

export const listLearnerImports: Handler<'listLearnerImports'> = (_input, tenant) => repository.listImports(tenant);

export const getLearnerImport: Handler<'getLearnerImport'> = ({ learnerImportId }, tenant) => {
  return repository.getImport(tenant, learnerImportId);
};

export const listLearnerImportRows: Handler<'listLearnerImportRows'> = async ({ learnerImportId, fate }, tenant) => {
  await repository.getImport(tenant, learnerImportId);
  return repository.listRows(tenant, learnerImportId, fate);
};

/**
 * Creates the handlers that check rows or change learners.
 * @param freeMail domains of free e-mail providers
 */
export function createImportHandlers(freeMail: ReadonlySet<string>) {
  const createLearnerImport: Handler<'createLearnerImport'> = ({ body }, tenant, caller) => {
    const { name = null, columns, rows, mapping = proposeMapping(columns) } = body;
    requireColumns(columns);
    requireMapping(mapping, columns.length);
    return tenant.transaction(async (tx) => {
      const [importId = ''] = newIds(1);
      await repository.insertImport(tx, { importId, name, columns, rows, ...toActor(caller) });
      await check(tx, importId, mapping);
      return repository.getImport(tx, importId);
    });
  };

  const setLearnerImportMapping: Handler<'setLearnerImportMapping'> = ({ learnerImportId, body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { status, columns } = await repository.lockImport(tx, learnerImportId);
      if (status === 'applied' || status === 'undone') throw alreadyApplied();
      requireMapping(body.mapping, columns.length);
      if (!identifiesLearners(body.mapping))
        throw invalidField('body/mapping', 'must have the field `email` or `externalLearnerId`');
      await check(tx, learnerImportId, body.mapping);
      return repository.getImport(tx, learnerImportId);
    });
  };

  const applyLearnerImport: Handler<'applyLearnerImport'> = ({ learnerImportId }, tenant) => {
    return tenant.transaction(async (tx) => {
      const { status, mapping } = await repository.lockImport(tx, learnerImportId);
      if (status === 'undone') throw alreadyApplied();
      if (status === 'draft') throw invalidField('path/learnerImportId', 'must be an import with a mapping');
      if (status === 'checked') await apply(tx, learnerImportId, mapping);
      return repository.getImport(tx, learnerImportId);
    });
  };

  /** Checks all rows of an import. If the mapping does not identify learners, the rows are not checked. */
  async function check(tenant: TenantWriter, importId: string, mapping: readonly MappedColumn[]): Promise<void> {
    const rows = await repository.readCells(tenant, importId);
    const isDraft = !identifiesLearners(mapping);
    const plan = isDraft ? NO_PLAN : await planImport(tenant, { rows, mapping }, freeMail);
    // New learners get different ids when the import is applied.
    const fates = plan.rows.map((row) => (row.fate === 'new' ? { ...row, learnerId: null } : row));
    const counts = countFates(plan.rows, rows.length);
    await repository.storeState(tenant, importId, {
      state: { status: isDraft ? 'draft' : 'checked', mapping, counts },
      fates,
    });
  }

  async function apply(tenant: TenantWriter, importId: string, mapping: readonly MappedColumn[]): Promise<void> {
    const rows = await repository.readCells(tenant, importId);
    const plan = await planImport(tenant, { rows, mapping }, freeMail);
    if (plan.created.length > 0) await insertRows(tenant, plan.created);
    await storeChanges(tenant, plan.changed);
    const counts = countFates(plan.rows, rows.length);
    await repository.storeState(tenant, importId, { state: { status: 'applied', mapping, counts }, fates: plan.rows });
    tenant.addTargets('learnerId', listTouched(plan));
  }

  return { createLearnerImport, setLearnerImportMapping, applyLearnerImport };
}

/**
 * Creates the handler that undoes an import.
 * @param freeMail domains of free e-mail providers
 */
export function createUndoHandler(freeMail: ReadonlySet<string>): Handler<'undoLearnerImport'> {
  return ({ learnerImportId }, tenant) => tenant.transaction((tx) => undoImport(tx, learnerImportId, freeMail));
}

const NO_PLAN: ImportPlan = { rows: [], created: [], changed: [] };

function listTouched({ rows }: ImportPlan): string[] {
  return rows.flatMap(({ fate, learnerId }) =>
    (fate === 'new' || fate === 'changed') && learnerId ? [learnerId] : [],
  );
}

function countFates(planned: readonly PlannedRow[], rows: number): repository.LearnerImport['counts'] {
  const count = (fate: PlannedRow['fate']) => planned.filter((row) => row.fate === fate).length;
  return {
    rows,
    new: count('new'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    rejected: count('rejected'),
    skipped: count('skipped'),
  };
}

const VISIBLE_TEXT = new RegExp(visibleText, 'u');

/** @throws invalid_request for a column name that is not empty but has no visible text */
function requireColumns(columns: readonly string[]): void {
  const invalid = columns.findIndex((name) => name !== '' && !VISIBLE_TEXT.test(name));
  if (invalid >= 0) throw invalidField(`body/columns/${invalid}`, VISIBLE);
}

/** @throws invalid_request for a column or a field that is mapped twice, and for an unknown column */
function requireMapping(mapping: readonly MappedColumn[], columnCount: number): void {
  for (const [index, { column, field }] of mapping.entries()) {
    const path = `body/mapping/${index}`;
    if (column >= columnCount) throw invalidField(`${path}/column`, 'must be a column of the table');
    const earlier = mapping.slice(0, index);
    if (earlier.some((one) => one.column === column)) throw invalidField(`${path}/column`, 'must be mapped only once');
    if (earlier.some((one) => one.field === field)) throw invalidField(`${path}/field`, 'must be mapped only once');
  }
}

function alreadyApplied(): ApiError {
  const message = 'The import was already applied or undone; create another one.';
  return new ApiError('learner_import_applied', message, { details: [{ field: 'path/learnerImportId', message }] });
}

function toActor({ actor, keyId }: Caller): { actorType: string; actorId: string } {
  return actor ? { actorType: actor.type, actorId: actor.id } : { actorType: 'key', actorId: keyId };
}
