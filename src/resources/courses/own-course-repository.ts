import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { languageTags } from '../../languages.ts';

type CourseInput = Omit<Schemas['CreateCourseInput'], 'autoEnrol'>;
type Columns = Required<Omit<CourseInput, 'externalId' | 'description' | 'durationMinutes'>> & {
  courseId: string;
  externalId: string | null;
  description: string | null;
  durationMinutes: number | null;
};

const insert = change<Columns>('course_insert', (p, knex) =>
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
    locales: p.locales,
  }),
);

/** Returns the id of the new course. */
export async function insertCourse(tenant: TenantWriter, input: CourseInput): Promise<string> {
  const courseId = uuidv7();
  await tenant.run(insert, {
    ...{ displayName: input.name, description: null, durationMinutes: null },
    ...input,
    courseId,
    externalId: input.externalId?.trim() ?? null,
    locales: languageTags(input.locales),
  });
  return courseId;
}
