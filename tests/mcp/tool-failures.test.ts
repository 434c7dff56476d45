/** @jest-environment-options {"KEY_CACHE_MS": "60000", "STATEMENT_TIMEOUT_MS": "700", "BREACH_FEED_URL": "http://127.0.0.1:1", "BREACH_FEED_KEY": "of-the-feed"} */
import { get } from '../support/client.ts';
import { whileLocked } from '../support/locks.ts';
import { keys, learnerId } from '../support/world.ts';
import { call, read, refusal, request, send } from './mcp-support.ts';

const learner = { learnerId: learnerId('tenant', 1) };
const INTERNALS = /learners|select|relation|column|sql|postgres|ECONN|127\.0\.0\.1|42P01|permission|of-the-feed|stack/i;

/** Returns the log lines that contain a reference. */
function logged(reference: string): { level: number; tool: string; err: { message: string } }[] {
  return testService.log
    .filter((line) => line.includes(reference))
    .map((line) => JSON.parse(line) as { level: number; tool: string; err: { message: string } });
}

const referenceOf = (text: string) => /Reference: ([0-9a-f-]{36})\.$/.exec(text)![1]!;

test('an internal error returns a reference, and only the log has the cause', async () => {
  await testService.query('alter table learners rename to gone');
  try {
    for (const [name, args] of [
      ['service_get_learner', learner],
      ['service_list_learners', {}],
      ['service_get_report', { kind: 'learning' }],
    ] as const) {
      const text = await refusal(name, args);
      expect(text.replace(/Reference.*/, '')).not.toMatch(INTERNALS);
      const [line, ...others] = logged(referenceOf(text));
      expect(others).toEqual([]);
      expect(line).toMatchObject({ level: 50, tool: name, err: { message: expect.stringContaining('learners') } });
    }
  } finally {
    await testService.query('alter table gone rename to learners');
  }
  expect((await read('service_list_learners')).total).toBe(5);
});

test('two failures have two references', async () => {
  await testService.query('alter table learners rename to gone');
  const texts = [await refusal('service_list_learners'), await refusal('service_list_learners')];
  await testService.query('alter table gone rename to learners');
  expect(new Set(texts.map(referenceOf)).size).toBe(2);
});

test('a slow database returns an error that says to try again', async () => {
  await whileLocked('learners', async () => {
    const text = await refusal('service_list_learners');
    expect(text).toMatch(/too long.*try again/is);
    expect(text.replace(/Reference.*/, '')).not.toMatch(INTERNALS);
    expect(logged(referenceOf(text))).toHaveLength(1);
  });
  expect((await read('service_list_learners')).total).toBe(5);
});

describe('an unavailable database', () => {
  const database = () => new URL(testService.database.ownerUrl).pathname.slice(1);
  beforeAll(async () => {
    await send(JSON.stringify(request('ping')));
    await testService.query(`alter database ${database()} connection limit 0`);
    await endConnections();
  });
  afterAll(() => testService.query(`alter database ${database()} connection limit -1`));

  async function endConnections(): Promise<void> {
    await testService.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'awareness_service'`);
  }

  test('is reported to a cached key', async () => {
    const text = await refusal('service_get_learner', learner);
    expect(text).toMatch(/temporarily unavailable.*try again/is);
    expect(text.replace(/Reference.*/, '')).not.toMatch(INTERNALS);
    expect(logged(referenceOf(text))).toHaveLength(1);
  });

  test('returns 502 in JSON to a key that is not cached, without a challenge', async () => {
    const { status, headers, text } = await send(JSON.stringify(request('tools/list')), { key: 'other' });
    expect(status).toBe(502);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(text).not.toMatch(INTERNALS);
  });

  test('does not affect the help and the list of tools', async () => {
    expect((await call('service_get_tool_help')).isError).toBe(false);
    expect((await send(JSON.stringify(request('tools/list')))).messages[0]!.result.tools.length).toBeGreaterThan(10);
  });
});

describe('unavailable breach data', () => {
  test.each([
    ['service_list_breach_services', {}, '/breaches/services'],
    ['service_list_breach_accounts', {}, '/breaches/accounts'],
    ['service_get_learner_activity', { kind: 'breaches', ...learner }, `/learners/${learner.learnerId}/breaches`],
  ])('%s %j reports it once, and does not imply an absence of breaches', async (name, args, path) => {
    const { status, body } = await get(path);
    expect(status).toBe(502);
    const text = await refusal(name, args);
    expect(text).toContain(body.error!.message);
    expect(text.match(/try again/gi)).toHaveLength(1);
    expect(text).toContain('Do not read this as an absence of breaches.');
    expect(text.replace(/Reference.*/, '')).not.toMatch(/ECONN|127\.0\.0\.1|of-the-feed/);
  });
});

test('a service that has not started returns 502 in JSON', async () => {
  testService.readiness.started = false;
  const answer = await send(JSON.stringify(request('tools/list')));
  testService.readiness.started = true;
  expect(answer.status).toBe(502);
  expect(answer.text).not.toContain('<');
});

test('the log contains no key', () => {
  for (const key of Object.values(keys)) expect(testService.log.join('\n')).not.toContain(key);
});

test('a null character in an argument is rejected by its name', async () => {
  expect(await refusal('service_list_learners', { q: 'a\0b' })).toMatch(/`q` must not contain null characters/);
});
