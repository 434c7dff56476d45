import type { Knex } from 'knex';
import { change, type Parameter, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound, requireKnown } from '../../errors.ts';

export interface LearnerListRow {
  id: string;
  email: string;
  external_learner_id: string | null;
  first_name: string;
  last_name: string;
  inactive: boolean;
}

export interface LearnerRow extends LearnerListRow {
  locale: string | null;
  excluded_from_auto_enrol: boolean;
  risk_score: number;
  created_at: string;
  updated_at: string;
  is_manager: boolean;
  groups: { id: string; name: string }[];
  manager: { id: string; name: string; email: string } | null;
}

const LIST_COLUMNS = ['id', 'email', 'external_learner_id', 'first_name', 'last_name', 'inactive'];

const list = statement<object, LearnerListRow>('learner_list', (sql, param) =>
  sql('learners').select(LIST_COLUMNS).where('company_id', param('companyId')).orderBy('id'),
);

export function listLearners(tenant: TenantReader): Rows<LearnerListRow> {
  return tenant.rows(list, {});
}

// A learner's manager: of its groups by name, the first that another learner manages; of those, the eldest.
const byId = statement<{ learnerId: string }, LearnerRow>('learner_by_id', (sql, param) =>
  sql('learners as l')
    .select(LIST_COLUMNS.map((column) => `l.${column}`))
    .select('l.locale', 'l.excluded_from_auto_enrol', 'l.risk_score', 'l.created_at', 'l.updated_at')
    .select(
      sql.raw(`exists (select from group_managers gm
        where gm.company_id = l.company_id and gm.learner_id = l.id) as is_manager`),
      sql.raw(`coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from group_learners gl join groups g on g.company_id = gl.company_id and g.id = gl.group_id
        where gl.company_id = l.company_id and gl.learner_id = l.id), '[]') as groups`),
      sql.raw(`(select json_build_object('id', m.id, 'name', m.first_name || ' ' || m.last_name, 'email', m.email)
        from group_learners gl
        join groups g on g.company_id = gl.company_id and g.id = gl.group_id
        join group_managers gm on gm.company_id = gl.company_id and gm.group_id = gl.group_id
        join learners m on m.company_id = gm.company_id and m.id = gm.learner_id
        where gl.company_id = l.company_id and gl.learner_id = l.id and m.id <> l.id
        order by g.name, m.id limit 1) as manager`),
    )
    .where({ 'l.company_id': param('companyId'), 'l.id': param('learnerId') }),
);

/** @throws not_found */
export async function getLearner(tenant: TenantReader, learnerId: string): Promise<LearnerRow> {
  const row = await tenant.find(byId, { learnerId });
  if (!row) throw notFound('learner');
  return row;
}

const exists = statement<{ learnerId: string }, { id: string }>('learner_exists', (sql, param) =>
  sql('learners')
    .select('id')
    .where({ company_id: param('companyId'), id: param('learnerId') }),
);

/** @throws not_found */
export async function requireLearner(tenant: TenantReader, learnerId: string): Promise<void> {
  if (!(await tenant.find(exists, { learnerId }))) throw notFound('learner');
}

export interface LearnerChanges {
  learnerId: string;
  firstName: string;
  lastName: string;
  /** Undefined leaves a field alone; null clears it. */
  email?: string | undefined;
  locale?: string | undefined;
  excludedFromAutoEnrol?: boolean | undefined;
  externalLearnerId?: string | null | undefined;
}

const update = change<LearnerChanges & { setsExternalLearnerId: boolean }, object>('learner_update', (sql, param) =>
  sql('learners')
    .where({ company_id: param('companyId'), id: param('learnerId') })
    .update({
      first_name: param('firstName'),
      last_name: param('lastName'),
      email: sql.raw('coalesce(?, email)', [param('email')]),
      locale: sql.raw('coalesce(?, locale)', [param('locale')]),
      excluded_from_auto_enrol: sql.raw('coalesce(?, excluded_from_auto_enrol)', [param('excludedFromAutoEnrol')]),
      external_learner_id: sql.raw('case when ? then ? else external_learner_id end', [
        param('setsExternalLearnerId'),
        param('externalLearnerId'),
      ]),
      updated_at: sql.raw('now()'),
    }),
);

