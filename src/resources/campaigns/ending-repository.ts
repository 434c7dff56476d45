import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import { audience } from './audience.ts';
import { evaluatedLearners, type Evaluated } from './evaluation-repository.ts';

/** Selects the open assignments of the campaigns, each with the reason to end it; null if the assignment stays open. */
const reasonsToEnd = (p: Parameters<Evaluated>): Sql => sql`
  select a.id, a.learner_id, case
           when c.status = 'ended' then 'campaign_ended'
           when i.removed_at is not null then 'item_removed'
           when a.round < a.last_round then 'next_round'
           when not c.keeps_open and not exists (select from ${audience(p)} as in_audience) then 'left_audience'
         end as because
    from ${evaluatedLearners(p)}
   cross join lateral (
     select n.*, max(n.round) over (partition by n.campaign_id, n.item_id) as last_round from campaign_assignments n
      where n.company_id = ${p.companyId} and n.learner_id = l.id offset 0) as a
    join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id and c.status in ('running', 'ended')
     and c.id = any(${p.campaignIds}::uuid[])
    join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id
     and i.item_id = a.item_id
   where ${IS_OPEN}`;

/** Finds the open assignments that the campaigns no longer require, with the reasons. */
export const toEnd = query<Evaluated, { id: string; because: string }>(
  'campaign_to_end',
  (p) => sql`select j.id, j.because from (${reasonsToEnd(p)}) as j where j.because is not null`,
);

/** Counts the open assignments that the campaigns no longer require, and their learners. */
export const countToEnd = query<Evaluated, { learners: number; assignments: number }>(
  'campaign_count_to_end',
  (p) => sql`
    select count(distinct j.learner_id)::integer as learners, count(*)::integer as assignments
      from (${reasonsToEnd(p)}) as j where j.because is not null`,
);

/** Ends assignments, each with its reason. */
export const endAssignments = mutation<{ assignmentIds: string[]; reasons: string[] }>(
  'campaign_end_assignments',
  (p) => sql`
    update campaign_assignments a
       set ended_at = now(), mail_at = null,
           ended_because = (${p.reasons}::text[])[array_position(${p.assignmentIds}::uuid[], a.id)]
     where a.company_id = ${p.companyId} and a.id = any(${p.assignmentIds}::uuid[])`,
  { reasons: ['left_audience'] },
);
