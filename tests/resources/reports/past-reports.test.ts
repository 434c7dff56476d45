import { call, del, expectError, get, patch, post, put } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { companies, groupId, managedCourses, ownCourseId } from '../../support/world.ts';
import { corrected } from '../corrections/correction-state.ts';
import { record } from '../courses/result-state.ts';
import { createLearner, DAY_MS, dayBefore, daysAgo, uniqueId, waitPastMidnight } from './past-state.ts';
import { addressOf, readCsv, readLines, readPages } from './report-pages.ts';

const results = '/reports/course-results';

interface Row {
  learnerId: string;
  courseId: string;
  enrollDate: string;
  startDate: string | null;
  finishDate: string | null;
  attempt: number;
  attempts: number;
  score: number | null;
  course: { name: string };
  learner: { name: string; inactive: boolean };
}

async function read(filters: object, path = results): Promise<Row[]> {
  const { status, body } = await get(addressOf(path, filters));
  expect({ filters, status, error: body.error }).toEqual({ filters, status: 200 });
  return body.data.rows ?? body.data;
}

async function enroll(id: string, courseId: string = managedCourses.phishing): Promise<void> {
  expect((await post('/course-enrollments', { learnerIds: [id], courseIds: [courseId] })).status).toBe(200);
}

const resultOf = (id: string, days: number, more: object = {}) => {
  const at = daysAgo(days);
  return { eventId: uniqueId(), learner: { id }, startedAt: at, finishedAt: at, score: 90, ...more };
};

/** Reads the attempts of one learner. */
async function attemptsOf(id: string, filters: object): Promise<Row[]> {
  return (await read({ attempts: 'all', includeInactive: true, ...filters })).filter((row) => row.learnerId === id);
}

beforeEach(waitPastMidnight);

/** Reads a report, and omits the time at which it was generated. */
async function readWhole(path: string): Promise<object> {
  const { data } = (await get(path)).body;
  return Array.isArray(data) ? data : { ...data, generatedAt: null };
}

test('without later changes, the report on today equals the current report', async () => {
  const paths = [results, '/reports/gap-analysis-results', '/reports/learning', '/reports/course-participation'];
  for (const path of [...paths, '/reports/policy-results']) {
    for (const filters of [{}, { includeInactive: true }, { groupId: groupId('tenant', 1) }]) {
      const now = await readWhole(addressOf(path, filters));
      for (const past of [{ asOf: dayBefore(0) }, { knownAt: dayBefore(0) }]) {
        const found = await readWhole(addressOf(path, { ...filters, ...past }));
        expect({ path, filters, found }).toEqual({ path, filters, found: now });
      }
    }
  }
});

test('a result that is recorded late belongs to its day, and is not known before', async () => {
  const id = await createLearner();
  await passDay();
  await passDay();
  await record(resultOf(id, 5));
  const [row] = await attemptsOf(id, { asOf: dayBefore(5) });
  expect(row).toMatchObject({ finishDate: dayBefore(5), score: 90, attempt: 1, attempts: 1 });
  expect(await attemptsOf(id, { asOf: dayBefore(6) })).toEqual([]);
  expect(await attemptsOf(id, { asOf: dayBefore(1), knownAt: dayBefore(1) })).toEqual([]);
  expect(await attemptsOf(id, { knownAt: dayBefore(1) })).toEqual([]);
  expect(await attemptsOf(id, { asOf: dayBefore(5), knownAt: dayBefore(0) })).toHaveLength(1);
});

test('a voided result belongs to no day, but was known until the void, and counts again once restored', async () => {
  const id = await createLearner();
  const result = resultOf(id, 0);
  await record(result);
  await passDay();
  await corrected({ eventId: result.eventId, action: 'void' });
  await passDay();
  expect(await attemptsOf(id, { asOf: dayBefore(2) })).toEqual([]);
  expect(await attemptsOf(id, { asOf: dayBefore(2), knownAt: dayBefore(2) })).toMatchObject([{ score: 90 }]);
  expect(await attemptsOf(id, { asOf: dayBefore(2), knownAt: dayBefore(1) })).toEqual([]);
  await corrected({ eventId: result.eventId, action: 'restore' });
  expect(await attemptsOf(id, { asOf: dayBefore(2) })).toMatchObject([{ score: 90 }]);
  expect(await attemptsOf(id, { asOf: dayBefore(2), knownAt: dayBefore(1) })).toEqual([]);
});

