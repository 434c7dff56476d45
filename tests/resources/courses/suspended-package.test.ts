/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { post } from '../../support/client.ts';
import { askHost, hostOfWindow } from '../../support/content-host.ts';
import { learnerId, ownCourseId } from '../../support/world.ts';
import { packageOf, twoPagesPackage, uploadPackage } from './package-samples.ts';
import { findEnrolment, PackageLearner, stateOf } from './package-state.ts';

let player: PackageLearner;
let token: string;

function report(state: object) {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return askHost(hostOfWindow(token), `/play/${token}`, { method: 'POST', headers, body: JSON.stringify(state) });
}

beforeAll(() => uploadPackage(packageOf()));
beforeEach(async () => {
  for (const table of ['enrollments', 'enrollment_attempts', 'course_result_events'])
    await testService.query(`delete from ${table} where learner_id = $1`, [learnerId('tenant', 1)]);
  await post('/course-enrollments', { courseIds: [ownCourseId('tenant')], learnerIds: [learnerId('tenant', 1)] });
  player = await PackageLearner.of(1);
  token = (await player.open())!;
});

describe('a package that suspends after its result', () => {
  const end = (state: object) => report({ exit: 'suspend', isEnded: true, ...state });
  const openOnceMore = async () => {
    token = (await player.open())!;
    return (await askHost(hostOfWindow(token), `/play/${token}`)).body;
  };

  test.each([
    ['1.2', { status: 'passed', raw: '80' }, { status: 'passed', raw: '95' }],
    [
      '2004',
      { status: 'completed', success: 'passed', scaled: '0.8' },
      { status: 'completed', success: 'passed', scaled: '0.95' },
    ],
  ])('keeps its result and continues, and a better result counts (SCORM %s)', async (_version, first, better) => {
    expect((await end({ ...first, suspendData: 'page=3' })).status).toBe(200);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: true, score: 80, passed: true });

    const page = await openOnceMore();
    expect(page).toContain('data-mode="normal"');
    expect(page).toContain('page=3');
    expect((await end({ ...first, raw: '20', scaled: '0.2', suspendData: 'page=4' })).status).toBe(200);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: true, score: 80, passed: true });
    expect(await stateOf(1)).toMatchObject({ suspendData: 'page=4' });

    await openOnceMore();
    expect((await end({ ...first, ...better, suspendData: 'page=5' })).status).toBe(200);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 2, finished: true, score: 95, passed: true });
    // A window can improve the result only once.
    await end({ ...first, raw: '99', scaled: '0.99' });
    expect(await findEnrolment(1)).toMatchObject({ attempt: 2, score: 95 });
    expect(await openOnceMore()).toContain('page=5');
  });

  test('completes first and passes later', async () => {
    await end({ status: 'completed' });
    expect(await findEnrolment(1)).toMatchObject({ finished: true, passed: null });
    await openOnceMore();
    await end({ status: 'passed', raw: '90' });
    expect(await findEnrolment(1)).toMatchObject({ finished: true, score: 90, passed: true });
  });

  test('continues only until it ends without suspending', async () => {
    await end({ status: 'passed', raw: '80', exit: '' });
    expect(await openOnceMore()).toContain('data-mode="review"');
    expect((await end({ status: 'passed', raw: '95' })).status).toBe(409);
  });
});

describe('a package of two items', () => {
  beforeAll(() => uploadPackage(twoPagesPackage()));
  const end = (item: number, state: object) => report({ isEnded: true, status: 'passed', item, ...state });
  const openTab = async () => {
    const { body } = await askHost(hostOfWindow(token), `/play/${token}?item=1`);
    return Number(/data-page-time="(\d+)"/.exec(body)?.[1]);
  };
  const openOnceMore = async (item: number) => {
    token = (await player.open())!;
    return (await askHost(hostOfWindow(token), `/play/${token}?item=${item}`)).body;
  };

  test.each([
    ['first', 0, 1],
    ['second', 1, 0],
  ])('continues after its result if the %s item has suspended', async (_name, suspended, other) => {
    await end(other, { raw: '90', exit: '' });
    await end(suspended, { raw: '80', exit: 'suspend' });
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: true, score: 85, passed: true });

    expect(await openOnceMore(suspended)).toContain('data-mode="normal"');
    expect((await end(suspended, { raw: '100', exit: 'suspend' })).status).toBe(200);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 2, finished: true, score: 95, passed: true });
  });

  test('continues without a result if an item has suspended and the score is below the pass mark', async () => {
    await end(0, { raw: '100', exit: '' });
    await end(1, { status: 'completed', raw: '40', exit: 'suspend', suspendData: 'page=3' });
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: false });
    expect(await openOnceMore(1)).toContain('page=3');
    await end(1, { raw: '70', exit: 'suspend' });
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: true, score: 85, passed: true });
  });

  test('stores the reports of two items that are open at the same time', async () => {
    for (const number of [1, 2, 3]) await report({ item: 0, number, location: `page ${number}` });
    await report({ item: 1, number: 1, location: 'question 1' });
    await report({ item: 1, number: 2, location: 'question 2' });
    await report({ item: 0, number: 2, location: 'page 2' });
    expect(await stateOf(1)).toMatchObject({ location: 'page 3', others: { 1: { location: 'question 2' } } });
    await openOnceMore(1);
    await report({ item: 1, number: 1, location: 'question 3' });
    expect(await stateOf(1)).toMatchObject({ location: 'page 3', others: { 1: { location: 'question 3' } } });
  });

  test('stores the reports of the tab that opened an item last, and refuses those of the other tab', async () => {
    const pages = await Promise.all([openTab(), openTab()]);
    const [first, second] = [Math.min(...pages), Math.max(...pages) + 1];
    for (const number of [1, 2, 3])
      await report({ item: 1, number, pageTime: first, location: `question ${number}`, isPartial: true });
    expect((await report({ item: 1, number: 1, pageTime: second, location: 'question 1' })).status).toBe(200);
    expect(await stateOf(1)).toMatchObject({ others: { 1: { location: 'question 1' } } });
    expect((await report({ item: 1, number: 4, pageTime: first, location: 'question 4' })).status).toBe(409);
    expect((await report({ item: 0, number: 1, pageTime: first, location: 'page 1' })).status).toBe(200);
    expect(await stateOf(1)).toMatchObject({ location: 'page 1', others: { 1: { location: 'question 1' } } });
  });

  test('is over after its result if no item has suspended', async () => {
    await end(0, { raw: '80', exit: '' });
    await end(1, { raw: '90', exit: '' });
    expect(await openOnceMore(0)).toContain('data-mode="review"');
    expect((await end(0, { raw: '95', exit: 'suspend' })).status).toBe(409);
  });
});
