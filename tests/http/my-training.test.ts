/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content"} */
import { get } from '../support/client.ts';
import { Learner } from '../support/learner.ts';
import { nameWrittenCourses } from '../support/player.ts';
import { learnerId, managedCourses } from '../support/world.ts';

const textOf = ({ html }: { html: string }) => html.replace(/.*<main/s, '').replace(/<[^>]+>|\s+/g, ' ');
const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);

beforeAll(nameWrittenCourses);

test('lists open and finished courses with scores and links', async () => {
  const learner = await Learner.of('tenant', 1);
  const page = await learner.get('/learn');
  expect(textOf(page)).toMatch(
    /Hello Ada.*To do.*The strong-passwords course.*started.*Done.*Phishing.*passed with 92\.5%/,
  );
  expect(page.html).toContain(`href="/learn/courses/${managedCourses.phishing}"`);
  const [, certificate] = /href="(\/learn\/certificates\/[^"]+)"/.exec(page.html)!;
  expect((await learner.get(certificate!)).status).toBe(200);
  const other = textOf(await (await Learner.of('tenant', 2)).get('/learn'));
  expect(other).toMatch(/To do.*Phishing.*not passed yet, with 60%.*Done.*Gap analysis.*71\.25% correct/);
});

test('lists exactly the policies that a learner must sign or can read', async () => {
  const learner = await Learner.of('tenant', 1);
  const listed = async () =>
    [...(await learner.get('/learn')).html.matchAll(/learn\/policies\/([0-9a-f-]+)"/g)].map(([, id]) => id);
  const own = [learnerId('tenant', 1)];
  const asked = await query(
    `select p.id from policies p join policy_results r on r.policy_id = p.id
      where r.learner_id = $1 and r.assigned_at is not null and p.live_version_id is not null`,
    own,
  );
  expect(asked.length).toBeGreaterThan(0);
  expect((await listed()).toSorted()).toEqual(asked.map(({ id }) => id).toSorted());
  await query('update policies set is_public = true');
  expect((await listed()).length).toBeGreaterThan(asked.length);
  for (const id of await listed()) expect((await learner.get(`/learn/policies/${id}`)).status).toBe(200);
});

test("is in the learner's language and reports if there is nothing to do", async () => {
  await query(`update learners set locale = 'de' where id = $1`, [learnerId('other', 4)]);
  const page = await (await Learner.of('other', 4)).get('/learn');
  expect(textOf(page)).toContain('Es gibt nichts zu tun.');
});

test("names courses in the learner's language, or else by their default name, as the API and the course page do", async () => {
  await query(`update learners set locale = 'de-CH' where id = $1`, [learnerId('tenant', 2)]);
  const learner = await Learner.of('tenant', 2);
  const { body } = await get('/courses');
  const gapAnalysis = body.data.find(({ type }: { type: string }) => type === 'gap_analysis');
  expect(gapAnalysis.localizedNames).toEqual([
    { locale: 'de', name: 'Wissensstand' },
    { locale: 'en', name: 'Gap analysis' },
  ]);
  const listed = textOf(await learner.get('/learn'));
  expect(listed).toMatch(/Grundlagen zu Phishing.*Wissensstand/);
  await query(
    `update courses set localized_names = '{}', display_name = 'Anders', duration_minutes = 17 where id = $1`,
    [managedCourses.phishing],
  );
  expect(textOf(await learner.get('/learn'))).toContain('Anders');
  const page = textOf(await learner.get(`/learn/courses/${managedCourses.phishing}`));
  expect(page).toMatch(/Anders.*Etwa 17 Minuten/);
  await nameWrittenCourses();
});

test('lists no courses and policies for a company without the modules', async () => {
  await query('update companies set smlearn = false, smpolicy = false where name = $1', ['The childA company']);
  const page = await (await Learner.of('childA', 1)).get('/learn');
  expect(page.html).not.toMatch(/href="\/learn\/(courses|policies)\//);
});
