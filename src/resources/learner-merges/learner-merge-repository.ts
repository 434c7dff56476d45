import type { Schemas } from '../../contract/contract.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { aggregate, mutation, pagedQuery, type Parameters, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { recordedRows } from './recorded-rows.ts';

export type LearnerMerge = Schemas['LearnerMerge'];

const MERGE = sql`
  m.id, m.learner_id as "learnerId", m.into_learner_id as "intoLearnerId", m.current_learner_id as "currentLearnerId",
  m.reason, m.actor_type as "actorType", m.actor_id as "actorId", m.merged_at as "mergedAt",
  m.undoable_until as "undoableUntil", m.answers_until as "answersUntil", m.moved`;

const isShown = (p: Parameters<object>): Sql => sql`m.company_id = ${p.companyId} and m.answers_until > now()`;

const list = pagedQuery<object, LearnerMerge>(
  'learner_merges',
  { id: 'uuid desc' },
  (p) => sql`select ${MERGE} from learner_merges m where ${isShown(p)}`,
);

const listOfLearner = pagedQuery<{ learnerId: string }, LearnerMerge>(
  'learner_merges_of_learner',
  { id: 'uuid desc' },
  (p) => sql`
    select ${MERGE} from learner_merges m
     where ${isShown(p)} and (m.learner_id = ${p.learnerId} or m.current_learner_id = ${p.learnerId})`,
);

/** Lists merges, newest first. */
export function listMerges(tenant: TenantReader, learnerId: string | undefined) {
  return learnerId === undefined ? tenant.stream(list, {}) : tenant.stream(listOfLearner, { learnerId });
}

const byId = pointQuery<{ learnerMergeId: string }, LearnerMerge>(
  'learner_merge_by_id',
  (p) => sql`select ${MERGE} from learner_merges m where ${isShown(p)} and m.id = ${p.learnerMergeId}`,
);

/** @throws not_found */
export async function getMerge(tenant: TenantReader, learnerMergeId: string): Promise<LearnerMerge> {
  return requireFound(await tenant.queryOne(byId, { learnerMergeId }), 'learner merge');
}

const ofLearner = pointQuery<{ learnerId: string }, LearnerMerge>(
  'learner_merge_of_merged',
  (p) => sql`select ${MERGE} from learner_merges m where ${isShown(p)} and m.learner_id = ${p.learnerId}`,
);

export function findMergeOfDuplicate(tenant: TenantReader, learnerId: string): Promise<LearnerMerge | undefined> {
  return tenant.queryOne(ofLearner, { learnerId });
}

interface NewMerge {
  mergeId: string;
  learnerId: string;
  intoLearnerId: string;
  reason: string | null;
  actorType: string;
  actorId: string;
}

const insert = mutation<NewMerge>(
  'learner_merge_insert',
  (p) => sql`
    insert into learner_merges (company_id, id, learner_id, into_learner_id, current_learner_id, email_key,
                                external_learner_id, reason, actor_type, actor_id)
    select ${p.companyId}, ${p.mergeId}, l.id, ${p.intoLearnerId}, ${p.intoLearnerId}, l.email_key,
           l.external_learner_id, ${p.reason}, ${p.actorType}, ${p.actorId}
      from learners l where l.company_id = ${p.companyId} and l.id = ${p.learnerId}`,
);

/** Stores a merge. After that, the transaction can move rows between the merge's learners. */
export async function insertMerge(tenant: TenantWriter, merge: NewMerge): Promise<void> {
  await tenant.mutate(insert, merge);
}

interface MergedLearners {
  learnerId: string;
  intoLearnerId: string;
}

const follow = mutation<MergedLearners>(
  'learner_merge_follow',
  (p) => sql`
    update learner_merges set current_learner_id = ${p.intoLearnerId}
     where company_id = ${p.companyId} and current_learner_id = ${p.learnerId}`,
);

/** Makes earlier merges into the duplicate point to the learner who stays. */
export async function followMerge(tenant: TenantWriter, merged: MergedLearners): Promise<void> {
  await tenant.mutate(follow, merged);
}

const setMoved = mutation<{ mergeId: string; moved: string }>(
  'learner_merge_set_moved',
  (p) => sql`
    update learner_merges set moved = ${p.moved}::jsonb where company_id = ${p.companyId} and id = ${p.mergeId}`,
  { moved: '{}' },
);

export async function setMovedRecords(
  tenant: TenantWriter,
  mergeId: string,
  moved: LearnerMerge['moved'],
): Promise<void> {
  await tenant.mutate(setMoved, { mergeId, moved: JSON.stringify(moved) });
}

interface UndoState extends MergedLearners {
  currentLearnerId: string;
  isExpired: boolean;
  /** Whether another learner was later merged into the learner who stayed in this merge. */
  hasNewer: boolean;
}

const lock = mutation<{ mergeId: string }, UndoState>(
  'learner_merge_lock',
  (p) => sql`
    select m.learner_id as "learnerId", m.into_learner_id as "intoLearnerId",
           m.current_learner_id as "currentLearnerId", m.undoable_until <= now() as "isExpired",
           exists (select from learner_merges n
                    where n.company_id = ${p.companyId} and n.current_learner_id = m.current_learner_id
                      and n.id > m.id) as "hasNewer"
      from learner_merges m where ${isShown(p)} and m.id = ${p.mergeId} for update`,
);

