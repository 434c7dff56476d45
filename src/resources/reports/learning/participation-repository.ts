import type { Schemas } from '../../../contract/contract.ts';
import { fullName, GRADE } from '../../../db/expressions.ts';
import type { JsonText, Rows } from '../../../db/rows.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { literal, type Sql, sql } from '../../../db/sql.ts';
import { aggregate, figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import {
  ANY_ATTEMPT,
  areNewest,
  newestAttempts,
  reportedAttempts,
  type ReportedAttempts,
} from '../../courses/results/reported-attempts.ts';
import { hasProfile } from '../../learners/shared/learner-profile.ts';
import { type LearnersFilter, sampleLearners, selectLearners } from '../../learners/shared/reported-learners.ts';

/**
 * Lists the company and its groups, each with the number of active learners. Counts all groups in one pass: separately,
 * each group would require reading all learners of a large company.
 */
export const groupTree = figures<object, Schemas['GroupTreeNode']>(
  'participation_tree',
  (p) => sql`
    with members as (
      select gl.group_id, count(*)
        from group_learners gl
        join learners l on l.company_id = ${p.companyId} and l.id = gl.learner_id and not l.inactive
       where gl.company_id = ${p.companyId} group by gl.group_id)
    select null as id, k.name,
           (select count(*)::integer from learners l
             where l.company_id = ${p.companyId} and not l.inactive) as "learnerCount",
           coalesce((
             select json_agg(json_build_object('id', g.id, 'name', g.name, 'learnerCount', coalesce(members.count, 0),
                                               'children', '[]'::json) order by g.name, g.id)
               from groups g left join members on members.group_id = g.id
              where g.company_id = ${p.companyId}), '[]') as children
      from companies k where k.id = ${p.companyId}`,
);

/** The group tree for a manager: counts only the manager's learners, and contains only their groups. */
export const managedGroupTree = aggregate<LearnersFilter, Schemas['GroupTreeNode']>(
  'participation_managed_tree',
  (p) => sql`
    with managed as (select l.id from ${selectLearners('profile', p, () => sql`true`)}),
         members as (
           select gl.group_id, count(*)
             from managed m join group_learners gl on gl.company_id = ${p.companyId} and gl.learner_id = m.id
            group by gl.group_id)
    select null as id, k.name, (select count(*)::integer from managed) as "learnerCount",
           coalesce((
             select json_agg(json_build_object('id', g.id, 'name', g.name, 'learnerCount', members.count,
                                               'children', '[]'::json) order by g.name, g.id)
               from members join groups g on g.company_id = ${p.companyId} and g.id = members.group_id), '[]') as children
      from companies k where k.id = ${p.companyId}`,
  sampleLearners('profile'),
);

/** Lists training courses in which anyone is enrolled. */
export const listParticipationCourses = figures<object, Schemas['ParticipationCourse']>(
  'participation_courses',
  (p) => sql`
    select c.id, c.name, c.subject, c.difficulty from courses c
     where c.type = 'training'
       and exists (select from enrollments e where e.company_id = ${p.companyId} and e.course_id = c.id)
     order by c.id`,
);

const textJson = (name: string, column: Sql): Sql => sql`
  ${literal(`,"${name}":`)} || coalesce(to_json(${column})::text, 'null')`;

/** The profile of a learner `l`, as the last members of a JSON object. */
const PROFILE_JSON = sql`
  ${textJson('department', sql`l.department`)} || ${textJson('jobTitle', sql`l.job_title`)}
  || ${textJson('country', sql`l.country`)} || ${textJson('location', sql`l.location`)}
  || ${textJson('timeZone', sql`l.time_zone`)} || ${textJson('managerId', sql`l.manager_id`)}`;

// Postgres builds the JSON: for 100,000 learners with 20 results each, the JSON has 330 MB, and building it from
// objects takes twice as long. Values that need no escaping (ids, dates, numbers) are concatenated, because
// json_build_object for each result is far slower. Learners and results come in key order, so Postgres sorts neither,
// and the first rows are sent at once.
/**
 * Builds the columns with the id and the JSON of a learner `l`.
 * @param groups FROM and WHERE clauses of the learner's memberships `gl`
 * @param results FROM and WHERE clauses of the learner's attempts `e`
 */
export const participantJson = (groups: Sql, results: Sql, order: Sql, id = sql`l.id`): Sql => sql`
  ${id} as id, '{"id":"' || l.id || '","name":' || to_json(${fullName(sql`l`)})
         || ',"inactive":' || l.inactive
         || ',"groups":[' || coalesce((
           select string_agg('"' || gl.group_id || '"', ',' order by gl.group_id) ${groups}), '')
         || '],"courseResults":[' || coalesce((
           select string_agg('{"courseId":"' || e.course_id || '","enrollDate":"' || e.enroll_date
                    || '","startDate":' || coalesce('"' || e.start_date || '"', 'null')
                    || ',"finishDate":' || coalesce('"' || e.finish_date || '"', 'null')
                    || ',"score":' || coalesce(trim_scale(e.score)::text, 'null')
                    || ',"grade":' || coalesce('"' || ${GRADE} || '"', 'null')
                    || '}', ',' order by ${order})
             ${results} and e.course_id = any(array(select id from courses where type = 'training'))), '')
         || ']' || ${PROFILE_JSON} || '}' as json`;

const learnerJson = (p: Parameters<object>, attempts: Sql, order: Sql, id?: Sql): Sql => {
  const groups = sql`from group_learners gl where gl.company_id = ${p.companyId} and gl.learner_id = l.id`;
  return participantJson(groups, sql`from ${attempts} e where e.learner_id = l.id`, order, id);
};

export type Participant = { id: string; json: string };
type ParticipantsFilter = Pick<LearnersFilter, 'includeInactive'>;

const learners = pagedQuery<ParticipantsFilter, Participant>(
  'participation_learners',
  BY_ID,
  (p) => sql`
    select ${learnerJson(p, newestAttempts(p), sql`e.course_id`)} from learners l
     where l.company_id = ${p.companyId} and (${p.includeInactive} or not l.inactive)`,
);

export const BY_ATTEMPT = sql`e.course_id, e.attempt`;

const learnersWithAttempts = pagedQuery<ParticipantsFilter & ReportedAttempts, Participant>(
  'participation_attempts',
  BY_ID,
  (p) => sql`
    select ${learnerJson(p, reportedAttempts(p), BY_ATTEMPT)} from learners l
     where l.company_id = ${p.companyId} and (${p.includeInactive} or not l.inactive)`,
  ANY_ATTEMPT,
);

/** Builds the query for the participants in a group or with a profile. */
const makeMembers = (leading: 'group' | 'profile') =>
  pagedQuery<ParticipationFilter, Participant>(
    `participation_${leading}`,
    BY_ID,
    (p, continued) => sql`
      select ${learnerJson(p, reportedAttempts(p), BY_ATTEMPT, sql`member.learner_id`)}
        from ${selectLearners(leading, p, continued)}`,
    { ...ANY_ATTEMPT, ...sampleLearners(leading) },
  );

const members = makeMembers('group');
const participantsOfProfile = makeMembers('profile');

// A batch is one string. V8 keeps strings above 128 KB in a separate space, where garbage is collected late. A learner
// with 20 results takes 3.3 KB of JSON; a name with characters outside Latin-1 doubles the size of the batch. Smaller
// batches take longer in total.
export const LEARNERS_TO_A_BATCH = 35;

export type ParticipationFilter = LearnersFilter & ReportedAttempts;

/** Lists active learners, or all learners, with their groups and training results. */
export function listParticipationLearners(
  tenant: TenantReader,
  filter: ParticipationFilter,
): Rows<JsonText<Schemas['ParticipationLearner']>> {
  return streamLearners(tenant, filter).mapToJson(({ json }) => json);
}

function streamLearners(tenant: TenantReader, filter: ParticipationFilter): Rows<Participant> {
  if (filter.groupId !== null) return tenant.stream(members, filter, LEARNERS_TO_A_BATCH);
  if (hasProfile(filter)) return tenant.stream(participantsOfProfile, filter, LEARNERS_TO_A_BATCH);
  return areNewest(filter)
    ? tenant.stream(learners, filter, LEARNERS_TO_A_BATCH)
    : tenant.stream(learnersWithAttempts, filter, LEARNERS_TO_A_BATCH);
}
