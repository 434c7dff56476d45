import type { Schemas } from '../../contract.ts';
import { fullName, GRADE } from '../../db/expressions.ts';
import type { JsonText, Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { statement } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

const tree = statement<object, Schemas['GroupTreeNode']>(
  'participation_tree',
  (p) => sql`
    select null as id, k.name,
           (select count(*)::integer from learners l
             where l.company_id = k.id and not l.inactive) as "learnerCount",
           coalesce((
             select json_agg(json_build_object('id', g.id, 'name', g.name, 'learnerCount', (
                      select count(*) from group_learners gl
                        join learners l on l.company_id = gl.company_id and l.id = gl.learner_id and not l.inactive
                       where gl.company_id = g.company_id and gl.group_id = g.id
                    ), 'children', '[]'::json) order by g.name, g.id)
               from groups g where g.company_id = k.id), '[]') as children
      from companies k where k.id = ${p.companyId}`,
);

/** The company with its groups, and how many active learners each has. */
export async function getGroupTree(tenant: TenantReader): Promise<Schemas['GroupTreeNode']> {
  return (await tenant.find(tree, {}))!;
}

/** The training courses that somebody is enrolled in. */
export const listParticipationCourses = statement<object, Schemas['ParticipationCourse']>(
  'participation_courses',
  (p) => sql`
    select c.id, c.name, c.subject, c.difficulty from courses c
     where c.type = 'training'
       and exists (select from enrollments e where e.company_id = ${p.companyId} and e.course_id = c.id)
     order by c.id`,
);

// Postgres makes the JSON: 100,000 learners with 20 results each are 330 MB, and taking them apart into objects to put
// them together again costs twice the time. What needs no escaping (ids, dates, numbers) is concatenated, since
// json_build_object for each result is far slower. Learners and results come in the order of their keys, so that
// neither is sorted and the first rows leave at once.
const learners = statement<object, { json: string }>(
  'participation_learners',
  (p) => sql`
    select '{"id":"' || l.id || '","name":' || to_json(${fullName(sql`l`)})
           || ',"groups":[' || coalesce((
             select string_agg('"' || gl.group_id || '"', ',' order by gl.group_id) from group_learners gl
              where gl.company_id = l.company_id and gl.learner_id = l.id), '')
           || '],"courseResults":[' || coalesce((
             select string_agg('{"courseId":"' || e.course_id || '","enrollDate":"' || e.enroll_date
                      || '","startDate":' || coalesce('"' || e.start_date || '"', 'null')
                      || ',"finishDate":' || coalesce('"' || e.finish_date || '"', 'null')
                      || ',"score":' || coalesce(trim_scale(e.score)::text, 'null')
                      || ',"grade":' || coalesce('"' || ${GRADE} || '"', 'null')
                      || '}', ',' order by e.course_id)
               from enrollments e
              where e.company_id = l.company_id and e.learner_id = l.id
                and e.course_id = any(array(select id from courses where type = 'training'))), '')
           || ']}' as json
      from learners l
     where l.company_id = ${p.companyId} and not l.inactive
     order by l.id`,
);

// A batch is one string. V8 keeps those of more than 128 KB apart, and lets as much garbage of them pile up as of all the
// rest. A learner with 20 results is 3.3 KB of JSON; a name that is not Latin-1 doubles its batch. Smaller ones take longer.
const LEARNERS_TO_A_BATCH = 35;

/** Every active learner with groups and training. */
export function listParticipationLearners(tenant: TenantReader): Rows<JsonText<Schemas['ParticipationLearner']>> {
  return tenant.rows(learners, {}, LEARNERS_TO_A_BATCH).mapToJson(({ json }) => json);
}