/** Locks a merge. @throws not_found */
export async function lockMerge(tenant: TenantWriter, mergeId: string): Promise<UndoState> {
  return requireFound((await tenant.mutate(lock, { mergeId }))[0], 'learner merge');
}

// A correction of a signature stores the policy result again, even if it is reverted. An undo could then not determine
// whether the result belongs to the duplicate.
const corrected = query<{ mergeId: string }, { eventId: string }>(
  'learner_merge_corrected',
  (p) => sql`
    select e.event_id as "eventId" from ${recordedRows(p, { table: 'course_result_events' })}
      join course_result_events e on e.company_id = ${p.companyId} and e.event_id = old.event_id
     where (e.voided_at is null) <> (old.voided_at is null)
     union all
    select c.event_id from ${recordedRows(p, { table: 'signature_events' })}
      join corrections c on c.company_id = ${p.companyId} and c.kind = 'policy_signature' and c.event_id = old.event_id
      join learner_merges m on m.company_id = ${p.companyId} and m.id = ${p.mergeId}
     where c.corrected_at >= m.merged_at
     union all
    select m.id::text from ${recordedRows(p, { table: 'membership_periods' })}
      join membership_periods m on m.company_id = ${p.companyId} and m.id = old.id
     where (m.superseded_at is null) <> (old.superseded_at is null)
     limit 1`,
);

/** Reports whether results, signatures or imported memberships of the duplicate were corrected after the merge. */
export async function isCorrected(tenant: TenantWriter, mergeId: string): Promise<boolean> {
  return (await tenant.queryAll(corrected, { mergeId })).length > 0;
}

const beginUndo = mutation<{ mergeId: string }>(
  'learner_merge_begin_undo',
  (p) => sql`
    update learner_merges set transaction_id = pg_current_xact_id()
     where company_id = ${p.companyId} and id = ${p.mergeId}`,
);

/** Lets the transaction move rows between the learners of a merge. */
export async function allowMoves(tenant: TenantWriter, mergeId: string): Promise<void> {
  await tenant.mutate(beginUndo, { mergeId });
}

const remove = mutation<{ mergeId: string }>(
  'learner_merge_remove',
  (p) => sql`delete from learner_merges where company_id = ${p.companyId} and id = ${p.mergeId}`,
);

export async function removeMerge(tenant: TenantWriter, mergeId: string): Promise<void> {
  await tenant.mutate(remove, { mergeId });
}

const reassignManagers = mutation<MergedLearners>(
  'merge_reassign_managers',
  (p) => sql`
    with reports as (
      select id from learners where company_id = ${p.companyId} and manager_id = ${p.learnerId}
       order by id for no key update
    )
    update learners
       set manager_id = case when id <> ${p.intoLearnerId} then ${p.intoLearnerId}::uuid end, updated_at = now()
     where company_id = ${p.companyId} and id = any(array(select id from reports))`,
);

const joinGroups = mutation<MergedLearners>(
  'merge_join_groups',
  (p) => sql`
    insert into group_learners (company_id, group_id, learner_id, recorded_at)
    select t.company_id, t.group_id, ${p.intoLearnerId}, t.recorded_at from group_learners t
     where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}
    on conflict do nothing`,
);

const joinManagers = mutation<MergedLearners>(
  'merge_join_managers',
  (p) => sql`
    insert into group_managers (company_id, group_id, learner_id)
    select t.company_id, t.group_id, ${p.intoLearnerId} from group_managers t
     where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}
    on conflict do nothing`,
);

/** Transfers the duplicate's memberships, manager roles and reports to the learner who stays. */
export async function joinRoles(tenant: TenantWriter, merged: MergedLearners): Promise<void> {
  for (const statement of [joinGroups, joinManagers, reassignManagers]) await tenant.mutate(statement, merged);
}

const countResults = aggregate<{ learnerId: string }, { count: number }>(
  'merge_count_results',
  (p) => sql`
    select count(*)::integer as count from course_result_events
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and enrolled_on is null`,
);

/** Returns the number of a learner's recorded results, without the enrolments that count as facts. */
export async function countRecordedResults(tenant: TenantReader, learnerId: string): Promise<number> {
  return (await tenant.queryOne(countResults, { learnerId }))!.count;
}

const inDirectory = pointQuery<{ learnerId: string }, { id: string }>(
  'merge_in_directory',
  (p) => sql`
    select learner_id as id from directory_learners
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and removed_at is null`,
);

/** Reports whether a directory manages the learner. */
export async function isInDirectory(tenant: TenantReader, learnerId: string): Promise<boolean> {
  return (await tenant.queryOne(inDirectory, { learnerId })) !== undefined;
}

const recordCampaignChanges = mutation<{ learnerIds: string[] }>(
  'merge_record_campaign_changes',
  (p) => sql`
    insert into campaign_changes (company_id, learner_id)
    select ${p.companyId}, t.id from learners t
     where t.company_id = ${p.companyId} and t.id = any(${p.learnerIds}::uuid[])
    on conflict do nothing`,
);

/** Makes the worker compare learners with the campaigns again. */
export async function requestCampaignEvaluation(tenant: TenantWriter, learnerIds: string[]): Promise<void> {
  await tenant.mutate(recordCampaignChanges, { learnerIds });
}
