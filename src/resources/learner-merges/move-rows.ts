import { identifier, list, type Sql, sql } from '../../db/sql.ts';
import { type Mutation, mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { haveSame, recordedRows } from './recorded-rows.ts';
import { RECORDED_TABLES, type LeadingTable, MOVED_TABLES, MOVED_TOGETHER, type MovedTable } from './merged-tables.ts';

/** A merge that is being made or undone. */
export interface Merge {
  mergeId: string;
  learnerId: string;
  intoLearnerId: string;
}

type Move = Mutation<Merge, object>;

/** Condition that the learner who stays has a row with the same key as a row `t`. */
const isTaken = (p: Parameters<Merge>, table: keyof typeof RECORDED_TABLES): Sql => sql`
  exists (select from ${identifier(table)} w
           where w.company_id = ${p.companyId} and w.learner_id = ${p.intoLearnerId} and ${haveSame(RECORDED_TABLES[table], 'w', 't')})`;

const makeMove = (table: MovedTable): Move =>
  mutation<Merge>(
    `merge_move_${table}`,
    (p) => sql`
      update ${identifier(table)} t set learner_id = ${p.intoLearnerId}
       where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId} and not ${isTaken(p, table)}`,
  );

/** Builds the statement that moves rows to another learner, together with the rows that refer to them. */
function moveTogether(table: LeadingTable, p: Parameters<Merge>, leading: Sql, [from, to]: readonly [Sql, Sql]): Sql {
  const key = identifier(RECORDED_TABLES[table][0]);
  const parts = MOVED_TOGETHER[table].map(
    (part) => sql`
      ${identifier(`moved_${part}`)} as (
        update ${identifier(part)} t set learner_id = ${to}
         where t.company_id = ${p.companyId} and t.learner_id = ${from}
           and t.${key} in (select referred.${key} from referred)
        returning t.company_id)`,
  );
  return sql`with referred as (${leading}), ${list(parts)} select from referred`;
}

const makeMoveTogether = (table: LeadingTable): Move =>
  mutation<Merge>(`merge_move_${table}`, (p) => {
    const leading = sql`
      update ${identifier(table)} t set learner_id = ${p.intoLearnerId}
       where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId} and not ${isTaken(p, table)}
      returning t.${identifier(RECORDED_TABLES[table][0])}`;
    return moveTogether(table, p, leading, [sql`${p.learnerId}`, sql`${p.intoLearnerId}`]);
  });

// The accounts of both learners at an identity provider then sign in as the learner who stays. This gives nobody new
// access: a caller who can merge learners can also change their e-mail addresses, and thereby decide who signs in as
// them.
const moveIdentities = mutation<Merge>(
  'merge_move_provider_identities',
  (p) => sql`
    update provider_identities t set learner_id = ${p.intoLearnerId}, person_id = ${p.intoLearnerId}, merged = true
     where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}`,
);

const moves: Move[] = [
  ...MOVED_TABLES.map(makeMove),
  moveIdentities,
  ...(Object.keys(MOVED_TOGETHER) as LeadingTable[]).map(makeMoveTogether),
  // If both learners are recipients of a simulation, the duplicate's queued message belongs to the recipient who is
  // deleted.
  mutation<Merge>(
    'merge_move_messages',
    (p) => sql`
      update messages t set learner_id = ${p.intoLearnerId}
       where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId} and t.kind <> 'sign_in'
         and (t.kind <> 'simulation' or t.status <> 'queued'
              or not exists (select from simulation_recipients r
                              where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId} and r.message_id = t.id))`,
  ),
];

/** Moves the duplicate's rows, except where the learner who stays has a row with the same key. */
export async function moveRows(tenant: TenantWriter, merge: Merge): Promise<void> {
  for (const move of moves) await tenant.mutate(move, merge);
}

// A row that the learner who stays had before the merge was not moved by it.
const makeReturn = (table: MovedTable | 'messages'): Move =>
  mutation<Merge>(
    `merge_return_${table}`,
    (p) => sql`
      update ${identifier(table)} t set learner_id = ${p.learnerId}
        from ${recordedRows(p, { table })}
       where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and ${haveSame(RECORDED_TABLES[table], 't', 'old')}
         and not exists (select from ${recordedRows(p, { table, isOfMerged: false })} where ${haveSame(RECORDED_TABLES[table], 't', 'old')})`,
  );

const ATTEMPT = [
  ...['attempt_id', 'attempt', 'enroll_date', 'start_date', 'finish_date', 'score', 'passed', 'finish_event_id'],
];

// Leaves out enrolments that both learners had, or that have changed since the merge; separate-courses.ts separates
// those.
const returnEnrollments = mutation<Merge>('merge_return_enrollments', (p) => {
  const leading = sql`
    update enrollments t set learner_id = ${p.learnerId}
      from ${recordedRows(p, { table: 'enrollments' })}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.course_id = old.course_id
       and ${haveSame(ATTEMPT, 't', 'old')}
       and not exists (select from ${recordedRows(p, { table: 'enrollments', isOfMerged: false })} where old.course_id = t.course_id)
       and not exists (
         select from course_result_events f
          where f.company_id = ${p.companyId} and f.learner_id = ${p.intoLearnerId} and f.course_id = t.course_id)
    returning t.course_id`;
  return moveTogether('enrollments', p, leading, [sql`${p.intoLearnerId}`, sql`${p.learnerId}`]);
});

const returnRecipients = mutation<Merge>('merge_return_recipients', (p) => {
  const leading = sql`
    update simulation_recipients t set learner_id = ${p.learnerId}
      from ${recordedRows(p, { table: 'simulation_recipients' })}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.simulation_id = old.simulation_id
       and t.id = old.id
    returning t.simulation_id`;
  return moveTogether('simulation_recipients', p, leading, [sql`${p.intoLearnerId}`, sql`${p.learnerId}`]);
});

// If an id was stored when the learner who stays was found by e-mail address, the id belongs to that learner.
const returnIdentities = mutation<Merge>(
  'merge_return_provider_identities',
  (p) => sql`
    update provider_identities t set learner_id = ${p.learnerId}, person_id = ${p.learnerId}, merged = old.merged
      from ${recordedRows(p, { table: 'provider_identities' })}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.merged
       and ${haveSame(RECORDED_TABLES.provider_identities, 't', 'old')}`,
);

const returns: Move[] = [
  ...[...MOVED_TABLES.map(makeReturn), makeReturn('messages')],
  ...[returnEnrollments, returnRecipients, returnIdentities],
];

/** Moves the rows that still belong to the learner who stays back to the duplicate. */
export async function returnRows(tenant: TenantWriter, merge: Merge): Promise<void> {
  for (const move of returns) await tenant.mutate(move, merge);
}
