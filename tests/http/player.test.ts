/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content"} */
import { fingerprintOf, get, post } from '../support/client.ts';
import { askPage, Learner } from '../support/learner.ts';
import { choose, hiddenFields, nameWrittenCourses, take } from '../support/player.ts';
import { companies, learnerId, managedCourses, ownCourseId, unknownId } from '../support/world.ts';

const COURSE = `/learn/courses/${managedCourses.phishing}`;
const RIGHT = ['', 'first=b', '', 'signs=a&signs=b', 'last=b'];
const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);

const resultOf = async (number: 1 | 2 | 3 | 4, course = managedCourses.phishing) => {
  const { body } = await get(`/learners/${learnerId('tenant', number)}/course-results?attempts=all`);
  return body.data.filter(({ courseId }: { courseId: string }) => courseId === course);
};

/** Takes all steps of the course with the given choices. */
async function takeAll(learner: Learner, choices: readonly string[]): Promise<void> {
  for (const [place, choice] of choices.entries()) await take(learner, `${COURSE}/${place + 1}`, choice);
}

beforeAll(nameWrittenCourses);

test('a learner takes a course step by step, and the result is in reports at once', async () => {
  await get('/events');
  const learner = await Learner.of('tenant', 3);
  const page = await learner.get(COURSE);
  expect(page.html).toMatch(/<h1>Phishing &lt;basics><\/h1>/);
  expect((await choose(learner, COURSE, page)).headers.get('location')).toBe(`${COURSE}/1`);
  const lesson = await learner.get(`${COURSE}/1`);
  expect(lesson.html).toMatch(/<h1>What it wants<\/h1>.*<blockquote>.*<h2>Look twice<\/h2>/s);
  expect(await take(learner, `${COURSE}/1`)).toBe(`${COURSE}/2`);
  expect(await take(learner, `${COURSE}/2`, 'first=a')).toBe(`${COURSE}/2`);
  const answered = await learner.get(`${COURSE}/2`);
  expect(answered.html).toMatch(/not quite right.*The answer goes to whoever wrote.*That protects the others/s);
  await learner.get(COURSE).then(({ html }) => expect(html).toContain('You have done 2 of 5 parts'));
  for (const place of [3, 4, 5]) await take(learner, `${COURSE}/${place}`, RIGHT[place - 1]);
  expect(await resultOf(3)).toMatchObject([
    { attempt: 1, score: 66.67, grade: 'fail', finishDate: expect.any(String) },
  ]);
  const { data } = (await get(`/reports/learning?learnerId=${learnerId('tenant', 3)}&status=finished`)).body;
  expect(data.rows).toContainEqual(expect.objectContaining({ courseId: managedCourses.phishing, score: 66.67 }));
  expect((await learner.get(COURSE)).html).toMatch(/You scored 66\.67%.*Try again/s);
  const events = await query("select type from events where company_id = $1 and data ? 'attemptId' order by id", [
    companies.tenant,
  ]);
  expect(events).toEqual([{ type: 'enrollment.started' }, { type: 'enrollment.completed' }]);
  const entries = await query(`select * from audit_log where actor_type = 'learner' and operation <> 'signIn'`);
  expect(entries.map(({ operation, actor_id: id }) => [operation, id])).toEqual(
    ['beginCourse', 'finishCourse'].map((operation) => [operation, learnerId('tenant', 3)]),
  );
});

test('a learner who failed can begin again at once, one who passed cannot', async () => {
  const learner = await Learner.of('tenant', 3);
  const page = await learner.get(COURSE);
  const twice = await Promise.all([choose(learner, COURSE, page), choose(learner, COURSE, page)]);
  expect(twice.map(({ headers }) => headers.get('location'))).toEqual([`${COURSE}/1`, `${COURSE}/1`]);
  expect(await resultOf(3)).toMatchObject([{ attempt: 1 }, { attempt: 2, finishDate: null }]);
  await takeAll(learner, RIGHT);
  expect(await resultOf(3)).toMatchObject([{ attempt: 1 }, { attempt: 2, score: 100, grade: 'pass' }]);
  const passed = await learner.get(COURSE);
  expect(passed.html).toContain('You passed with 100%');
  expect(passed.html).toMatch(/href="\/learn\/certificates\/[0-9a-f-]{36}"/);
  expect(passed.html).not.toContain('Try again');
  await learner.post(COURSE);
  expect(await resultOf(3)).toHaveLength(2);
});

test('repeated, early, late and foreign answers change nothing', async () => {
  const learner = await Learner.of('tenant', 2);
  await learner.post(COURSE);
  const first = await learner.get(`${COURSE}/1`);
  const kept = () => query('select parts from course_progress where learner_id = $1', [learnerId('tenant', 2)]);
  expect((await learner.get(`${COURSE}/4`)).headers.get('location')).toBe(`${COURSE}/1`);
  const early = { ...hiddenFields(first), version: 'x' };
  expect((await learner.post(`${COURSE}/4`, { ...early, signs: 'a' })).status).toBe(409);
  expect((await learner.post(`${COURSE}/1`, { ...hiddenFields(first), attempt: unknownId })).status).toBe(409);
  expect((await learner.post(`${COURSE}/1`)).status).toBe(409);
  expect(await kept()).toEqual([{ parts: {} }]);
  await take(learner, `${COURSE}/1`);
  const second = await learner.get(`${COURSE}/2`);
  await Promise.all([
    choose(learner, `${COURSE}/2`, second, 'first=b'),
    choose(learner, `${COURSE}/2`, second, 'first=b'),
  ]);
  const before = await kept();
  await choose(learner, `${COURSE}/2`, second, 'first=a');
  expect(await kept()).toEqual(before);
  for (const place of [3, 4, 5]) await take(learner, `${COURSE}/${place}`, RIGHT[place - 1]);
  const results = await resultOf(2);
  expect((await choose(learner, `${COURSE}/2`, second, 'first=a')).status).toBe(303);
  expect(await resultOf(2)).toEqual(results);
});

