import { expectError, get } from '../../support/client.ts';
import { managedCourses, learnerId, unknownId } from '../../support/world.ts';
import { learner, restoreEnrollments } from '../courses/enrollment-state.ts';
import { at, enrolledInNothing, record } from '../courses/result-state.ts';
import { corrected } from './correction-state.ts';

restoreEnrollments();
afterEach(() => testService.query('delete from corrections'));
afterEach(() => testService.query('delete from course_result_events'));

beforeEach(async () => {
  await record(
    { startedAt: at(4), finishedAt: at(5), score: 90, eventId: 'e1' },
    { learner: { id: learner(1) }, course: { id: managedCourses.passwords }, startedAt: at(5), eventId: 'e2' },
  );
  const replacement = { eventId: 'e3', finishedAt: at(6), passed: true };
  await corrected({ eventId: 'e1', action: 'replace', reason: ' Swapped  scores ', replacement });
  await corrected({ eventId: 'e2', action: 'void' }, { eventId: 'e3', action: 'void' });
  await corrected({ eventId: 'e2', action: 'restore', reason: 'It was right' });
});

const idsIn = ({ body }: { body: any }) => body.data.map(({ eventId, action }: any) => [eventId, action]);

describe('GET /corrections', () => {
  test('lists corrections with their reasons, newest first, in pages and by learner', async () => {
    const all = await get('/corrections');
    expect(all.body.data).toEqual([
      expect.objectContaining({ eventId: 'e2', action: 'restore', reason: 'It was right', learnerId: learner(1) }),
      expect.objectContaining({ eventId: 'e3', action: 'void', learnerId: enrolledInNothing }),
      expect.objectContaining({ eventId: 'e2', action: 'void', reason: 'Recorded by mistake' }),
      expect.objectContaining({
        eventId: 'e1',
        action: 'replace',
        reason: 'Swapped  scores',
        replacementEventId: 'e3',
      }),
    ]);
    const first = await get('/corrections?limit=3');
    const second = await get(`/corrections?limit=3&cursor=${(first.body as any).page.nextCursor}`);
    expect([...idsIn(first), ...idsIn(second)]).toEqual(idsIn(all));
    expect(idsIn(await get(`/corrections?learnerId=${learner(1)}`))).toEqual([
      ['e2', 'restore'],
      ['e2', 'void'],
    ]);
  });

  test('shows no corrections of other companies, and returns 404 for their learners', async () => {
    expect(idsIn(await get('/corrections', 'other'))).toEqual([]);
    for (const id of [unknownId, learnerId('other', 1)])
      expectError(await get(`/corrections?learnerId=${id}`), 404, 'not_found');
  });
});

describe('GET /course-results', () => {
  test('lists results as they were recorded, with the voided ones only on request', async () => {
    const nothing = { score: null, passed: null, startedAt: null, finishedAt: null, voidedAt: null, correction: null };
    const pair = { learnerId: enrolledInNothing, courseId: managedCourses.phishing };
    const at5 = { ...pair, startedAt: at(4), finishedAt: at(5), score: 90, eventId: 'e1' };
    expect((await get(`/course-results?learnerId=${enrolledInNothing}`)).body.data).toEqual([]);
    const all = (await get('/course-results?includeVoided=true')).body.data;
    const replaced = { action: 'replace', replacementEventId: 'e3' };
    expect(all).toMatchObject([
      { ...nothing, eventId: 'e2', learnerId: learner(1), startedAt: at(5), correction: { action: 'restore' } },
      { ...nothing, ...at5, voidedAt: expect.any(String), correction: replaced },
      {
        ...nothing,
        ...pair,
        eventId: 'e3',
        finishedAt: at(6),
        passed: true,
        voidedAt: expect.any(String),
        correction: {},
      },
    ]);
    const [correction] = (await get(`/corrections?learnerId=${enrolledInNothing}`)).body.data;
    expect(all[2].correction).toEqual(correction);
  });

  test('filters by learner and course, and rejects those of other companies', async () => {
    const { passwords, phishing } = managedCourses;
    const idsOf = async (query: string) =>
      (await get(`/course-results?includeVoided=true&${query}`)).body.data.map(({ eventId }: any) => eventId);
    expect(await idsOf(`courseId=${passwords}`)).toEqual(['e2']);
    expect(await idsOf(`learnerId=${enrolledInNothing}&courseId=${phishing}`)).toEqual(['e1', 'e3']);
    expect(await idsOf(`learnerId=${enrolledInNothing}&courseId=${passwords}`)).toEqual([]);
    expect((await get('/course-results?includeVoided=true', 'other')).body.data).toEqual([]);
    for (const query of [`learnerId=${learnerId('other', 1)}`, `courseId=${unknownId}`])
      expectError(await get(`/course-results?${query}`), 404, 'not_found');
  });
});
