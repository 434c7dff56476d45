import type { Schemas } from '../../../contract/contract.ts';
import { requireFound } from '../../../contract/errors.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { mapInTurns } from '../../../limits/give-way.ts';
import type { MappedColumn } from './import-fields.ts';
import type { StoredRow } from './import-rows.ts';

export type LearnerImport = Schemas['LearnerImport'];
type Row = Schemas['LearnerImportRow'];

const IMPORT = sql`
  i.id, i.name, i.status, i.columns, i.mapping, i.counts, i.actor_type as "actorType", i.actor_id as "actorId",
  i.stored_at as "createdAt", i.applied_at as "appliedAt", i.applied_at + interval '24 hours' as "undoableUntil",
  i.undone_at as "undoneAt", i.undo`;

const list = pagedQuery<object, LearnerImport>(
  'learner_imports',
  { id: 'uuid desc' },
  (p) => sql`select ${IMPORT} from learner_imports i where i.company_id = ${p.companyId}`,
);

/** Lists imports, newest first. */
export function listImports(tenant: TenantReader) {
  return tenant.stream(list, {});
}

const byId = pointQuery<{ importId: string }, LearnerImport>(
  'learner_import_by_id',
  (p) => sql`select ${IMPORT} from learner_imports i where i.company_id = ${p.companyId} and i.id = ${p.importId}`,
);

/** @throws not_found */
export async function getImport(tenant: TenantReader, importId: string): Promise<LearnerImport> {
  return requireFound(await tenant.queryOne(byId, { importId }), 'learner import');
}

const lock = mutation<{ importId: string }, LearnerImport & { isExpired: boolean }>(
  'learner_import_lock',
  (p) => sql`
    select ${IMPORT}, coalesce(i.applied_at + interval '24 hours' <= now(), false) as "isExpired"
      from learner_imports i where i.company_id = ${p.companyId} and i.id = ${p.importId} for update`,
);

/** Locks an import. @throws not_found */
export async function lockImport(
  tenant: TenantWriter,
  importId: string,
): Promise<LearnerImport & { isExpired: boolean }> {
  return requireFound((await tenant.mutate(lock, { importId }))[0], 'learner import');
}

interface NewImport {
  importId: string;
  name: string | null;
  columns: readonly string[];
  actorType: string;
  actorId: string;
}

const insert = mutation<NewImport>(
  'learner_import_insert',
  (p) => sql`
    insert into learner_imports (company_id, id, name, columns, actor_type, actor_id)
    values (${p.companyId}, ${p.importId}, ${p.name}, ${p.columns}::text[], ${p.actorType}, ${p.actorId})`,
);

interface RowColumns {
  importId: string;
  numbers: number[];
  cells: string[];
}

const insertCells = mutation<RowColumns>(
  'learner_import_insert_rows',
  (p) => sql`
    insert into learner_import_rows (company_id, import_id, number, cells)
    select ${p.companyId}, ${p.importId}, number, cells
      from unnest(${p.numbers}::integer[], ${p.cells}::jsonb[]) as new (number, cells)
    on conflict do nothing`,
  { cells: [] },
);

const removeDrafts = mutation<{ keep: number }>(
  'learner_import_remove_drafts',
  (p) => sql`
    delete from learner_imports
     where company_id = ${p.companyId} and id = any(array(
       select i.id from learner_imports i
        where i.company_id = ${p.companyId} and i.status in ('draft', 'checked')
        order by i.id desc offset ${p.keep}))`,
);

/** Number of unapplied imports that a company keeps. */
const MAX_DRAFTS = 10;

/**
 * Maximum number of rows in a statement. The driver writes all parameters of a statement at once: those of 10,000 rows
 * take 60 ms.
 */
const ROWS_TO_A_STATEMENT = 1000;

/** Stores an import with its rows. Deletes all but the ten newest unapplied imports. */
export async function insertImport(
  tenant: TenantWriter,
  { rows, ...own }: NewImport & { rows: readonly (readonly string[])[] },
): Promise<void> {
  await tenant.mutate(insert, own);
  const cells = await mapInTurns(rows, (row) => JSON.stringify(row));
  const numbers = rows.map((_, index) => index + 1);
  for (let start = 0, end = ROWS_TO_A_STATEMENT; start < rows.length; start = end, end += ROWS_TO_A_STATEMENT) {
    const part = { numbers: numbers.slice(start, end), cells: cells.slice(start, end) };
    await tenant.mutate(insertCells, { importId: own.importId, ...part });
  }
  await tenant.mutate(removeDrafts, { keep: MAX_DRAFTS });
}

const rowCells = query<{ importId: string }, StoredRow>(
  'learner_import_cells',
  (p) => sql`
    select number, cells from learner_import_rows
     where company_id = ${p.companyId} and import_id = ${p.importId} order by number`,
);

