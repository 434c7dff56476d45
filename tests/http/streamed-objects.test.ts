/** @jest-environment-options {"DATABASE_POOL_SIZE": "10", "STATEMENT_TIMEOUT_MS": "4000", "CLIENT_WRITE_TIMEOUT_MS": "3000", "TEST_REPLICA": "none"} */
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { call, expectError, get } from '../support/client.ts';
import { whileLocked } from '../support/locks.ts';
import { insertManyLearners } from '../support/many-learners.ts';
import { companies, keys, managedCourses } from '../support/world.ts';

/** Number of learners, of about 5 kB each; far more than the buffers between Postgres and a client hold. */
const COUNT = 5_000;
const reports = ['/reports/course-participation', '/reports/learning'];

beforeAll(async () => {
  await insertManyLearners({ companyIds: [companies.tenant], count: COUNT, words: 480 });
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select company_id, id, $2, managed_catalogue(), '2026-03-02' from learners
      where company_id = $1 and email like 'many%'`,
    [companies.tenant, managedCourses.phishing],
  );
  await testService.query('analyze learners, enrollments');
});

interface OpenReport {
  status: number;
  /** Reads to the end, or this many bytes; returns all text so far and whether the response is complete. */
  read(bytes?: number): Promise<{ text: string; complete: boolean }>;
  hangUp(): void;
}

/** Requests a report and returns it unread. */
function openReport(path: string): Promise<OpenReport> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${keys.tenant}` };
    const request = httpGet(`${testService.url}/v1${path}`, { headers, agent: false }, (response) => {
      response.pause();
      const chunks: Buffer[] = [];
      resolve({
        status: response.statusCode!,
        read: async (bytes = Infinity) => {
          let left = bytes;
          try {
            for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
              chunks.push(chunk);
              left -= chunk.length;
              if (left <= 0) break;
            }
          } catch {
            // `complete` reports a broken response.
          }
          return { text: Buffer.concat(chunks).toString(), complete: response.complete };
        },
        hangUp: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

/** Reads a report, and retries if a busy machine delayed it beyond the wait for a slot. */
async function readWithRetry(path: string): ReturnType<OpenReport['read']> {
  for (;;) {
    const report = await openReport(path);
    const read = await report.read();
    if (report.status === 200) return read;
    expect(report.status).toBe(429);
  }
}

/** Counts the service's connections that are busy in Postgres. */
async function busyConnections(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
  return row!.count as number;
}

async function untilNoneIsBusy(): Promise<void> {
  for (let tries = 0; (await busyConnections()) > 0; tries++) {
    if (tries > 150) throw new Error('A connection was still busy after fifteen seconds');
    await pause(100);
  }
}

const idsOf = (text: string): string[] => {
  const { data } = JSON.parse(text) as { data: { learners?: { id: string }[]; rows?: { learnerId: string }[] } };
  return data.learners?.map(({ id }) => id) ?? data.rows!.map(({ learnerId }) => learnerId);
};

describe.each(reports)('a large GET %s', (path) => {
  test('arrives complete and in order, without Content-Length', async () => {
    const { status, text, headers } = await get(path);
    expect(status).toBe(200);
    const ids = idsOf(text);
    expect(new Set(ids).size).toBe(COUNT + (path.endsWith('learning') ? 3 : 4));
    expect(ids).toEqual(ids.toSorted());
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('begins before Postgres has finished', async () => {
    const report = await openReport(path);
    expect(await busyConnections()).toBe(1);
    const { text, complete } = await report.read();
    expect(complete).toBe(true);
    expect(idsOf(text).length).toBeGreaterThan(COUNT);
    await untilNoneIsBusy();
  });

  test('stops its query and frees its connection if the client hangs up', async () => {
    for (let round = 0; round < 3; round++) {
      // One at a time: while a busy machine opens a second report, the service could abandon the first.
      const report = await openReport(path);
      expect(await busyConnections()).toBe(1);
      report.hangUp();
      await untilNoneIsBusy();
    }
    expect((await get('/company')).status).toBe(200);
  });

  test('leaves nothing running if the client leaves before it begins', async () => {
    const { port } = new URL(testService.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.write(`GET /v1${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${keys.tenant}\r\n\r\n`);
      await pause(i % 8);
      socket.destroy();
    }
    await untilNoneIsBusy();
    const opened = await Promise.all([openReport(path), openReport(path)]);
    for (const report of opened) report.hangUp();
    await untilNoneIsBusy();
  });

  test("that is not read leaves connections to other calls and other companies' reports", async () => {
    const opened = await Promise.all([openReport(path), openReport(path)]);
    const late = get(path);
    expect((await get('/company')).status).toBe(200);
    expect(new Set(idsOf((await get(path, 'other')).text)).size).toBeGreaterThan(2);
    opened[0].hangUp();
    expect((await late).status).toBe(200);
    opened[1].hangUp();
    await untilNoneIsBusy();
  });

  test('breaks the connection on a failure mid-stream instead of ending the JSON normally', async () => {
    const report = await openReport(path);
    await testService.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
    const { text, complete } = await report.read();
    expect(complete).toBe(false);
    expect(text.length).toBeGreaterThan(1000);
    expect(() => JSON.parse(text)).toThrow();
    expect((await get(path, 'other')).status).toBe(200);
  });

  test('has a HEAD without a body, which leaves no query running', async () => {
    const heads = await Promise.all(Array.from({ length: 12 }, () => call('tenant', 'HEAD', path)));
    for (const { status, text, headers } of heads) {
      expect({ status, text, length: headers.get('content-length') }).toEqual({ status: 200, text: '', length: null });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    await untilNoneIsBusy();
  });
});

describe.each(reports)('a small GET %s', (path) => {
  test('has Content-Length, and HEAD returns the same length', async () => {
    const { headers, text } = await get(path, 'other');
    expect(headers.get('transfer-encoding')).toBeNull();
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const head = await call('other', 'HEAD', path);
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
    await untilNoneIsBusy();
  });

  test('can be read many times concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => get(path, 'other')));
    const withoutTime = answers.map(({ text }) => text.replace(/"generatedAt":"[^"]*"/, ''));
    expect(new Set(withoutTime).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });
});

test('more concurrent large reports than slots all arrive complete', async () => {
  const paths = [...reports, ...reports];
  const read = await Promise.all(paths.map(readWithRetry));
  expect(read.map(({ complete }) => complete)).toEqual(paths.map(() => true));
  for (const { text } of read) expect(idsOf(text).length).toBeGreaterThan(COUNT);
});

test('clients that read for longer than the statement timeout still get complete reports', async () => {
  const opened = await Promise.all(reports.map((path) => openReport(path)));
  for (let second = 0; second < 5; second++) {
    await pause(1000);
    await Promise.all(opened.map((report) => report.read(2_000_000)));
  }
  const read = await Promise.all(opened.map((report) => report.read()));
  expect(read.map(({ complete }) => complete)).toEqual([true, true]);
});

test('clients that stop reading are disconnected, and their queries end first', async () => {
  const countBroken = () => testService.log.filter((line) => line.includes('"complete":false')).length;
  const before = countBroken();
  const opened = await Promise.all(reports.map((path) => openReport(path)));
  expect(await busyConnections()).toBe(2);
  await untilNoneIsBusy();
  while (countBroken() < before + 2) await pause(100);
  for (const { complete } of await Promise.all(opened.map((report) => report.read()))) expect(complete).toBe(false);
});

test('a report that is slow before its first byte returns 504', async () => {
  await whileLocked('enrollments', async () => {
    const answers = await Promise.all(reports.map((path) => get(path)));
    for (const answer of answers) expectError(answer, 504, 'service_timeout');
  });
  expect((await get(reports[0]!)).status).toBe(200);
});
