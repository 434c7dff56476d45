/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { post } from '../../support/client.ts';
import { askHost, type ContentRequest, type ContentResponse, hostOfWindow } from '../../support/content-host.ts';
import { askPage } from '../../support/learner.ts';
import { companies, learnerId, ownCourseId } from '../../support/world.ts';
import { packageOf, uploadPackage } from './package-samples.ts';
import { findEnrolment, PACKAGE_PATH, PackageLearner, stateOf } from './package-state.ts';

/** Body of responses for URLs that the content host does not serve. */
const ELSEWHERE = expect.stringMatching(/^This host serves only course packages/) as string;
const courseId = ownCourseId('tenant');
let player: PackageLearner;
let token: string;

/** Enrols the learner without any earlier result, and opens the package. */
async function openAgain(): Promise<void> {
  for (const table of ['enrollments', 'enrollment_attempts', 'course_result_events'])
    await testService.query(`delete from ${table} where learner_id = $1`, [learnerId('tenant', 1)]);
  await post('/course-enrollments', { courseIds: [courseId], learnerIds: [learnerId('tenant', 1)] });
  player = await PackageLearner.of(1);
  token = (await player.open())!;
}

const askContent = (path: string, options?: ContentRequest) => askHost(hostOfWindow(token), path, options);
const askFile = (path: string, headers: Record<string, string> = {}) =>
  askContent(`/packages/${token}/${path}`, { headers });

async function report(state: object, headers: Record<string, string> = {}): Promise<ContentResponse> {
  const sent = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers };
  return askContent(`/play/${token}`, { method: 'POST', headers: sent, body: JSON.stringify(state) });
}

beforeAll(async () => {
  const film = { path: 'film.mp4', content: '0123456789', isStored: true };
  await uploadPackage(packageOf(film, { path: 'page.xhtml', content: '<html xmlns="http://www.w3.org/1999/xhtml"/>' }));
});
beforeEach(openAgain);

describe('the content host', () => {
  test.each([
    ['/', 'GET'],
    ['/health', 'GET'],
    ['/v1/health', 'GET'],
    ['/v1/learners', 'GET'],
    ['/v1/openapi.json', 'GET'],
    ['/mcp', 'POST'],
    ['/scim/v2/Users', 'GET'],
    ['/xapi/statements', 'GET'],
    ['/learn', 'GET'],
    ['/learn/sign-in', 'POST'],
    ['/console', 'GET'],
    ['/docs', 'GET'],
    ['/robots.txt', 'GET'],
    ['/setup/x', 'GET'],
    [PACKAGE_PATH, 'GET'],
  ])('returns 404 without a cookie for %s of the service', async (path, method) => {
    const cookie = player.learner.cookie;
    for (const host of [hostOfWindow(token), new URL(testService.url).host.replace('127.0.0.1', 'localhost')]) {
      const { status, headers } = await askHost(host, path, { method, headers: { cookie } });
      expect({ status, cookie: headers['set-cookie'] }).toEqual({ status: 404, cookie: undefined });
    }
  });

  test.each<[string, () => { host: string; forwarded?: string }]>([
    ['a full stop after its name', () => ({ host: hostOfWindow(token).replace(':', '.:') })],
    ['no port', () => ({ host: hostOfWindow(token).split(':')[0]! })],
    ['another port', () => ({ host: `${hostOfWindow(token).split(':')[0]}:8443` })],
    ['an empty port', () => ({ host: `${hostOfWindow(token).split(':')[0]}:` })],
    [
      'the service as X-Forwarded-Host',
      () => ({ host: hostOfWindow(token), forwarded: new URL(testService.url).host }),
    ],
    ['a proxy that forwards its name', () => ({ host: 'internal', forwarded: hostOfWindow(token) })],
    ['two forwarded names', () => ({ host: 'internal', forwarded: `internal, ${hostOfWindow(token)}` })],
  ])('serves no page of the service with %s', async (_case, names) => {
    const { host, forwarded } = names();
    const headers = {
      cookie: player.learner.cookie,
      ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }),
    };
    for (const path of ['/learn', '/v1/health', '/health'])
      expect(await askHost(host, path, { headers })).toMatchObject({ status: 404, body: ELSEWHERE });
  });

  test('serves no page of the service to a request target with its own host', async () => {
    const target = `http://${hostOfWindow(token)}/health`;
    expect(await askHost(new URL(testService.url).host, target)).toMatchObject({ status: 404, body: ELSEWHERE });
  });

  test('sets no cookie in any response', async () => {
    const page = await askContent(`/play/${token}`);
    const [script] = /\/assets\/content-player-\w+\.js/.exec(page.body)!;
    const [runtime] = /\/assets\/scorm12[\w.]*-\w+\.js/.exec(page.body)!;
    const responses = [page, await askFile('index.html'), await askContent(script), await askContent(runtime)];
    responses.push(await report({ location: '1' }), await askContent('/nothing'));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404]);
    for (const { headers } of responses) expect(headers['set-cookie']).toBeUndefined();
  });

  test.each([['service-worker', 'script']])('refuses requests with the header %s', async (name, value) => {
    expect((await askFile('course.js', { [name]: value })).status).toBe(403);
  });
});