test('on its day a replaced result shows the replacement, or the original result as known then', async () => {
  const id = await createLearner();
  const result = resultOf(id, 0);
  await record(result);
  await passDay();
  const replacement = {
    eventId: `${result.eventId}-corrected`,
    startedAt: daysAgo(1),
    finishedAt: daysAgo(1),
    score: 40,
  };
  await corrected({ eventId: result.eventId, action: 'replace', replacement });
  expect(await attemptsOf(id, { asOf: dayBefore(1) })).toMatchObject([{ score: 40, grade: 'fail', attempts: 1 }]);
  expect(await attemptsOf(id, { knownAt: dayBefore(1) })).toMatchObject([{ score: 90, grade: 'pass', attempts: 1 }]);
});

test('a removed enrolment stays in reports of earlier days', async () => {
  const id = await createLearner();
  await enroll(id);
  await passDay();
  await post('/course-unenrollments', { learnerIds: [id], courseIds: [managedCourses.phishing] });
  expect(await attemptsOf(id, {})).toEqual([]);
  expect(await attemptsOf(id, { asOf: dayBefore(0) })).toEqual([]);
  expect(await attemptsOf(id, { asOf: dayBefore(1) })).toMatchObject([{ enrollDate: dayBefore(1), finishDate: null }]);
});

test('an enrolment is open until the day on which it is finished', async () => {
  const id = await createLearner();
  await enroll(id);
  await passDay();
  await record(resultOf(id, 0));
  const open = { startDate: null, finishDate: null, score: null, grade: null };
  expect(await attemptsOf(id, { asOf: dayBefore(1) })).toMatchObject([open]);
  expect(await attemptsOf(id, { asOf: dayBefore(0) })).toMatchObject([{ finishDate: dayBefore(0), grade: 'pass' }]);
  const learning = (filters: object) => read({ learnerId: id, ...filters }, '/reports/learning');
  expect(await learning({ status: 'unfinished', asOf: dayBefore(1) })).toHaveLength(1);
  expect(await learning({ status: 'unfinished', asOf: dayBefore(0) })).toEqual([]);
});

test('a yearly refresh changes no report of the day before', async () => {
  const before = await read({});
  await passDay();
  const pairs = before.map(({ learnerId, courseId }) => ({ learnerId, courseId }));
  const [learnerIds, courseIds] = [pairs.map((pair) => pair.learnerId), pairs.map((pair) => pair.courseId)];
  await post('/course-enrollments', { learnerIds: [...new Set(learnerIds)], courseIds: [...new Set(courseIds)] });
  const after = await read({});
  expect(after.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0);
  const identities = ({ learnerId, courseId, attempt, score }: Row) => [learnerId, courseId, attempt, score];
  expect((await read({ asOf: dayBefore(1) })).map(identities)).toEqual(before.map(identities));
});

test('an attempt counts once after a new attempt was removed and started again', async () => {
  const id = await createLearner();
  await record(resultOf(id, 0));
  await enroll(id);
  await passDay();
  await post('/course-unenrollments', { learnerIds: [id], courseIds: [managedCourses.phishing] });
  await passDay();
  await enroll(id);
  await passDay();
  for (const days of [0, 1]) {
    expect(await attemptsOf(id, { asOf: dayBefore(days) })).toMatchObject([
      { attempt: 1, attempts: 2, score: 90 },
      { attempt: 2, attempts: 2, score: null },
    ]);
  }
  expect(await attemptsOf(id, { asOf: dayBefore(2) })).toMatchObject([{ attempt: 1, attempts: 1, score: 90 }]);
  expect(await attemptsOf(id, { asOf: dayBefore(3) })).toHaveLength(2);
});

test('a removed attempt counts once after a later start began it again', async () => {
  const id = await createLearner();
  const start = () => record({ eventId: uniqueId(), learner: { id }, startedAt: daysAgo(0) });
  await start();
  await passDay();
  await post('/course-unenrollments', { learnerIds: [id], courseIds: [managedCourses.phishing] });
  await passDay();
  await start();
  const one = { attempt: 1, attempts: 1, startDate: dayBefore(2), finishDate: null };
  const past = { asOf: dayBefore(2) };
  expect(await attemptsOf(id, past)).toMatchObject([one]);
  const all = await get(addressOf('/reports/learning', { learnerId: id, attempts: 'all', ...past }));
  expect(all.body.data).toMatchObject({ summary: { enrollmentCount: 1 }, rows: [one] });
  await post('/course-unenrollments', { learnerIds: [id], courseIds: [managedCourses.phishing] });
  expect(await attemptsOf(id, past)).toMatchObject([one]);
});

