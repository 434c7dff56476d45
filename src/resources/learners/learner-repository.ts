import type { Schemas } from '../../contract/contract.ts';
import { fullName } from '../../db/expressions.ts';
import { list, literal, type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { queueLearnerAddressNotices } from '../../mail/outbox/outbox.ts';
import { lockFreeSeats, lockLearnersToRemove, lockLearnerStates } from './shared/learner-locks.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';
import { LIST_FIELDS } from './learner-list.ts';
import { effectiveManagerId } from '../../db/manager-in-effect.ts';

/** A learner with the risk score instead of the risk level. */
export type LearnerRow = Omit<Schemas['Learner'], 'riskScoreLevel'> & { riskScore: number };

const manager = (p: Parameters<object>): Sql => sql`
  select json_build_object('id', m.id, 'name', ${fullName(sql`m`)}, 'email', m.email)
    from learners m where m.company_id = ${p.companyId} and m.id = ${effectiveManagerId(p)}`;

// NOTE: reads groups by primary key. With a join, slightly outdated statistics would make Postgres read all groups.
const byId = pointQuery<{ learnerId: string }, LearnerRow>(
  'learner_by_id',
  (p) => sql`
    select l.id, ${LIST_FIELDS}, l.first_name as "firstName", l.last_name as "lastName",
           l.created_at as "createdAt",
           not l.inactive and exists (
             select from group_managers gm
              where gm.company_id = ${p.companyId} and gm.learner_id = l.id) as "isManager",
           l.excluded_from_auto_enrol as "excludedFromAutoEnrol", l.risk_score as "riskScore",
           coalesce((
             select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
               from group_learners gl
               cross join lateral (
                 select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.id = gl.group_id offset 0) as g
              where gl.company_id = ${p.companyId} and gl.learner_id = l.id), '[]') as groups,
           (select 'directory' from directory_learners d
             where d.company_id = ${p.companyId} and d.learner_id = l.id) as "managedBy",
           (${manager(p)}) as manager
      from learners l where l.company_id = ${p.companyId} and l.id = ${p.learnerId}`,
);

/** @throws not_found */
export async function getLearner(tenant: TenantReader, learnerId: string): Promise<Schemas['Learner']> {
  return toLearner(requireFound(await tenant.queryOne(byId, { learnerId }), 'learner'));
}

export function toLearner({ riskScore, groups, manager, ...row }: LearnerRow): Schemas['Learner'] {
  return { ...row, riskScoreLevel: riskScoreLevel(riskScore), groups, manager };
}

/** Changes to a learner. Omitted fields keep their values; null clears a field. */
type LearnerChanges = Omit<Schemas['UpdateLearnerInput'], 'locale'> & { learnerId: string; locale?: string | null };

/** Fields that can be cleared with null, and their columns. */
const CLEARABLE = {
  externalLearnerId: sql`external_learner_id`,
  locale: sql`locale`,
  department: sql`department`,
  jobTitle: sql`job_title`,
  country: sql`country`,
  location: sql`location`,
  timeZone: sql`time_zone`,
  managerId: sql`manager_id`,
  absentUntil: sql`absent_until`,
};
type Clearable = keyof typeof CLEARABLE;
const CLEARABLE_FIELDS = Object.keys(CLEARABLE) as Clearable[];

type UpdateParameters = Omit<LearnerChanges, Clearable> & Record<Clearable, string | null> & { cleared: Clearable[] };

const COLUMNS = sql`first_name, last_name, email, excluded_from_auto_enrol, ${list(Object.values(CLEARABLE))}`;

/** Values of `COLUMNS` after the changes. */
const changedValues = (p: Parameters<UpdateParameters>): Sql => sql`
  ${p.firstName}::text, ${p.lastName}::text, coalesce(${p.email}, email),
  coalesce(${p.excludedFromAutoEnrol}, excluded_from_auto_enrol),
  ${list(
    CLEARABLE_FIELDS.map(
      (field) => sql`case when ${literal(field)} = any(${p.cleared}::text[]) then null
                          else coalesce(${p[field]}, ${CLEARABLE[field]}) end`,
    ),
  )}`;

const update = mutation<UpdateParameters, { former: string; email: string }>(
  'learner_update',
  (p) => sql`
    with before as (
      select * from learners where company_id = ${p.companyId} and id = ${p.learnerId} for no key update
    )
    update learners l
       set (${COLUMNS}, updated_at) = (select ${changedValues(p)}, now() from before)
      from before
     where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and l.id = before.id
       and exists (select ${COLUMNS} from before except select ${changedValues(p)} from before)
    returning before.email as former, l.email`,
);

/**
 * Changes a learner. If the e-mail address changes, also sends a notice to the former address. Writes nothing if
 * nothing changes. The comparison uses `before`, the locked row, because `l` can still have the values from before a
 * concurrent change.
 */
export async function updateLearner(tenant: TenantWriter, changes: LearnerChanges): Promise<void> {
  const cleared = CLEARABLE_FIELDS.filter((field) => changes[field] === null);
  const given = Object.fromEntries(CLEARABLE_FIELDS.map((field) => [field, changes[field] ?? null]));
  const parameters = { ...changes, ...(given as Record<Clearable, string | null>), cleared };
  for (const { former, email } of await tenant.mutate(update, parameters))
    if (former.toLowerCase() !== email.toLowerCase())
      await queueLearnerAddressNotices(tenant, { learnerIds: [changes.learnerId], formerAddresses: [former] });
}

const lock = mutation<{ learnerId: string }, { id: string }>('learner_lock', (p, knex) =>
  knex('learners').select('id').where({ company_id: p.companyId, id: p.learnerId }).forNoKeyUpdate(),
);

/** Locks the learner until the transaction ends. @throws not_found */
export async function lockLearner(tenant: TenantWriter, learnerId: string): Promise<void> {
  requireFound((await tenant.mutate(lock, { learnerId }))[0], 'learner');
}

const setInactive = mutation<{ learnerIds: string[]; inactive: boolean }, { id: string }>(
  'learner_set_inactive',
  (p) => sql`
    update learners set inactive = ${p.inactive}, updated_at = now()
     where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[]) and inactive <> ${p.inactive}
    returning id`,
);

/** Activates or deactivates learners. Returns the ids of the changed learners, and the given ids that exist. */
export async function setLearnersInactive(
  tenant: TenantWriter,
  learnerIds: string[],
  inactive: boolean,
): Promise<{ changedIds: string[]; existingIds: ReadonlySet<string> }> {
  await lockFreeSeats(tenant);
  const states = await lockLearnerStates(tenant, learnerIds);
  const changed = await tenant.mutate(setInactive, { learnerIds, inactive });
  return { changedIds: changed.map((row) => row.id), existingIds: new Set(states.keys()) };
}

const remove = mutation<{ learnerIds: string[] }>(
  'learner_remove',
  (p) => sql`delete from learners where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])`,
);

// The managers are locked, so no other call can assign them again. Locks the learners in the order of their ids.
const clearManagers = mutation<{ learnerIds: string[] }>(
  'learner_clear_managers',
  (p) => sql`
    with reports as (
      select id from learners
       where company_id = ${p.companyId} and manager_id = any(${p.learnerIds}::uuid[])
         and id <> all(${p.learnerIds}::uuid[])
       order by id for no key update
    )
    update learners set manager_id = null, updated_at = now()
     where company_id = ${p.companyId} and id = any(array(select id from reports))`,
);

// Keeps learners who still manage others: a manager cannot be removed before their direct reports.
const removeSome = mutation<{ learnerIds: string[]; limit: number }, { id: string }>(
  'learner_remove_some',
  (p) => sql`
    delete from learners
     where company_id = ${p.companyId} and id = any(array(
       select l.id from learners l
        where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[])
          and not exists (select from learners r where r.company_id = ${p.companyId} and r.manager_id = l.id)
        limit ${p.limit}))
    returning id`,
);

/** Number of learners that one statement removes (about 0.5 s); a statement can take up to 12 s. */
const LEARNERS_TO_A_DELETION = 1000;

/** Removes learners, their memberships and manager roles. Returns the number of removed learners. */
export async function removeLearners(tenant: TenantWriter, learnerIds: string[]): Promise<number> {
  await lockFreeSeats(tenant);
  const existing = (await tenant.mutate(lockLearnersToRemove, { learnerIds })).map((row) => row.id);
  await tenant.mutate(clearManagers, { learnerIds: existing });
  const limit = LEARNERS_TO_A_DELETION;
  let left = existing;
  for (let removed = limit; removed === limit && left.length > limit;) {
    const rows = await tenant.mutate(removeSome, { learnerIds: left, limit });
    const removedIds = new Set(rows.map((row) => row.id));
    left = left.filter((id) => !removedIds.has(id));
    removed = removedIds.size;
  }
  await tenant.mutate(remove, { learnerIds: left });
  return existing.length;
}
