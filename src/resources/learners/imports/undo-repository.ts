import type { Schemas } from '../../../contract/contract.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';

type Undo = Schemas['LearnerImportUndo'];

/** A row that created or changed its learner. */
export interface AppliedRow {
  number: number;
  fate: 'new' | 'changed';
  learnerId: string;
  changes: Schemas['LearnerImportChange'][];
  /** Whether a directory manages the learner. */
  isInDirectory: boolean;
}

const applied = query<{ importId: string }, Omit<AppliedRow, 'learnerId'> & { learnerId: string | null }>(
  'learner_import_applied_rows',
  (p) => sql`
    select r.number, r.fate, r.learner_id as "learnerId", r.changes,
           exists (select from directory_learners d
                    where d.company_id = ${p.companyId} and d.learner_id = r.learner_id) as "isInDirectory"
      from learner_import_rows r
     where r.company_id = ${p.companyId} and r.import_id = ${p.importId} and r.fate in ('new', 'changed')
     order by r.number`,
);

/** Reads the rows that created or changed their learners. Rows of deleted learners no longer exist. */
export async function readAppliedRows(tenant: TenantReader, importId: string): Promise<AppliedRow[]> {
  const rows = await tenant.queryAll(applied, { importId });
  return rows.flatMap(({ learnerId, ...row }) => (learnerId === null ? [] : [{ ...row, learnerId }]));
}

/** A new learner about whom something was recorded. */
interface RecordedLearner {
  id: string;
  /** Whether the learner has signed in or acted, for example by starting a course or signing a policy. */
  hasActed: boolean;
}

const rowExists = (p: Parameters<object>, table: Sql, more: Sql = sql`true`): Sql => sql`
  exists (select from ${table} e where e.company_id = ${p.companyId} and e.learner_id = l.id and ${more})`;

// Searches each table by an index, for one learner at a time.
const recorded = query<{ learnerIds: string[] }, RecordedLearner>(
  'learner_import_recorded',
  (p) => sql`
    select l.id, a.acted as "hasActed" from unnest(${p.learnerIds}::uuid[]) as l (id)
     cross join lateral (
       select ${rowExists(p, sql`enrollments`, sql`e.start_date is not null`)}
           or ${rowExists(p, sql`course_result_events`)} or ${rowExists(p, sql`course_progress`)}
           or ${rowExists(p, sql`package_progress`)} or ${rowExists(p, sql`certificates`)}
           or ${rowExists(p, sql`signatures`)}
           or exists (select from sign_ins e where e.company_id = ${p.companyId} and e.person_id = l.id and e.reason is null)
              as acted) as a
     where a.acted or ${rowExists(p, sql`simulation_recipients`)} or ${rowExists(p, sql`membership_periods`)}
        or exists (select from learner_merges e
                    where e.company_id = ${p.companyId} and e.current_learner_id = l.id)`,
);

/** Returns, by id, the learners about whom something was recorded, and whether each has acted. */
export async function findRecorded(tenant: TenantReader, learnerIds: string[]): Promise<Map<string, boolean>> {
  if (learnerIds.length === 0) return new Map();
  return new Map((await tenant.queryAll(recorded, { learnerIds })).map(({ id, hasActed }) => [id, hasActed]));
}

interface OutcomeColumns {
  importId: string;
  numbers: number[];
  outcomes: string[];
  keptFields: string[];
  messages: (string | null)[];
}

const storeOutcomes = mutation<OutcomeColumns>(
  'learner_import_store_outcomes',
  (p) => sql`
    update learner_import_rows r
       set undo_outcome = new.outcome, undo_message = new.message,
           kept_fields = case when new.kept_fields = '' then '{}' else string_to_array(new.kept_fields, ',') end
      from unnest(${p.numbers}::integer[], ${p.outcomes}::text[], ${p.keptFields}::text[], ${p.messages}::text[])
           as new (number, outcome, kept_fields, message)
     where r.company_id = ${p.companyId} and r.import_id = ${p.importId} and r.number = new.number`,
);

const setUndone = mutation<{ importId: string; undo: string }>(
  'learner_import_set_undone',
  (p) => sql`
    update learner_imports set status = 'undone', undone_at = now(), undo = ${p.undo}::jsonb
     where company_id = ${p.companyId} and id = ${p.importId}`,
  { undo: '{}' },
);

/** Outcome of the undo for the learner in a row. */
export interface RowOutcome {
  number: number;
  outcome: 'deactivated' | 'restored' | 'partly_restored' | 'kept';
  keptFields: string[];
  message: string | null;
}

/** Maximum number of rows in a statement, because the driver writes all parameters of a statement at once. */
const ROWS_TO_A_STATEMENT = 1000;

/** Stores the outcome of undoing an import. */
export async function storeUndo(
  tenant: TenantWriter,
  importId: string,
  { undo, outcomes }: { undo: Undo; outcomes: readonly RowOutcome[] },
): Promise<void> {
  for (let start = 0; start < outcomes.length; start += ROWS_TO_A_STATEMENT) {
    const part = outcomes.slice(start, start + ROWS_TO_A_STATEMENT);
    await tenant.mutate(storeOutcomes, {
      importId,
      numbers: part.map(({ number }) => number),
      outcomes: part.map(({ outcome }) => outcome),
      keptFields: part.map(({ keptFields }) => keptFields.join(',')),
      messages: part.map(({ message }) => message),
    });
  }
  await tenant.mutate(setUndone, { importId, undo: JSON.stringify(undo) });
}
