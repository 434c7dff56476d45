import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { invalidField } from '../../contract/errors.ts';
import { MAX_AUTO_ENROLLED } from '../learners/shared/newcomers.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';

const mark = mutation<{ courseId: string }>(
  'auto_enrol_mark',
  (p) => sql`
    insert into auto_enrolled_courses (company_id, course_id, course_owner_id)
    select ${p.companyId}, id, owner_id from courses
     where id = ${p.courseId} and owner_id in (managed_catalogue(), ${p.companyId})
    on conflict do nothing`,
);

const unmark = mutation<{ courseId: string }>('auto_enrol_unmark', (p, knex) =>
  knex('auto_enrolled_courses').where({ company_id: p.companyId, course_id: p.courseId }).delete(),
);

const others = pointQuery<{ courseId: string }, { courseId: string }>(
  'auto_enrol_others',
  (p) => sql`
    select a.course_id as "courseId"
      from auto_enrolled_courses a join courses c on c.owner_id = a.course_owner_id and c.id = a.course_id
     where a.company_id = ${p.companyId} and a.course_id <> ${p.courseId} and c.retired_at is null`,
);

/**
 * Sets whether new learners are automatically enrolled in a course. Waits for concurrent calls that create learners,
 * and for other calls of this function.
 * @throws invalid_request if the company already has the maximum number of other such courses
 */
export async function setAutoEnrol(tenant: TenantWriter, courseId: string, autoEnrol: boolean): Promise<void> {
  await lockFreeSeats(tenant);
  if (!autoEnrol) return void (await tenant.mutate(unmark, { courseId }));
  if ((await tenant.queryAll(others, { courseId })).length >= MAX_AUTO_ENROLLED) {
    throw invalidField(
      'body/autoEnrol',
      `can be true for at most ${MAX_AUTO_ENROLLED} courses; set it to false for another one first`,
    );
  }
  await tenant.mutate(mark, { courseId });
}