export async function updateLearner(tenant: TenantWriter, changes: LearnerChanges): Promise<void> {
  await tenant.run(update, { ...changes, setsExternalLearnerId: changes.externalLearnerId !== undefined });
}

const lock = change<{ learnerId: string }, { id: string }>('learner_lock', (sql, param) =>
  sql('learners')
    .select('id')
    .where({ company_id: param('companyId'), id: param('learnerId') })
    .forNoKeyUpdate(),
);

/** Makes other changes of the learner wait until the transaction ends. @throws not_found */
export async function lockLearner(tenant: TenantWriter, learnerId: string): Promise<void> {
  if ((await tenant.run(lock, { learnerId })).length === 0) throw notFound('learner');
}

const setInactive = change<{ learnerIds: string[]; inactive: boolean }, { id: string }>(
  'learner_set_inactive',
  (sql, param) =>
    sql('learners')
      .where({ company_id: param('companyId') })
      .where(sql.raw('id = any(?::uuid[])', [param('learnerIds')]))
      .where(sql.raw('inactive <> ?', [param('inactive')]))
      .update({ inactive: param('inactive'), updated_at: sql.raw('now()') })
      .returning('id'),
);

/** Returns the ids of those that it changed. */
export async function setLearnersInactive(
  tenant: TenantWriter,
  learnerIds: string[],
  inactive: boolean,
): Promise<string[]> {
  await lockFreeSeats(tenant);
  await lockLearnerStates(tenant, learnerIds);
  return (await tenant.run(setInactive, { learnerIds, inactive })).map((row) => row.id);
}

const remove = change<{ learnerIds: string[] }, { id: string }>('learner_remove', (sql, param) =>
  sql('learners')
    .where({ company_id: param('companyId') })
    .where(sql.raw('id = any(?::uuid[])', [param('learnerIds')]))
    .delete()
    .returning('id'),
);

/** Removes them with their memberships and manager roles; returns how many there were. */
export async function removeLearners(tenant: TenantWriter, learnerIds: string[]): Promise<number> {
  await lockFreeSeats(tenant);
  await tenant.run(lockToRemove, { learnerIds });
  return (await tenant.run(remove, { learnerIds })).length;
}

// Locked in the order of their ids against deletion, so that what is about to refer to them does not fail half-way.
const existing = change<{ learnerIds: string[] }, { id: string }>('learner_existing', (sql, param) =>
  sql('learners')
    .select('id')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('learnerIds')]))
    .orderBy('id')
    .forKeyShare(),
);

/** Those of the ids that the company has; they stay until the transaction ends. */
export async function findLearnerIds(tenant: TenantWriter, learnerIds: string[]): Promise<Set<string>> {
  if (learnerIds.length === 0) return new Set();
  return new Set((await tenant.run(existing, { learnerIds })).map((row) => row.id));
}

/** @throws not_found naming the places of the ids that the company does not have, such as `body/managerIds/2`. */
export async function requireLearners(tenant: TenantWriter, learnerIds: string[], field: string): Promise<void> {
  requireKnown('learner', learnerIds, await findLearnerIds(tenant, learnerIds), field);
}

// Whatever changes many learners, or what belongs to them, locks them first, in the order of their ids: two such calls
// queue, and do not deadlock.
function selectInOrder(sql: Knex, param: Parameter<{ learnerIds: string[] }>): Knex.QueryBuilder {
  return sql('learners')
    .select('id', 'inactive')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('learnerIds')]))
    .orderBy('id');
}

const states = change<{ learnerIds: string[] }, { id: string; inactive: boolean }>('learner_states', (sql, param) =>
  selectInOrder(sql, param).forNoKeyUpdate(),
);

const lockToRemove = change<{ learnerIds: string[] }, object>('learner_lock_to_remove', (sql, param) =>
  selectInOrder(sql, param).forUpdate(),
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

const freeSeats = change<object, { seats: number | null }>('learner_free_seats', (sql) =>
  sql.raw('select lock_free_seats() as seats'),
);

/** How many learners may still become active, null without a limit. Other changes of that number wait until the end. */
export async function lockFreeSeats(tenant: TenantWriter): Promise<number | null> {
  return (await tenant.run(freeSeats, {}))[0]?.seats ?? null;
}