/** Reads the cells of all rows of an import. */
export function readCells(tenant: TenantReader, importId: string): Promise<StoredRow[]> {
  return tenant.queryAll(rowCells, { importId });
}

const ROW = sql`
  r.number, r.fate, r.learner_id as "learnerId", r.cells, r.faults, r.changes,
  case when r.undo_outcome is not null then jsonb_build_object(
    'outcome', r.undo_outcome, 'keptFields', to_jsonb(r.kept_fields), 'message', r.undo_message) end as undo`;

const isOfImport = (p: Parameters<{ importId: string }>): Sql => sql`
  r.company_id = ${p.companyId} and r.import_id = ${p.importId}`;

const rowList = pagedQuery<{ importId: string }, Row>(
  'learner_import_rows',
  { number: 'integer' },
  (p) => sql`select ${ROW} from learner_import_rows r where ${isOfImport(p)}`,
);

const rowListOfFate = pagedQuery<{ importId: string; fate: string }, Row>(
  'learner_import_rows_of_fate',
  { number: 'integer' },
  (p) => sql`select ${ROW} from learner_import_rows r where ${isOfImport(p)} and r.fate = ${p.fate}`,
  { fate: 'unchecked' },
);

/** Lists the rows of an import in the order of the file. */
export function listRows(tenant: TenantReader, importId: string, fate: string | undefined) {
  return fate === undefined ? tenant.stream(rowList, { importId }) : tenant.stream(rowListOfFate, { importId, fate });
}

interface Fates {
  importId: string;
  numbers: number[];
  fates: string[];
  learnerIds: (string | null)[];
  faults: string[];
  changes: string[];
}

const storeFates = mutation<Fates>(
  'learner_import_store_fates',
  (p) => sql`
    update learner_import_rows r
       set fate = new.fate, learner_id = new.learner_id, faults = new.faults, changes = new.changes
      from unnest(${p.numbers}::integer[], ${p.fates}::text[], ${p.learnerIds}::uuid[], ${p.faults}::jsonb[],
                  ${p.changes}::jsonb[]) as new (number, fate, learner_id, faults, changes)
     where r.company_id = ${p.companyId} and r.import_id = ${p.importId} and r.number = new.number`,
  { faults: [], changes: [] },
);

const setState = mutation<{ importId: string; status: string; mapping: string; counts: string }>(
  'learner_import_set_state',
  (p) => sql`
    update learner_imports set status = ${p.status}, mapping = ${p.mapping}::jsonb, counts = ${p.counts}::jsonb
     where company_id = ${p.companyId} and id = ${p.importId}`,
  { status: 'checked', mapping: '[]', counts: '{}' },
);

const setApplied = mutation<{ importId: string }>(
  'learner_import_set_applied',
  (p) => sql`
    update learner_imports set applied_at = now() where company_id = ${p.companyId} and id = ${p.importId}`,
);

/** A row with its outcome. */
export interface RowFate {
  number: number;
  fate: string;
  learnerId: string | null;
  faults: readonly object[];
  changes: readonly object[];
}

export interface ImportState {
  status: 'draft' | 'checked' | 'applied';
  mapping: readonly MappedColumn[];
  counts: LearnerImport['counts'];
}

/** Stores the state of an import, and the outcomes of its rows. */
export async function storeState(
  tenant: TenantWriter,
  importId: string,
  { state, fates }: { state: ImportState; fates: readonly RowFate[] },
): Promise<void> {
  const { status, mapping, counts } = state;
  for (let start = 0; start < fates.length; start += ROWS_TO_A_STATEMENT) {
    const part = fates.slice(start, start + ROWS_TO_A_STATEMENT);
    await tenant.mutate(storeFates, {
      importId,
      numbers: part.map(({ number }) => number),
      fates: part.map(({ fate }) => fate),
      learnerIds: part.map(({ learnerId }) => learnerId),
      faults: part.map(({ faults }) => JSON.stringify(faults)),
      changes: part.map(({ changes }) => JSON.stringify(changes)),
    });
  }
  await tenant.mutate(setState, {
    importId,
    status,
    mapping: JSON.stringify(mapping),
    counts: JSON.stringify(counts),
  });
  if (status === 'applied') await tenant.mutate(setApplied, { importId });
}

const groupNames = query<object, { id: string; name: string }>(
  'learner_import_groups',
  (p) => sql`select g.id, g.name from groups g where g.company_id = ${p.companyId}`,
);

/**
 * Returns the ids of groups by their lower-case names. Reads all groups, because row-level security keeps Postgres from
 * using an index on `lower(name)`, and companies have few groups.
 */
export async function findGroupIdsByName(tenant: TenantReader, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  return new Map((await tenant.queryAll(groupNames, {})).map(({ id, name }) => [name.toLowerCase(), id]));
}
