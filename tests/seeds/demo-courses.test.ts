/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { ask, END, holders } from './seeded.ts';

/** Columns that the tests use, with the name of the owner of a custom course and of the owner's parent. */
interface Course {
  id: string;
  external_id: string | null;
  owner: string | null;
  owner_parent: string | null;
  type: string;
  name: string;
  display_name: string;
  subject: string;
  difficulty: number;
  description: string;
  duration_minutes: number;
  locales: string[];
  created_at: Date;
  updated_at: Date;
}

let courses: Course[];

beforeAll(async () => {
  courses = (await testService.query(`
    select courses.*, companies.name as owner, parents.name as owner_parent
      from courses left join companies on companies.id = custom_of
      left join companies parents on parents.id = companies.parent_id
     order by courses.id`)) as unknown as Course[];
});

const isTraining = ({ type }: Course) => type === 'training';

describe('the courses of the demo', () => {
  test('include a managed catalogue of at least twelve courses of every difficulty, and one gap analysis', () => {
    const managed = courses.filter(({ owner }) => owner === null);
    expect(managed.filter(isTraining).length).toBeGreaterThanOrEqual(12);
    expect(new Set(managed.map(({ difficulty }) => difficulty))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(new Set(managed.map(({ subject }) => subject)).size).toBeGreaterThanOrEqual(10);
    const others = courses.filter((course) => !isTraining(course));
    expect(others).toMatchObject([{ type: 'gap_analysis', subject: 'All subjects', owner: null }]);
  });

  test('include custom courses with external ids: two of one tenant, and one each of two others', async () => {
    const own = courses.filter(({ owner }) => owner !== null);
    const [tenant, otherTenant, msp] = await Promise.all(
      (['tenant', 'otherTenant', 'msp'] as const).map(async (holder) => (await ask(holder, '/company')).name),
    );
    expect(own.filter(({ owner }) => owner === tenant)).toHaveLength(2);
    expect(own.filter(({ owner }) => owner === otherTenant)).toHaveLength(1);
    expect(own.filter(({ owner_parent }) => owner_parent === msp)).toHaveLength(1);
    expect(own).toHaveLength(4);
    expect(own.filter(({ external_id }) => external_id === null)).toEqual([]);
  });

  test('have complete descriptions and unique names', () => {
    for (const course of courses) {
      expect(course.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(course.description.length).toBeGreaterThan(60);
      expect(course.description).toMatch(/\.$/);
      expect(course.duration_minutes).toBeGreaterThan(0);
      expect(course.locales).toContain('en');
      expect(new Set(course.locales).size).toBe(course.locales.length);
      expect(course.updated_at.getTime()).toBeGreaterThanOrEqual(course.created_at.getTime());
      expect(course.created_at.toISOString() >= '2024' && course.updated_at.toISOString() < END).toBe(true);
    }
    for (const field of ['name', 'display_name', 'description'] as const) {
      expect(new Set(courses.map((course) => course[field])).size).toBe(courses.length);
    }
  });

  test.each(holders)('are listed for the key of %s: the catalogue and its own courses', async (holder) => {
    const [company, listed] = await Promise.all([ask(holder, '/company'), ask(holder, '/courses')]);
    const visible = courses.filter(({ owner }) => owner === null || owner === company.name);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(visible.map(({ id }) => id));
    for (const { id } of visible) expect(await ask(holder, `/courses/${id}`)).toMatchObject({ id });
  });
});