test('a learner, a group and a course appear as recorded on the day', async () => {
  const id = await createLearner();
  const group = (await post('/groups', { name: 'Of the past', managerIds: [] })).body.data.id;
  await put(`/learners/${id}/groups`, { groupIds: [group] });
  await enroll(id, ownCourseId('tenant'));
  const [before] = await attemptsOf(id, {});
  await passDay();
  await patch(`/learners/${id}`, { lastName: 'Married' });
  await post('/learners/deactivate', { learnerIds: [id] });
  await patch(`/groups/${group}`, { name: 'Renamed' });
  await patch(`/courses/${ownCourseId('tenant')}`, { name: 'renamed-course' });
  expect((await del(`/groups/${group}`)).status).toBe(200);
  expectError(await get(addressOf(results, { groupId: group })), 404, 'not_found');
  const [row] = await read({ groupId: group, asOf: dayBefore(1) });
  expect(row).toMatchObject({ course: before!.course, learner: { name: before!.learner.name, inactive: false } });
  expect(await read({ groupId: group, asOf: dayBefore(0) })).toEqual([]);
  const [learning] = await read({ learnerId: id, groupId: group, asOf: dayBefore(1) }, '/reports/learning');
  expect(learning).toMatchObject({ inactive: false, groups: [{ id: group, name: 'Of the past' }] });
});

test('a deleted learner is also deleted from past reports', async () => {
  const id = await createLearner();
  await enroll(id);
  await passDay();
  expect(await attemptsOf(id, { asOf: dayBefore(1) })).toHaveLength(1);
  expect((await del(`/learners/${id}`)).status).toBe(200);
  expect(await attemptsOf(id, { asOf: dayBefore(1) })).toEqual([]);
  expect(await testService.query('select from attempt_versions where learner_id = $1', [id])).toEqual([]);
});

test('pages together, CSV and JSON lines have the rows of the report', async () => {
  for (const filters of [{ groupId: groupId('tenant', 1) }, {}]) {
    const past = { ...filters, attempts: 'all', includeInactive: true, asOf: dayBefore(1) };
    const rows = await read(past);
    expect(rows.length).toBeGreaterThan(3);
    expect(await readPages(results, past, 2, 'tenant')).toEqual(rows);
    expect(await readLines(addressOf(results, past), 'tenant')).toEqual(rows);
    expect((await readCsv(addressOf(results, past), 'tenant')).text.trimEnd().split('\r\n')).toHaveLength(
      rows.length + 1,
    );
  }
});

test('a day before the first record shows later records about that day', async () => {
  const rows = await read({ asOf: '2026-03-05' });
  expect(rows.length).toBeGreaterThan(0);
  for (const { enrollDate, finishDate } of rows)
    expect([enrollDate, finishDate ?? enrollDate].toSorted().at(-1)! <= '2026-03-05').toBe(true);
  expect(await read({ asOf: '2024-02-29' })).toEqual([]);
  expect(await read({ asOf: '1000-01-01', knownAt: '1000-01-01' })).toEqual([]);
});

test('an MSP reads past reports of a company below it', async () => {
  const filters = { companyId: companies.childA, asOf: dayBefore(0), includeInactive: true };
  const { status, body } = await call('msp', 'GET', addressOf(results, filters));
  expect(status).toBe(200);
  const now = await call('msp', 'GET', addressOf(results, { companyId: companies.childA, includeInactive: true }));
  expect(body.data).toEqual(now.body.data);
  expectError(await get(addressOf(results, { groupId: groupId('other', 1), asOf: dayBefore(0) })), 404, 'not_found');
});

test('a day ends at midnight in the time zone of the company', async () => {
  const id = await createLearner();
  await passDay();
  await enroll(id);
  // Recorded today: in a zone that is 14 hours ahead or 11 behind, the current day can differ from the day in UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await patch('/company/settings', { timeZone });
    const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
    const dayAfter = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
    const knownAt = async (day: string) => (await attemptsOf(id, { knownAt: day })).length;
    expect(await knownAt(today)).toBe(today >= dayBefore(0) ? 1 : 0);
    expectError(await get(addressOf(results, { asOf: dayAfter })), 400, 'invalid_request', ['query/asOf']);
  }
  await patch('/company/settings', { timeZone: null });
});

const tomorrow = dayBefore(-1);
test.each([
  [{ asOf: tomorrow }, 'query/asOf'],
  [{ asOf: '9999-12-31' }, 'query/asOf'],
  [{ knownAt: tomorrow }, 'query/knownAt'],
  [{ asOf: dayBefore(1), knownAt: dayBefore(2) }, 'query/asOf'],
  [{ asOf: dayBefore(1), updatedSince: daysAgo(1) }, 'query/asOf'],
  [{ knownAt: dayBefore(1), updatedSince: daysAgo(1) }, 'query/knownAt'],
  [{ asOf: '2026-02-29' }, 'query/asOf'],
  [{ asOf: '0000-01-01' }, 'query/asOf'],
  [{ asOf: 'yesterday' }, 'query/asOf'],
  [{ knownAt: '2026-03-02T00:00:00Z' }, 'query/knownAt'],
])('%o is rejected, naming %s', async (filters, field) => {
  expectError(await get(addressOf(results, filters)), 400, 'invalid_request', [field]);
});
