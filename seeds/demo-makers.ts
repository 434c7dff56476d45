import type { Knex } from 'knex';
import type { Schemas } from '../src/contract/contract.ts';
import type { OwnCourse } from './demo-course-rows.ts';
import { companyId } from './demo-ids.ts';
import { expectSuccess, type Teller } from './demo-service.ts';
import type { DemoGroup, DemoLearner } from './demo-staff.ts';

// Objects that the service creates get the ids that the documentation shows, and their dates, before anything refers to
// them.

/** Creates a company's own courses. */
export async function makeCourses({ owner, company, call }: Teller, courses: OwnCourse[]): Promise<void> {
  for (const { course, fixed } of courses) {
    const made = { owner_id: companyId(company), external_id: course.externalId };
    if (!(await owner('courses').where(made).first('id'))) await call('createCourse', { body: course });
    await owner('courses').where(made).update(fixed);
  }
}

/**
 * Creates the learners of a company.
 * @param whileActive runs before some learners are deactivated
 */
export async function makeLearners(
  { owner, company, call }: Teller,
  learners: DemoLearner[],
  whileActive: () => Promise<void>,
): Promise<void> {
  const company_id = companyId(company);
  const known = new Set<string>(await owner('learners').where({ company_id }).pluck('email'));
  const missing = learners.filter(({ row }) => !known.has(row.email));
  if (missing.length > 0) expectSuccess(await call('createLearners', { body: { learners: missing.map(toInput) } }));
  await fixLearners(owner, company_id, learners);
  await whileActive();
  const learnerIds = learners.filter(({ row }) => row.inactive).map(({ row }) => row.id);
  if (learnerIds.length > 0) await call('deactivateLearners', { body: { learnerIds } });
  await fixLearners(owner, company_id, learners);
}

export async function makeGroups({ owner, company, call }: Teller, groups: DemoGroup[]): Promise<void> {
  const company_id = companyId(company);
  const known = new Set<string>(await owner('groups').where({ company_id }).pluck('name'));
  for (const { row, learnerIds, memberships, managerIds } of groups) {
    const { id: groupId, name, created_at } = row;
    if (!known.has(name)) await call('createGroup', { body: { name } });
    await owner('groups').where({ company_id, name }).update({ id: groupId, created_at });
    await call('addGroupLearners', { groupId, body: { learnerIds } });
    await call('recordMembershipHistory', { groupId, body: { memberships } });
    await call('setGroupManagers', { groupId, body: { managerIds } });
    await owner('groups').where({ company_id, name }).update({ updated_at: created_at });
  }
}

function toInput({ row }: DemoLearner): Schemas['LearnerCreationItem'] {
  return {
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    ...(row.external_learner_id !== null && { externalLearnerId: row.external_learner_id }),
    ...(row.locale !== null && { locale: row.locale }),
    ...(row.department !== null && { department: row.department }),
    ...(row.job_title !== null && { jobTitle: row.job_title }),
    ...(row.country !== null && { country: row.country }),
    ...(row.location !== null && { location: row.location }),
    ...(row.time_zone !== null && { timeZone: row.time_zone }),
    excludedFromAutoEnrol: row.excluded_from_auto_enrol,
  };
}

async function fixLearners(owner: Knex, company_id: string, learners: DemoLearner[]): Promise<void> {
  const rows = learners.map(({ row }) => row);
  await owner.raw(
    `update learners l set id = fixed.id, created_at = fixed.created_at, updated_at = fixed.updated_at
       from unnest(?::text[], ?::uuid[], ?::timestamptz[], ?::timestamptz[]) as fixed (email, id, created_at, updated_at)
      where l.company_id = ? and l.email = fixed.email`,
    [
      rows.map(({ email }) => email),
      rows.map(({ id }) => id),
      rows.map(({ created_at }) => created_at),
      rows.map(({ updated_at }) => updated_at),
      company_id,
    ],
  );
}
