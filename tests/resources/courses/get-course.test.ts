import { expectError, get } from '../../support/client.ts';
import { companies, type CompanyName, learnerId, managedCourses, ownCourseId } from '../../support/world.ts';

const edge = '0192b002-0000-7000-8000-000000000001';

async function insertCourse(fields: Record<string, unknown>): Promise<void> {
  const row = {
    owner_id: companies.tenant,
    id: edge,
    type: 'training',
    name: 'edge',
    display_name: 'Edge',
    subject: 'Edges',
    difficulty: 1,
    pass_mark: 80,
    locales: ['en'],
    ...fields,
  };
  await testService.query(
    `insert into courses (${Object.keys(row).join()}) values (${Object.keys(row)
      .map((_, n) => `$${n + 1}`)
      .join()})`,
    Object.values(row),
  );
}

afterEach(() => testService.query('delete from courses where id = $1', [edge]));

describe('GET /courses/{courseId}', () => {
  test('returns a managed course with all its fields and no others', async () => {
    const { status, body } = await get(`/courses/${managedCourses.passwords}`);
    expect(status).toBe(200);
    const { createdAt, updatedAt, ...course } = body.data;
    expect(course).toEqual({
      id: managedCourses.passwords,
      externalId: null,
      name: 'strong-passwords',
      displayName: 'The strong-passwords course',
      localizedNames: [],
      subject: 'Passwords',
      difficulty: 2,
      source: 'managed',
      type: 'training',
      autoEnrol: false,
      retiredAt: null,
      description: null,
      durationMinutes: null,
      passMark: 80,
      validForMonths: null,
      locales: ['en', 'de'],
    });
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(3_600_000);
    expect(updatedAt).toBe(createdAt);
  });

  test('returns a custom course with every field as stored', async () => {
    const text = "Zoe\u0308 🦊 مرحبا <b>&'; drop table courses; --\n";
    await insertCourse({
      name: text,
      display_name: `${text}2`,
      subject: `${text}3`,
      description: text.repeat(500),
      difficulty: 5,
      duration_minutes: 12,
      pass_mark: 65,
      locales: ['zh-Hant-TW', 'en', 'de-CH'],
      created_at: '2026-01-05T09:00:00.007Z',
      external_id: 'lms 17',
      updated_at: '2026-02-11T14:20:00Z',
    });
    expect((await get(`/courses/${edge}`)).body.data).toEqual({
      id: edge,
      externalId: 'lms 17',
      name: text,
      displayName: `${text}2`,
      localizedNames: [],
      subject: `${text}3`,
      difficulty: 5,
      source: 'custom',
      type: 'training',
      autoEnrol: false,
      retiredAt: null,
      description: text.repeat(500),
      durationMinutes: 12,
      passMark: 65,
      validForMonths: null,
      locales: ['zh-Hant-TW', 'en', 'de-CH'],
      createdAt: '2026-01-05T09:00:00.007Z',
      updatedAt: '2026-02-11T14:20:00.000Z',
    });
  });

  test('returns zeros, an empty description and empty locales unchanged, not as null', async () => {
    const zeros = { description: '', locales: [] };
    await insertCourse({ ...zeros, duration_minutes: 0, pass_mark: 0 });
    expect((await get(`/courses/${edge}`)).body.data).toMatchObject({ ...zeros, durationMinutes: 0, passMark: 0 });
  });

  test('every listed course can be read and matches the list', async () => {
    const { body: list } = await get('/courses');
    expect(list.data).toHaveLength(4);
    for (const item of list.data) {
      expect((await get(`/courses/${item.id}`)).body.data).toMatchObject(item);
    }
  });

  test('the gap analysis is read like any managed course', async () => {
    const { body } = await get(`/courses/${managedCourses.gapAnalysis}`, 'childA');
    expect(body.data).toMatchObject({ type: 'gap_analysis', source: 'managed' });
  });

  test.each<[CompanyName, CompanyName]>([
    ['tenant', 'other'],
    ['msp', 'childA'],
    ['childA', 'msp'],
    ['childA', 'childB'],
    ['distributor', 'childA'],
  ])('a key of %s gets the same 404 for a course of %s as for an unknown course', async (key, owner) => {
    const foreign = await get(`/courses/${ownCourseId(owner)}`, key);
    expectError(foreign, 404, 'not_found');
    const unknown = await get(`/courses/${ownCourseId(key).replace(/.$/, 'f')}`, key);
    expect(foreign.body).toEqual(unknown.body);
    expect((await get(`/courses/${ownCourseId(owner)}`, owner)).status).toBe(200);
  });

  test.each<[CompanyName, CompanyName]>([
    ['msp', 'childA'],
    ['msp', 'childB'],
    ['distributor', 'childA'],
  ])('a key of %s reads the custom course of %s, which its reports name, with companyId', async (key, child) => {
    const query = `?companyId=${companies[child]}`;
    const named = (await get(`/reports/course-results${query}`, key)).body.data as { course: { id: string } }[];
    const own = named.find(({ course }) => course.id === ownCourseId(child))!.course;
    const { body } = await get(`/courses/${own.id}${query}`, key);
    expect(body.data).toMatchObject({ ...own, source: 'custom' });
    expect(body).toEqual((await get(`/courses/${own.id}`, child)).body);
    expectError(await get(`/courses/${ownCourseId(key)}${query}`, key), 404, 'not_found');
  });

  test.each<[CompanyName, CompanyName]>([
    ['tenant', 'other'],
    ['childA', 'msp'],
    ['strangerMsp', 'childA'],
  ])('a key of %s gets 403 for a course of %s with companyId', async (key, other) => {
    expectError(await get(`/courses/${ownCourseId(other)}?companyId=${companies[other]}`, key), 403, 'forbidden');
  });

  test("the id of a learner, a company or the catalogue's owner returns 404", async () => {
    const catalogue = '00000000-0000-0000-0000-000000000000';
    for (const id of [learnerId('tenant', 1), companies.tenant, catalogue]) {
      expectError(await get(`/courses/${id}`), 404, 'not_found');
    }
  });
});
