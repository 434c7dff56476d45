import { type Answer, expectError, get } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId } from '../../support/world.ts';
import { fieldsOf } from '../tenant-state.ts';
import { insertCourses } from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const managed = [phishing, passwords, gapAnalysis];
const own = ownCourseId('tenant');
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

describe('GET /courses', () => {
  test('lists managed and custom courses by id, with only the fields of a list', async () => {
    const { status, body } = await get('/courses');
    expect(status).toBe(200);
    const shared = { difficulty: 1, source: 'managed', type: 'training', autoEnrol: false, retiredAt: null };
    const named = (id: string, name: string) => ({
      ...shared,
      id,
      externalId: null,
      name,
      displayName: `The ${name} course`,
      localizedNames: [],
    });
    expect(body.data).toEqual([
      { ...named(phishing, 'phishing-basics'), subject: 'Phishing' },
      { ...named(passwords, 'strong-passwords'), subject: 'Passwords', difficulty: 2 },
      { ...named(gapAnalysis, 'gap-analysis'), subject: 'All', type: 'gap_analysis' },
      { ...named(own, 'own-tenant'), subject: 'Own', source: 'custom' },
    ]);
  });

  test.each([
    ['type=all', [...managed, own]],
    ['type=training', [phishing, passwords, own]],
    ['type=gap_analysis', [gapAnalysis]],
    ['source=all', [...managed, own]],
    ['source=managed', managed],
    ['source=custom', [own]],
    ['type=all&source=all', [...managed, own]],
    ['type=training&source=managed', [phishing, passwords]],
    ['type=training&source=custom', [own]],
    ['type=gap_analysis&source=managed', [gapAnalysis]],
    ['type=gap_analysis&source=custom', []],
    ['excludeGapAnalysis=true', [phishing, passwords, own]],
    ['excludeGapAnalysis=false', [...managed, own]],
    ['excludeGapAnalysis=true&type=all', [phishing, passwords, own]],
    ['excludeGapAnalysis=true&type=training', [phishing, passwords, own]],
    ['excludeGapAnalysis=false&type=training', [phishing, passwords, own]],
    ['excludeGapAnalysis=false&type=gap_analysis', [gapAnalysis]],
    ['excludeGapAnalysis=true&source=managed', [phishing, passwords]],
    ['excludeGapAnalysis=true&source=custom', [own]],
    ['excludeGapAnalysis=true&source=custom&type=training', [own]],
  ])('%s lists exactly the matching courses', async (query, expected) => {
    const answer = await get(`/courses?${query}`);
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(expected);
  });

  test.each(['', '&source=all', '&source=managed', '&source=custom'])(
    'type=gap_analysis with excludeGapAnalysis=true%s returns 400 naming either parameter',
    async (more) => {
      const answer = await get(`/courses?excludeGapAnalysis=true&type=gap_analysis${more}`);
      expectError(answer, 400, 'invalid_request');
      expect(['query/type', 'query/excludeGapAnalysis']).toContain(fieldsOf(answer)[0]);
    },
  );

  test.each([
    ['type', 'Training'],
    ['type', ''],
    ['type', 'gap-analysis'],
    ['type', 'custom'],
    ['type', 'training%00'],
    ['type', 'training&type=gap_analysis'],
    ['type', 'training,gap_analysis'],
    ['source', 'own'],
    ['source', ''],
    ['source', 'managed&source=custom'],
    ['excludeGapAnalysis', ''],
    ['excludeGapAnalysis', '1'],
    ['excludeGapAnalysis', 'TRUE'],
    ['excludeGapAnalysis', 'yes'],
    ['excludeGapAnalysis', 'null'],
    ['excludeGapAnalysis', 'true&excludeGapAnalysis=false'],
  ])('%s=%s returns 400 naming the parameter', async (name, value) => {
    const answer = await get(`/courses?${name}=${value}`);
    expectError(answer, 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set([`query/${name}`]));
  });

  test.each(['other', 'msp', 'childA', 'distributor', 'prospect'] as const)(
    'a key of %s lists the catalogue and its own course, and no course of related companies',
    async (company) => {
      expect(idsOf(await get('/courses', company))).toEqual([...managed, ownCourseId(company)]);
      expect(idsOf(await get('/courses?source=custom', company))).toEqual([ownCourseId(company)]);
    },
  );

  test('a company without custom courses lists only the catalogue', async () => {
    await testService.query('delete from enrollments where course_id = $1', [ownCourseId('childB')]);
    await testService.query('delete from campaigns where company_id = $1', [companies.childB]);
    await testService.query('delete from course_packages where course_id = $1', [ownCourseId('childB')]);
    await testService.query('delete from courses where id = $1', [ownCourseId('childB')]);
    expect(idsOf(await get('/courses', 'childB'))).toEqual(managed);
    expect((await get('/courses?source=custom', 'childB')).text).toBe('{"data":[]}');
  });

  test('custom courses with lower ids come before managed courses', async () => {
    const eldest = '01900000-0000-7000-8000-000000000000';
    await testService.query(
      `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
       values ($1, $2, 'training', 'eldest', 'Eldest', 'Own', 5, 0, '{}')`,
      [companies.directChild, eldest],
    );
    const expected = [eldest, ...managed, ownCourseId('directChild')];
    expect(idsOf(await get('/courses', 'directChild'))).toEqual(expected);
  });

  test('lists 3,500 courses completely and in order, with any filter', async () => {
    const many = await insertCourses('strangerMsp', 3500);
    const custom = [ownCourseId('strangerMsp'), ...many];
    const answer = await get('/courses', 'strangerMsp');
    expect(idsOf(answer)).toEqual([...managed, ...custom]);
    expect(answer.body.data[10]).toMatchObject({ name: 'many-7', displayName: 'Überblick 🦊 7', difficulty: 3 });
    expect(idsOf(await get('/courses?source=custom', 'strangerMsp'))).toEqual(custom);
    expect(idsOf(await get('/courses?type=gap_analysis', 'strangerMsp'))).toEqual([gapAnalysis]);
  });
});