test('a step without a valid answer returns 400 and is shown again with the reason', async () => {
  await post('/course-enrollments', { learnerIds: [learnerId('tenant', 4)], courseIds: [managedCourses.phishing] });
  const learner = await Learner.of('tenant', 4);
  await learner.post(COURSE);
  await take(learner, `${COURSE}/1`);
  const page = await choose(learner, `${COURSE}/2`, await learner.get(`${COURSE}/2`), 'first=x');
  expect(page.status).toBe(400);
  expect(page.html).toMatch(/<fieldset aria-describedby="first-fault">.*id="first-fault" role="alert"/s);
});

test('only parts that changed in the meantime must be repeated', async () => {
  const learner = await Learner.of('tenant', 4);
  await take(learner, `${COURSE}/2`, 'first=b');
  await query(`update course_progress set parts = jsonb_set(parts, '{lesson:01-what-it-wants,version}', '"old"')`);
  expect((await learner.get(`${COURSE}/3`)).headers.get('location')).toBe(`${COURSE}/1`);
  await take(learner, `${COURSE}/1`);
  expect((await learner.get(COURSE)).html).toContain(`href="${COURSE}/3"`);
});

test('opening pages changes nothing', async () => {
  const learner = await Learner.of('tenant', 4);
  const before = await fingerprintOf('tenant');
  for (const path of [COURSE, `${COURSE}/1`, `${COURSE}/3`, '/learn/gap-analysis']) await learner.get(path);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test("pages use the learner's language, the language of the link, or English", async () => {
  await query(`update learners set locale = 'fr' where id = $1`, [learnerId('tenant', 4)]);
  const learner = await Learner.of('tenant', 4);
  expect((await learner.get(COURSE)).html).toMatch(/<html lang="en">.*Phishing &lt;basics>/s);
  const german = await learner.get(`${COURSE}?language=de`);
  expect(german.html).toMatch(/<html lang="de">.*Grundlagen zu Phishing/s);
  expect(german.html).toContain(`href="${COURSE}/3?language=de"`);
  expect(await take(learner, `${COURSE}/3?language=de`)).toBe(`${COURSE}/4?language=de`);
  expect((await learner.get(`${COURSE}?language=xx`)).status).toBe(200);
});

test('a missing course returns 404, and an unassigned or external one is explained', async () => {
  const learner = await Learner.of('tenant', 4);
  const statusOf = async (path: string) => (await learner.get(path)).status;
  for (const id of [unknownId, 'x', ownCourseId('other')]) expect(await statusOf(`/learn/courses/${id}`)).toBe(404);
  for (const step of ['0', '6', 'x', '1.5']) expect(await statusOf(`${COURSE}/${step}`)).toBe(404);
  expect((await learner.get(`/learn/courses/${managedCourses.passwords}`)).html).toContain('Vous n’êtes pas inscrit');
  expect((await learner.post(`/learn/courses/${managedCourses.passwords}`)).status).toBe(404);
  const elsewhere = await (await Learner.of('tenant', 1)).get(`/learn/courses/${managedCourses.passwords}`);
  expect(elsewhere).toMatchObject({ status: 200, html: expect.stringContaining('learning platform, not here') });
});

test('a retired course cannot be started, but can be finished', async () => {
  await query('update courses set retired_at = now() where id = $1', [managedCourses.phishing]);
  const begun = await Learner.of('tenant', 4);
  await take(begun, `${COURSE}/4`, 'signs=a&signs=b');
  expect(await take(begun, `${COURSE}/5`, 'last=b')).toBe(`${COURSE}/5`);
  expect(await resultOf(4)).toMatchObject([{ grade: 'pass' }]);
  const other = await Learner.of('other', 3);
  expect((await other.get(COURSE)).html).toContain('no longer offered');
  await other.post(COURSE);
  expect(await query('select from course_progress where company_id = $1', [companies.other])).toEqual([]);
});

test('the gap analysis asks by subject and shows the share of correct answers', async () => {
  await post('/gap-analysis/enrollments', { learnerIds: [learnerId('tenant', 3)] });
  const learner = await Learner.of('tenant', 3);
  const path = (await learner.get('/learn/gap-analysis')).headers.get('location')!;
  expect(path).toBe(`/learn/courses/${managedCourses.gapAnalysis}`);
  await learner.post(path);
  expect((await learner.get(`${path}/1`)).html).toContain('<h1>Phishing &lt;basics></h1>');
  await take(learner, `${path}/1`, 'hook=a&line=a');
  expect((await learner.get(path)).html).toMatch(/50% of the questions.*<td>1 of 2<\/td>/s);
  const { body } = await get(`/learners/${learnerId('tenant', 3)}/gap-analysis-results`);
  expect(body.data).toMatchObject([{ score: 50, grade: 'fail' }]);
});

test('pictures are public, immutable and sandboxed', async () => {
  const { html } = await (await Learner.of('tenant', 2)).get(`${COURSE}/1`);
  const picture = await askPage(/<img src="([^"]+)"/.exec(html)![1]!);
  expect(picture.status).toBe(200);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': expect.stringContaining('immutable'),
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  for (const wrong of ['phishing-basics/letter.svg', '..%2F..%2Fx/letter.svg', '__proto__/x']) {
    expect((await askPage(`/learn/pictures/${wrong}`)).status).toBe(404);
  }
});