test('the host of the service serves no package, and its page frames the content host', async () => {
  expect((await askPage(`/packages/${token}/index.html`)).status).toBe(404);
  expect((await askPage(`/play/${token}`)).status).toBe(404);
  const page = await player.learner.get(`${PACKAGE_PATH}/${token}`);
  const origin = `http://${hostOfWindow(token)}`;
  expect(page.html).toContain(`src="${origin}/play/${token}"`);
  expect(page.headers.get('content-security-policy')).toContain(`frame-src ${origin};`.replace(';', ''));
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  expect(page.html).not.toMatch(/allow-top-navigation|allow-popups-to-escape-sandbox/);
});

describe('a file on the content host', () => {
  test('has a Content-Security-Policy that allows only files of its window', async () => {
    const { status, headers, body } = await askFile('index.html');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: expect.not.stringContaining('/packages/client') as string,
    });
    const own = `http://${hostOfWindow(token)}/packages/${token}/`;
    const policy = headers['content-security-policy'];
    const client = `http://${hostOfWindow(token)}/assets/content-client-[0-9a-f]+\\.js`;
    expect(policy).toMatch(new RegExp(`default-src ${own} ${client} data: blob: 'unsafe-inline' 'unsafe-eval';`));
    expect(policy).toContain(`frame-ancestors 'self' ${testService.url}`);
    expect(policy).toContain("webrtc 'block'");
    expect(policy).toMatch(/^sandbox allow-same-origin allow-scripts /);
    expect(policy).not.toMatch(/allow-top-navigation|allow-popups-to-escape-sandbox/);
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('supports ranges, and revalidation by its ETag', async () => {
    const whole = await askFile('film.mp4');
    const etag = whole.headers.etag as string;
    expect(whole.headers['cache-control']).toBe('private, max-age=14400');
    const part = await askFile('film.mp4', { range: 'bytes=2-4', 'if-range': etag });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await askFile('film.mp4', { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
    expect((await askFile('film.mp4', { range: 'bytes=50-' })).status).toBe(416);
    expect((await askFile('film.mp4', { 'if-none-match': etag })).status).toBe(304);
  });

  test.each([
    ['bytes=0-', 206, '0123456789'],
    ['bytes=-3', 206, '789'],
    ['bytes=-99999999999999999999', 206, '0123456789'],
    ['bytes=0-99999999999999999999', 206, '0123456789'],
    ['bytes=-0', 416, ''],
    ['bytes=99999999999999999999-', 416, ''],
    ['bytes=0-1,3-4', 200, '0123456789'],
    ['bytes=5-2', 416, ''],
    ['bytes=x', 200, '0123456789'],
    ['lines=0-1', 200, '0123456789'],
  ])('answers the range %s with %i', async (range, status, body) => {
    expect(await askFile('film.mp4', { range })).toMatchObject({ status, body });
  });

  test('answers a range of 2,000 parts with the whole file', async () => {
    const range = `bytes=${'0-0,'.repeat(2000)}0-0`;
    expect(await askFile('film.mp4', { range })).toMatchObject({ status: 200, body: '0123456789' });
  });

  test.each([
    ['../index.html', 404],
    ['%2e%2e/index.html', 404],
    ['..%2f..%2flearn', 404],
    ['a%00b', 404],
    ['%ff', 404],
    ['%', 404],
    ['INDEX.HTML', 200],
    ['%F0%9F%98%80', 404],
    ['', 404],
  ])('answers the path %s with %i', async (path, status) => expect((await askFile(path)).status).toBe(status));

  test('has no file with a name of 5,000 characters', async () => {
    expect((await askFile('x'.repeat(5000))).status).toBe(404);
  });

  test.each([
    ['another window', () => askHost(hostOfWindow('x'.repeat(64)), `/packages/${token}/index.html`)],
    ['no window', () => askHost(`localhost:${new URL(testService.url).port}`, `/packages/${token}/index.html`)],
    ['a name below that of its window', () => askHost(`a.${hostOfWindow(token)}`, `/packages/${token}/index.html`)],
  ])('is not served on the host of %s', async (_case, ask) => expect((await ask()).status).toBe(404));

  test('is served on the host of its window in capital letters', async () => {
    expect((await askHost(hostOfWindow(token).toUpperCase(), `/packages/${token}/index.html`)).status).toBe(200);
  });
});

describe('a window on the content host', () => {
  const isOpen = async () => {
    const statuses = [(await askFile('index.html')).status, (await askContent(`/play/${token}`)).status];
    statuses.push((await report({ location: 'x' })).status);
    return statuses;
  };

  test('ends when the learner signs out', async () => {
    expect(await isOpen()).toEqual([200, 200, 200]);
    await player.learner.post('/learn/sign-out');
    expect(await isOpen()).toEqual([404, 404, 404]);
  });

  test.each([
    ['4 hours have passed', `update package_progress set opened_at = now() - interval '5 hours'`],
    ['the learner is deactivated', `update learners set inactive = true where id = '${learnerId('tenant', 1)}'`],
    ['the attempt is replaced', `update package_progress set attempt_id = gen_random_uuid()`],
    ['the enrolment is removed', `delete from enrollments where learner_id = '${learnerId('tenant', 1)}'`],
  ])('ends when %s', async (_case, change) => {
    await testService.query(change);
    expect(await isOpen()).toEqual([404, 404, 404]);
    await testService.query(`update learners set inactive = false where id = '${learnerId('tenant', 1)}'`);
  });

  test('ends when the package is opened again', async () => {
    const first = token;
    token = (await player.open())!;
    expect(await isOpen()).toEqual([200, 200, 200]);
    token = first;
    expect(await isOpen()).toEqual([404, 404, 404]);
  });

  test('does not open for another company or a guessed token', async () => {
    const foreign = Buffer.from(token, 'base64url');
    foreign.set(Buffer.from(companies.other.replaceAll('-', ''), 'hex'));
    for (token of [foreign.toString('base64url'), 'x'.repeat(64), 'nonsense'])
      expect(await isOpen()).toEqual([404, 404, 404]);
  });

  test('stores reports, and the result when the package ends', async () => {
    expect(JSON.parse((await report({ location: '3', suspendData: 'x', status: 'incomplete' })).body)).toEqual({
      isFinished: false,
    });
    expect((await askContent(`/play/${token}`)).body).toContain('&quot;location&quot;:&quot;3&quot;');
    const ended = await report({ isPartial: true, status: 'passed', raw: '87.5', isEnded: true });
    expect(JSON.parse(ended.body)).toEqual({ isFinished: true });
    expect(await findEnrolment(1)).toMatchObject({ finished: true, score: 87.5, passed: true });
    expect(await stateOf(1)).toMatchObject({ location: '3', suspendData: 'x' });
  });

  test('ignores a report that arrives after a newer one, and accepts the newest one again', async () => {
    await report({ location: '2', number: 2 });
    expect((await report({ location: '1', number: 1 })).status).toBe(200);
    expect(await stateOf(1)).toMatchObject({ location: '2' });
    expect((await report({ location: '2', number: 2 })).status).toBe(200);
    expect((await askContent(`/play/${token}`)).body).toContain('data-number="2"');
  });

  test('finishes once, however often the package ends', async () => {
    const statuses = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await report({ status: 'passed', raw: '90', isEnded: true, number: count + 1 })).status);
    }
    expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, score: 90 });
  });

  test.each([
    ['a body of more than 2 MiB', { suspendData: 'x'.repeat(2_100_000) }, {}, 413],
    ['a field that is too long', { suspendData: 'x'.repeat(64_001) }, {}, 400],
    ['a number that is not a position', { number: -1 }, {}, 400],
    ['another site as its sender', { location: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403],
    ['a form as its body', { location: 'x' }, { 'content-type': 'text/plain' }, 400],
  ])('rejects a report with %s', async (_case, state, headers, status) => {
    expect((await report(state, headers)).status).toBe(status);
  });
});

test('a learner who has passed reopens the package to read it, and nothing is recorded', async () => {
  await report({ status: 'passed', raw: '90', location: '7', isEnded: true });
  expect((await player.learner.get(PACKAGE_PATH)).html).toContain('Review the course');
  token = (await player.open())!;
  expect((await player.learner.get(`${PACKAGE_PATH}/${token}`)).status).toBe(200);
  const page = await askContent(`/play/${token}`);
  expect(page.body).toContain('data-mode="review"');
  expect(page.body).toContain('&quot;location&quot;:&quot;7&quot;');
  expect((await askFile('index.html')).status).toBe(200);
  expect((await report({ location: '8' })).status).toBe(409);
  expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: true, score: 90 });
});
