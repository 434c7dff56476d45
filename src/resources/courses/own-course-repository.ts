import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { ApiError } from '../../contract/errors.ts';
import { languageTags } from '../../contract/languages.ts';
import { lockForRemoval } from './course-keys.ts';

interface CourseParams {
  courseId: string;
}

type CourseInput = Omit<Schemas['CreateCourseInput'], 'autoEnrol'>;
type Columns = Required<Omit<CourseInput, 'externalId' | 'description' | 'durationMinutes' | 'validForMonths'>> & {
  courseId: string;
  externalId: string | null;
  description: string | null;
  durationMinutes: number | null;
  validForMonths: number | null;
};

const insert = mutation<Columns>('course_insert', (p, knex) =>
  knex('courses').insert({
    owner_id: p.companyId,
    id: p.courseId,
    external_id: p.externalId,
    type: 'training',
    name: p.name,
    display_name: p.displayName,
    subject: p.subject,
    difficulty: p.difficulty,
    description: p.description,
    duration_minutes: p.durationMinutes,
    pass_mark: p.passMark,
    valid_for_months: p.validForMonths,
    locales: p.locales,
  }),
);

/** Inserts a course of the company. Returns its id. */
export async function insertCourse(tenant: TenantWriter, input: CourseInput): Promise<string> {
  const courseId = uuidv7();
  await tenant.mutate(insert, {
    ...{ displayName: input.name, description: null, durationMinutes: null, validForMonths: null },
    ...input,
    courseId,
    externalId: input.externalId?.trim() ?? null,
    locales: languageTags(input.locales),
  });
  return courseId;
}

/** Changes to a course. Omitted fields keep their values; null clears a field. */
type CourseChanges = Omit<Schemas['UpdateCourseInput'], 'autoEnrol' | 'retired'>;

const update = mutation<
  CourseChanges & Record<'setsExternalId' | 'setsDescription' | 'setsDuration' | 'setsValidity', boolean> & CourseParams
>(
  'course_update',
  (p) => sql`
    update courses
       set name = coalesce(${p.name}, name),
           display_name = coalesce(${p.displayName}, display_name),
           subject = coalesce(${p.subject}, subject),
           difficulty = coalesce(${p.difficulty}, difficulty),
           pass_mark = coalesce(${p.passMark}, pass_mark),
           locales = coalesce(${p.locales}, locales),
           external_id = case when ${p.setsExternalId} then ${p.externalId} else external_id end,
           description = case when ${p.setsDescription} then ${p.description} else description end,
           duration_minutes = case when ${p.setsDuration} then ${p.durationMinutes} else duration_minutes end,
           valid_for_months = case when ${p.setsValidity} then ${p.validForMonths} else valid_for_months end,
           updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.courseId}`,
);

const retire = mutation<CourseParams>(
  'course_retire',
  (p) => sql`
    update courses set retired_at = now(), updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.courseId} and retired_at is null`,
);

const takeBack = mutation<CourseParams>(
  'course_take_back',
  (p) => sql`
    update courses set retired_at = null, updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.courseId} and retired_at is not null`,
);

/** Changes a course that the company owns. */
export async function changeCourse(
  tenant: TenantWriter,
  courseId: string,
  { retired, ...changes }: Omit<Schemas['UpdateCourseInput'], 'autoEnrol'>,
): Promise<void> {
  const { externalId, description, durationMinutes, validForMonths, locales } = changes;
  if (Object.keys(changes).length > 0) {
    await tenant.mutate(update, {
      ...{ ...changes, courseId, externalId: externalId?.trim() ?? null, locales: locales && languageTags(locales) },
      setsExternalId: externalId !== undefined,
      setsDescription: description !== undefined,
      setsDuration: durationMinutes !== undefined,
      setsValidity: validForMonths !== undefined,
    });
  }
  if (retired !== undefined) await tenant.mutate(retired ? retire : takeBack, { courseId });
}

const lock = mutation<CourseParams>('course_lock', (p, knex) =>
  knex('courses').select('id').where({ owner_id: p.companyId, id: p.courseId }).forNoKeyUpdate(),
);

/** Locks a course of the company until the transaction ends. Does not lock a catalogue course. */
export async function lockCourse(tenant: TenantWriter, courseId: string): Promise<void> {
  await tenant.mutate(lock, { courseId });
}

const learners = pointQuery<CourseParams, { learnerId: string }>('course_learners', (p, knex) =>
  knex('enrollments')
    .select('learner_id as learnerId')
    .where({ company_id: p.companyId, course_id: p.courseId })
    .limit(1),
);

const remove = mutation<CourseParams>(
  'course_remove',
  (p) => sql`
    update courses set removed_at = now(), retired_at = now(), updated_at = now(), external_id = null
     where owner_id = ${p.companyId} and id = ${p.courseId}`,
);

/**
 * Removes a course that the company owns.
 * @throws course_in_use if a learner is enrolled in the course or has finished it
 */
export async function removeCourse(tenant: TenantWriter, courseId: string): Promise<void> {
  // Waits for concurrent calls that enrol learners.
  await lockForRemoval(tenant);
  if (await tenant.queryOne(learners, { courseId })) {
    throw new ApiError('course_in_use', 'The course has enrolments or results; retire it instead.');
  }
  await tenant.mutate(remove, { courseId });
}
