import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContent, SHIPPED_CONTENT } from '../../src/resources/courses/authored/read-content.ts';
import { get, post } from '../support/client.ts';
import { learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { expectRefusal, run, stopServices } from './support.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(stopServices);

/** Runs the command on a file with these courses. */
function load(courses: object[], ...args: string[]) {
  return loadFile(JSON.stringify({ courses }, null, 2), ...args);
}
async function loadFile(content: string | Buffer, ...args: string[]) {
  const file = join(folder, 'catalogue.json');
  await writeFile(file, content);
  return run(['src/commands/catalogue.ts', file, ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });
}
const linesOf = async (...args: Parameters<typeof load>) => {
  const { code, stdout, stderr } = await load(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
};
const stored = () => testService.query('select * from courses order by id');

const phishing = {
  ...{ id: managedCourses.phishing, externalId: 'cat-1', name: 'phishing-basics', displayName: 'Phishing basics' },
  ...{ subject: 'Phishing', difficulty: 2, passMark: 70, locales: ['en', 'de_CH'], durationMinutes: 12 },
};
const mobile = {
  ...{ externalId: 'cat-2', name: 'mobile-devices', subject: 'Devices', difficulty: 1, passMark: 80, locales: ['en'] },
};

test('a dry run reports what a run would change, and changes nothing', async () => {
  const before = await stored();
  const lines = await linesOf([phishing, mobile], '--dry-run');
  expect(lines).toEqual([
    expect.stringMatching(
      /^changed {3}phishing-basics: externalId, displayName, difficulty, durationMinutes, passMark/,
    ),
    'new       mobile-devices',
    '1 new, 1 changed, 0 unchanged, 2 not in the file. Dry run: nothing was written.',
  ]);
  expect(await stored()).toEqual(before);
});

test('a running service returns the loaded courses at once, and the same file changes nothing', async () => {
  expect((await linesOf([phishing, mobile])).at(-1)).toBe('1 new, 1 changed, 0 unchanged, 2 not in the file.');
  const { id } = (await get('/courses?source=managed')).body.data.at(-1);
  const made = { externalId: null, name: 'mobile-devices', displayName: 'mobile-devices', source: 'managed' };
  expect((await get(`/courses/${id}`)).body.data).toMatchObject({ ...made, description: null, passMark: 80 });
  const changed = { passMark: 70, difficulty: 2, locales: ['en', 'de-CH'], durationMinutes: 12 };
  expect((await get(`/courses/${managedCourses.phishing}`)).body.data).toMatchObject(changed);
  const before = await stored();
  expect(await linesOf([phishing, mobile])).toEqual(['0 new, 0 changed, 2 unchanged, 2 not in the file.']);
  expect(await stored()).toEqual(before);
});

test('a retired course accepts no enrolment until it is restored', async () => {
  const enrol = () => post('/course-enrollments', { learnerIds: [learnerId('tenant', 4)], courseIds: [phishing.id] });
  expect(await linesOf([{ ...phishing, retired: true }])).toContain('retired    phishing-basics');
  expect((await enrol()).body.data.failures).toMatchObject([{ code: 'course_retired' }]);
  expect(await linesOf([phishing])).toContain('restored   phishing-basics');
  expect((await enrol()).body.data.success).toBe(true);
});

test.each<[string, object[], RegExp]>([
  ['an invalid value', [phishing, { ...mobile, passMark: 101 }], /line \d+, courses\/1\/passMark: must be at most 100/],
  [
    'the id of a company’s course',
    [{ ...mobile, id: ownCourseId('other'), externalId: 'cat-3' }],
    /belongs to a course that a company created/,
  ],
  ['a second gap analysis', [{ ...mobile, externalId: 'cat-4', type: 'gap_analysis' }], /another gap analysis/],
  ['a changed type', [{ ...phishing, type: 'gap_analysis' }], /courses\/0\/type/],
])('a file with %s changes nothing', async (_case, courses, reason) => {
  const before = await stored();
  const { code, stderr } = await load([...courses, { ...mobile, externalId: 'cat-5' }]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
  expect(await stored()).toEqual(before);
});

test('a file is read as UTF-8 with or without a byte order mark, and rejected in another encoding', async () => {
  const text = JSON.stringify({ courses: [{ ...mobile, displayName: 'Geräte' }] });
  expect((await loadFile(`\ufeff${text}`, '--dry-run')).code).toBe(0);
  for (const encoding of ['latin1', 'utf16le'] as const) {
    expectRefusal(await loadFile(Buffer.from(text, encoding), '--dry-run'), 1, /is not valid UTF-8/);
  }
});

test('two simultaneous loads create a course once', async () => {
  const file = [{ ...mobile, externalId: 'cat-6', name: 'twice' }];
  const runs = await Promise.all([linesOf(file), linesOf(file)]);
  expect(runs.map(([line]) => line).sort()).toEqual([
    expect.stringMatching(/^0 new, 0 changed, 1 unchanged/),
    'new       twice',
  ]);
});

test('--shipped loads courses and simulation templates, and changes and restores nothing the second time', async () => {
  const load = (...args: string[]) =>
    run(['src/commands/catalogue.ts', '--shipped', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });
  const content = await readContent(SHIPPED_CONTENT);
  const courses = content.courses.filter(({ pieceOf }) => pieceOf === null);
  expect(await load()).toMatchObject({ code: 0, stderr: '' });
  const names = (await stored()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(courses.map(({ slug }) => slug)));
  const templates = () => testService.query('select * from simulation_templates where custom_of is null order by id');
  const [first] = await templates();
  await testService.query('update courses set retired_at = now() where id = $1', [courses[0]?.id]);
  await testService.query('update simulation_templates set retired_at = now() where id = $1', [first!.id]);
  const before = [await stored(), await templates()];
  expect(before[1]!.length).toBeGreaterThanOrEqual(20);
  const { stdout } = await load();
  expect(stdout).toMatch(`0 new, 0 changed, ${courses.length} unchanged`);
  expect(stdout).toMatch(`Simulation templates: 0 new, 0 changed, ${before[1]!.length} unchanged`);
  expect([await stored(), await templates()]).toEqual(before);
  await testService.query(`update simulation_templates set name = 'Another' where id = $1`, [first!.id]);
  expect((await load()).stdout).toMatch(`changed   ${first!.name as string}\nSimulation templates: 0 new, 1 changed`);
  const pieces = content.courses.length - courses.length;
  expect((await load('--pieces')).stdout).toMatch(`${pieces} new, 0 changed, ${courses.length} unchanged`);
  const { body } = await get('/courses?source=managed');
  expect(body.data).toContainEqual(
    expect.objectContaining({
      ...{ name: 'phishing-what-it-wants', displayName: 'What does the message want from you?' },
      subject: 'Spotting deceptive messages',
    }),
  );
  expect(await templates()).toEqual(before[1]!.map((row) => ({ ...row, updated_at: expect.anything() })));
});

test('a missing file, a missing argument and an unknown option are rejected', async () => {
  const call = (...args: string[]) => run(['src/commands/catalogue.ts', ...args], {});
  expectRefusal(await call(join(folder, 'none.json')), 1, /Cannot read .*none\.json: ENOENT/);
  expectRefusal(await call(), 64, /Give one file or --shipped/);
  expectRefusal(await call('--shipped', 'x'), 64, /Give one file or --shipped/);
  expectRefusal(await call('x', '--pieces'), 64, /--pieces needs --shipped/);
  expectRefusal(await call('--wet-run', 'x'), 64, /Unknown option/);
  expect((await call('--help')).stdout).toMatch(/^The managed catalogue/);
});
