import type { Knex } from 'knex';
import { readCatalogue } from '../src/commands/catalogue/catalogue-file.ts';
import { loadCatalogue } from '../src/commands/catalogue/load-catalogue.ts';
import { shippedCatalogue } from '../src/commands/catalogue/shipped-catalogue.ts';
import type { Schemas } from '../src/contract/contract.ts';
import type { DemoCompany } from './demo-companies.ts';
import { DEMO_COURSES, type DemoCourse } from './demo-courses.ts';
import { companyId, findCompany, fixedId, MANAGED_CATALOGUE } from './demo-ids.ts';

/** Time at which the courses that ship with the service were added to the demo. */
const SHIPPED_ON = '2026-11-02T09:00:00.000Z';

/** Loads the managed catalogue as the command `catalogue` does, and sets the dates of its courses. */
export async function loadCourses(transaction: Knex.Transaction): Promise<void> {
  const courses = DEMO_COURSES.filter(({ owner }) => owner === undefined);
  const entries = courses.map((course) => ({ ...toInput(course), id: courseId(course), type: course.type }));
  await loadCatalogue(transaction, await readCatalogue(JSON.stringify({ courses: entries })), false);
  // Loading finds the gap analysis by its type, and gives it the name and length of the one that ships with the
  // service.
  const shipped = await shippedCatalogue();
  await loadCatalogue(transaction, shipped, false);
  const trainings = shipped.filter(({ type }) => type === 'training');
  const days = trainings.map(({ id }) => ({ id, created_at: SHIPPED_ON, updated_at: SHIPPED_ON }));
  for (const { id, ...dates } of [...courses.map(toFixed), ...days]) {
    await transaction('courses').where({ id }).update(dates);
  }
}

/** A company's own course. */
export interface OwnCourse {
  course: Schemas['CreateCourseInput'] & { externalId: string };
  /** The demo's id and times, which replace the values that the service generated. */
  fixed: { id: string; created_at: string; updated_at: string };
}

export function listOwnCourses({ handle }: DemoCompany): OwnCourse[] {
  return DEMO_COURSES.filter(({ owner }) => owner === handle).map((course) => {
    return { course: { ...toInput(course), externalId: course.externalId! }, fixed: toFixed(course) };
  });
}

function toInput(course: DemoCourse): Schemas['CreateCourseInput'] {
  return {
    name: course.name,
    displayName: course.displayName,
    subject: course.subject,
    difficulty: course.difficulty,
    description: course.description,
    durationMinutes: course.durationMinutes,
    passMark: course.passMark,
    locales: course.locales,
  };
}

function toFixed(course: DemoCourse): OwnCourse['fixed'] {
  return { id: courseId(course), created_at: course.createdAt, updated_at: course.updatedAt };
}

export function courseNamed(name: string): DemoCourse {
  const course = DEMO_COURSES.find((candidate) => candidate.name === name);
  if (!course) throw new Error(`The demo has no course ${name}`);
  return course;
}

export function courseId(course: DemoCourse): string {
  return fixedId(Date.parse(course.createdAt), 'course', DEMO_COURSES.indexOf(course));
}

export function ownerId({ owner }: DemoCourse): string {
  return owner === undefined ? MANAGED_CATALOGUE : companyId(findCompany(owner));
}

/** Returns the key by which a learning platform refers to a course. */
export function toKey(course: DemoCourse): Schemas['CourseKey'] {
  return course.externalId === undefined ? { id: courseId(course) } : { externalId: course.externalId };
}
