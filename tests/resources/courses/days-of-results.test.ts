/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content"} */
import { Temporal } from 'temporal-polyfill';
import { get, patch, post } from '../../support/client.ts';
import { Learner } from '../../support/learner.ts';
import { choose, nameWrittenCourses, take } from '../../support/player.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';
import { corrected } from '../corrections/correction-state.ts';
import { attemptsOf, record } from './result-state.ts';

const { phishing } = managedCourses;

/** Far ahead of and far behind UTC: at any time, one of the two zones has a date different from UTC. */
const FARTHEST = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const todayIn = (zone: string) => Temporal.Now.plainDateISO(zone).toString();

async function setTimeZone(timeZone: string | null): Promise<void> {
  expect((await patch('/company/settings', { timeZone })).status).toBe(200);
}

let count = 0;
async function createLearner(): Promise<string> {
  const email = `days${++count}@tenant.test`;
  const { body } = await post('/learners', { email, firstName: 'Days', lastName: `No ${count}`, locale: 'en' });
  return body.data.id;
}

/** Records results of a learner by their times. */
async function recordFor(id: string, ...times: { startedAt?: string; finishedAt?: string }[]): Promise<string[]> {
  const results = times.map((time) => ({ eventId: `days-${++count}`, learner: { id }, ...time }));
  const scored = results.map((result) => ('finishedAt' in result ? { ...result, score: 90 } : result));
  expect((await record(...scored)).body.data.failures).toEqual([]);
  return results.map(({ eventId }) => eventId);
}

const enrol = (id: string) => post('/course-enrollments', { learnerIds: [id], courseIds: [phishing] });
const daysOf = async (id: string) =>
  (await attemptsOf(id)).map(({ enrollDate, startDate, finishDate }) => [enrollDate, startDate, finishDate]);

/** Runs `work`, again if the day changes during it, and returns the day on which it ran. */
async function onOneDay<T>(zone: string, work: () => Promise<T>): Promise<{ day: string; result: T }> {
  for (;;) {
    const day = todayIn(zone);
    const result = await work();
    if (todayIn(zone) === day) return { day, result };
  }
}

afterEach(() => setTimeZone(null));

test.each(FARTHEST)('enrolments have the day of the call in the time zone %s', async (zone) => {
  await setTimeZone(zone);
  expect((await patch(`/courses/${phishing}`, { autoEnrol: true })).status).toBe(200);
  const { day, result } = await onOneDay(zone, async () => {
    const automatic = await createLearner();
    await recordFor(automatic, { finishedAt: '2026-04-04T12:00:00.000Z' });
    await enrol(automatic);
    const inOneCourse = await createLearner();
    return [await daysOf(inOneCourse), (await daysOf(automatic)).at(-1)];
  });
  await patch(`/courses/${phishing}`, { autoEnrol: false });
  expect(result).toEqual([[[day, null, null]], [day, null, null]]);
});

const NEW_YEAR = { startedAt: '2025-12-31T15:30:00.000Z', finishedAt: '2026-01-01T07:59:00.000Z' };

test.each([
  ['Asia/Tokyo', '2026-01-01', '2026-01-01'],
  ['America/Los_Angeles', '2025-12-31', '2025-12-31'],
  [null, '2025-12-31', '2026-01-01'],
])('in the time zone %s, results at the turn of the year are dated in that zone', async (zone, started, finished) => {
  await setTimeZone(zone);
  const id = await createLearner();
  await recordFor(id, NEW_YEAR);
  expect(await daysOf(id)).toEqual([[started, started, finished]]);
  // The next attempt is derived from both results.
  await setTimeZone(zone === 'Asia/Tokyo' ? 'America/Los_Angeles' : 'Asia/Tokyo');
  const [eventId] = await recordFor(id, { finishedAt: '2026-03-09T12:00:00.000Z' });
  expect((await daysOf(id))[0]).toEqual([started, started, finished]);
  await corrected({ eventId: eventId!, action: 'void' });
  await corrected({ eventId: eventId!, action: 'restore' });
  expect(await daysOf(id)).toEqual([
    [started, started, finished],
    ['2026-03-09', '2026-03-09', '2026-03-09'],
  ]);
});

