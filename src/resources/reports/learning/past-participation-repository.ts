import type { Schemas } from '../../../contract/contract.ts';
import type { JsonText, Rows } from '../../../db/rows.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { sql } from '../../../db/sql.ts';
import { figures, pagedQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { listPastCourseIds, pastAttempts, pastCourse } from '../../courses/results/past-attempts.ts';
import { ANY_ATTEMPT } from '../../courses/results/reported-attempts.ts';
import {
  type Past,
  PAST_SAMPLES,
  pastGroupIds,
  pastGroups,
  selectPastActive,
  selectPastLearners,
  selectPastMembers,
  wasRecorded,
} from '../../learners/shared/past.ts';
import { byLeading, isReported, sampleLearners, selectLearnerId } from '../../learners/shared/reported-learners.ts';
import {
  BY_ATTEMPT,
  LEARNERS_TO_A_BATCH,
  type Participant,
  type ParticipationFilter,
  participantJson,
} from './participation-repository.ts';

/** Lists the company and its groups as of a day. Learners who were recorded later do not count. */
export const pastGroupTree = figures<Past, Schemas['GroupTreeNode']>(
  'participation_past_tree',
  (p) => sql`
    with active as (${selectPastActive(p)}),
         members as (select group_id, count(*)::integer from (${selectPastMembers(p)}) as m group by group_id)
    select null as id, k.name, (select count(*)::integer from active) as "learnerCount",
           coalesce((
             select json_agg(json_build_object('id', g.id, 'name', g.name, 'learnerCount', coalesce(members.count, 0),
                                               'children', '[]'::json) order by g.name, g.id)
               from ${pastGroups(p)} as g left join members on members.group_id = g.id), '[]') as children
      from companies k where k.id = ${p.companyId}`,
  PAST_SAMPLES,
);

/** Lists training courses in which anyone was enrolled by the day. */
export const listPastParticipationCourses = figures<Past, Schemas['ParticipationCourse']>(
  'participation_past_courses',
  (p) => sql`
    select e.course_id as id, c.name, c.subject, c.difficulty
      from (${listPastCourseIds(p)}) as e cross join lateral ${pastCourse(p)} as c
     where c.type = 'training' order by e.course_id`,
  PAST_SAMPLES,
);

export type PastParticipationFilter = ParticipationFilter & Past;

const pastParticipants = byLeading((leading) =>
  pagedQuery<PastParticipationFilter, Participant>(
    `participation_past_${leading}`,
    BY_ID,
    (p, continued) => {
      const results = sql`from ${pastAttempts(p, sql`l.id`)} as e where true`;
      return sql`
        select ${participantJson(sql`from ${pastGroupIds(p)} as gl`, results, BY_ATTEMPT, selectLearnerId(leading))}
          from ${selectPastLearners(leading, p, continued)}
         where ${isReported(p)}
           and (${wasRecorded(p)} or exists (select ${results}))`;
    },
    { ...sampleLearners(leading), ...ANY_ATTEMPT, ...PAST_SAMPLES },
  ),
);

/** Lists the same learners as `listParticipationLearners`, but as of a day. */
export function listPastParticipants(
  tenant: TenantReader,
  filter: PastParticipationFilter,
): Rows<JsonText<Schemas['ParticipationLearner']>> {
  return tenant.stream(pastParticipants(filter), filter, LEARNERS_TO_A_BATCH).mapToJson(({ json }) => json);
}
