/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content", "SIMULATION_SENDER_DOMAINS": "parcels.example", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { createPersonToken } from '../../src/identity/person-token.ts';
import { fingerprintOf, get } from '../support/client.ts';
import { askPage, Learner, type Page } from '../support/learner.ts';
import { hiddenFields, nameWrittenCourses } from '../support/player.ts';
import { forgetSimulations, type MailedSimulation, makeMailedSimulation } from '../support/own-simulations.ts';
import { learnerId, managedCourses } from '../support/world.ts';

const COURSE = `courses/${managedCourses.phishing}`;
let simulation: MailedSimulation;
let home: string;

beforeAll(nameWrittenCourses);
beforeEach(async () => {
  await testService.query('delete from enrollments where learner_id = $1', [learnerId('tenant', 4)]);
  simulation = await makeMailedSimulation([3, 4]);
  await testService.query(
    'update simulations set training_course_id = $2, training_course_owner_id = managed_catalogue() where id = $1',
    [simulation.id, managedCourses.phishing],
  );
  home = simulation.linkOf(4).replace('/s/', '/learn/by-message/');
});
afterEach(forgetSimulations);

const send = (path: string, page: Page, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  askPage(path, { method: 'POST', body: new URLSearchParams({ ...hiddenFields(page), ...fields }), headers });
const enrolmentsOf = async (number: 3 | 4) => {
  const { body } = await get(`/learners/${learnerId('tenant', number)}/course-results`);
  return body.data.filter(({ courseId }: { courseId: string }) => courseId === managedCourses.phishing);
};

test("the landing page's button opens the training, which a recipient takes without signing in", async () => {
  expect((await askPage(simulation.linkOf(4))).html).toContain(`href="${testService.url}${home}"`);
  const before = await fingerprintOf('tenant');
  const start = await askPage(home);
  expect(start.html).toMatch(/Begin the training/);
  expect(start.html).not.toMatch(/name="email"|sign-out/);
  expect(await fingerprintOf('tenant')).toBe(before);
  const begun = await send(home, start);
  expect([begun.status, begun.headers.get('location'), begun.headers.get('set-cookie')]).toEqual([
    ...[303, `${home}/${COURSE}`, null],
  ]);
  expect(await enrolmentsOf(4)).toMatchObject([{ attempt: 1, startDate: null }]);
  const course = await askPage(`${home}/${COURSE}`);
  expect((await send(`${home}/${COURSE}`, course)).headers.get('location')).toBe(`${home}/${COURSE}/1`);
  const lesson = await askPage(`${home}/${COURSE}/1`);
  expect((await send(`${home}/${COURSE}/1`, lesson)).headers.get('location')).toBe(`${home}/${COURSE}/2`);
  expect((await askPage(home)).headers.get('location')).toBe(`${home}/${COURSE}`);
});

test('pressing the button twice enrols once', async () => {
  const start = await askPage(home);
  await Promise.all([send(home, start), send(home, start)]);
  expect(await enrolmentsOf(4)).toMatchObject([{ attempt: 1 }]);
});

test('the link opens no other course, no other page and no session', async () => {
  await send(home, await askPage(home));
  for (const path of [
    `courses/${managedCourses.gapAnalysis}`,
    'gap-analysis',
    'policies',
    'certificates/x',
    'sessions',
  ]) {
    expect({ path, status: (await askPage(`${home}/${path}`)).status }).toEqual({ path, status: 404 });
  }
  expect((await askPage('/learn')).html).toContain('name="email"');
});

test('a browser with a session of the recipient takes the training in this session', async () => {
  const { cookie } = await Learner.of('tenant', 4);
  const start = await askPage(home, { headers: { cookie } });
  const begun = await send(home, start, {}, { cookie });
  expect(begun.headers.get('location')).toBe(`/learn/${COURSE}`);
});

test("a browser with somebody else's session does not open the training", async () => {
  const { cookie } = await Learner.of('tenant', 3);
  const start = await askPage(home);
  const answers = [
    await askPage(home, { headers: { cookie } }),
    await askPage(`${home}/${COURSE}`, { headers: { cookie } }),
    await send(home, start, {}, { cookie }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(answers[0]!.html).toContain('This training belongs to somebody else');
  expect(await enrolmentsOf(4)).toEqual([]);
});

test('a form from another site or without the token of the link is rejected', async () => {
  const start = await askPage(home);
  const other = await askPage(simulation.linkOf(3).replace('/s/', '/learn/by-message/'));
  const answers = [
    await send(home, start, {}, { 'sec-fetch-site': 'cross-site' }),
    await send(home, other),
    await send(home, start, { form_token: '' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(await enrolmentsOf(4)).toEqual([]);
});

test.each([
  ['of a cancelled simulation', `status = 'cancelled'`],
  ['a month after the end', `start_date = now() - interval '40 days', end_date = now() - interval '31 days'`],
  ['of a simulation without training', 'training_course_id = null, training_course_owner_id = null'],
])('a link %s opens no training, and its landing page links to the sign-in', async (_case, change) => {
  await testService.query(`update simulations set ${change} where id = $1`, [simulation.id]);
  expect((await askPage(home)).status).toBe(404);
  expect((await askPage(simulation.linkOf(4))).html).toContain(`href="${testService.url}/learn"`);
});

test('an inactive recipient and a made-up link open no training', async () => {
  const setInactive = (inactive: boolean) =>
    testService.query('update learners set inactive = $2 where id = $1', [learnerId('tenant', 4), inactive]);
  await setInactive(true);
  expect((await askPage(home)).status).toBe(404);
  await setInactive(false);
  expect((await askPage(`/learn/by-message/${createPersonToken(learnerId('tenant', 4))}`)).status).toBe(404);
});
