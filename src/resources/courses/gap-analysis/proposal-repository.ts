import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { CourseNames } from '../course-names.ts';
import { isOfCompany } from '../course-repository.ts';

type FollowUp = Schemas['CompanySettings']['gapAnalysisFollowUp'];

const setting = pointQuery<object, { followUp: FollowUp }>('gap_analysis_follow_up', (p, knex) =>
  knex('company_settings').where({ company_id: p.companyId }).select({ followUp: 'gap_analysis_follow_up' }),
);

/** Returns what the company wants to happen after a finished gap analysis. */
export async function findFollowUp(tenant: TenantReader): Promise<FollowUp> {
  return (await tenant.queryOne(setting, {}))?.followUp ?? 'propose';
}

/** A course that can be proposed to a learner. */
export interface ProposedCourse extends CourseNames {
  id: string;
  name: string;
  status: Schemas['CourseProposal']['status'];
}

const proposable = query<{ learnerId: string; courseIds: string[] }, ProposedCourse>(
  'gap_analysis_proposable_courses',
  (p) => sql`
    select c.id, c.name, c.display_name as "displayName", c.localized_names as "localizedNames",
           case when e.attempt_id is null then 'proposed' when e.finish_date is null then 'enrolled' else 'finished' end
             as status
      from (select * from courses where ${isOfCompany(p)}) as c
      left join enrollments e
        on e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.course_id = c.id
     where c.id = any(${p.courseIds}::uuid[]) and c.retired_at is null`,
);

/** Finds the courses that the company offers, by id. Leaves out retired and removed courses. */
export async function findProposable(
  tenant: TenantReader,
  input: { learnerId: string; courseIds: string[] },
): Promise<Map<string, ProposedCourse>> {
  if (input.courseIds.length === 0) return new Map();
  return new Map((await tenant.queryAll(proposable, input)).map((course) => [course.id, course]));
}