test('a replacement keeps the day of each time that it does not change', async () => {
  await setTimeZone('Asia/Tokyo');
  const id = await createLearner();
  const [eventId] = await recordFor(id, NEW_YEAR);
  await setTimeZone('America/Los_Angeles');
  const replacement = { eventId: `days-${++count}`, ...NEW_YEAR, score: 70 };
  await corrected({ eventId: eventId!, action: 'replace', replacement });
  expect(await daysOf(id)).toEqual([['2026-01-01', '2026-01-01', '2026-01-01']]);
  const later = { ...replacement, eventId: `days-${++count}`, finishedAt: '2026-01-03T07:59:00.000Z' };
  await corrected({ eventId: replacement.eventId, action: 'replace', replacement: later });
  expect(await daysOf(id)).toEqual([['2026-01-01', '2026-01-01', '2026-01-02']]);
});

test('a finish after midnight in the time zone ends the enrolment of that day', async () => {
  await setTimeZone('Asia/Tokyo');
  const id = await createLearner();
  await enrol(id);
  await testService.query("update enrollments set enroll_date = '2026-03-10' where learner_id = $1", [id]);
  await recordFor(id, { finishedAt: '2026-03-09T14:59:00.000Z' });
  expect(await daysOf(id)).toEqual([
    ['2026-03-09', '2026-03-09', '2026-03-09'],
    ['2026-03-10', null, null],
  ]);
  await recordFor(id, { finishedAt: '2026-03-09T15:00:00.000Z' });
  expect((await daysOf(id)).at(-1)).toEqual(['2026-03-10', '2026-03-10', '2026-03-10']);
});

test('after the time zone moves west, a result from the enrolment day still finishes the enrolment', async () => {
  const [east, west] = FARTHEST as [string, string];
  await setTimeZone(east);
  const id = await createLearner();
  const { day } = await onOneDay(east, () => enrol(id));
  await setTimeZone(west);
  const begin = Temporal.PlainDate.from(day).toZonedDateTime(east).toInstant();
  const finished = begin.toZonedDateTimeISO(west).toPlainDate().toString();
  await recordFor(id, { finishedAt: begin.toString() });
  expect(await daysOf(id)).toEqual([[finished, finished, finished]]);
});

test('the course player starts and finishes courses on the day in the time zone', async () => {
  await nameWrittenCourses();
  for (const [index, zone] of FARTHEST.entries()) {
    await setTimeZone(zone);
    const number = index === 0 ? 3 : 4;
    const id = learnerId('tenant', number);
    await testService.query('delete from enrollments where company_id = $1', [companies.tenant]);
    const { day } = await onOneDay(zone, async () => {
      await testService.query('delete from course_result_events');
      await testService.query('delete from enrollments where learner_id = $1', [id]);
      await enrol(id);
      const learner = await Learner.of('tenant', number);
      const path = `/learn/courses/${phishing}`;
      await choose(learner, path, await learner.get(path));
      for (const [place, choice] of ['', 'first=b', '', 'signs=a&signs=b', 'last=b'].entries()) {
        await take(learner, `${path}/${place + 1}`, choice);
      }
    });
    expect(await daysOf(id)).toEqual([[day, day, day]]);
  }
});

test.each(FARTHEST)('a past report on today in the time zone %s equals the current report', async (zone) => {
  await setTimeZone(zone);
  const id = await createLearner();
  const { day, result } = await onOneDay(zone, async () => {
    await enrol(id);
    const today = todayIn(zone);
    const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString();
    const read = async (query: string) => {
      const { body } = await get(`/reports/course-results?limit=200${query}`);
      return body.data.filter((row: { learnerId: string }) => row.learnerId === id);
    };
    return [await read(''), await read(`&asOf=${today}&knownAt=${today}`), await read(`&asOf=${yesterday}`)];
  });
  const [now, past, before] = result;
  expect(now).toMatchObject([{ courseId: phishing, enrollDate: day }]);
  expect([past, before]).toEqual([now, []]);
});
