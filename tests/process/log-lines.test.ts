import { whileLocked } from '../support/locks.ts';
import { run, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const linesOf = (output: string) => output.split('\n').filter(Boolean);

test('a worker that stops while its queue cannot be read logs only JSON lines on both streams', async () => {
  const service = await startService({
    DATABASE_URL: testService.database.serviceUrl,
    ROLES: 'worker',
    STATEMENT_TIMEOUT_MS: '3000',
  });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  await whileLocked('graphile_worker._private_jobs', async () => {
    const waiting = `select from pg_locks where not granted and relation = 'graphile_worker._private_jobs'::regclass`;
    await until(async () => (await testService.query(waiting)).length > 0);
    service.child.kill('SIGTERM');
    await service.exit;
  });
  const lines = linesOf(service.output());
  expect(lines.filter((line) => !isJson(line))).toEqual([]);
  // The lines include the output of graphile-worker.
  expect(lines.filter((line) => line.includes('"msg":"console"') && line.includes('statement timeout'))).not.toEqual(
    [],
  );
});

test('buffered access log lines are written once when the process ends', async () => {
  const program = `
    const { createLogs } = await import('./src/observability/logger.ts');
    const { accessLog, logger } = createLogs('info');
    for (let request = 0; request < 2000; request++) accessLog.info({ request });
    logger.info('stopped');
    process.exit(0);
  `;
  const { stdout, code } = await run(['--input-type=module', '--eval', program], {});
  expect(code).toBe(0);
  const lines = linesOf(stdout).map((line) => JSON.parse(line) as { request?: number; msg?: string });
  expect(lines.flatMap(({ request }) => request ?? [])).toEqual(Array.from({ length: 2000 }, (_, request) => request));
  expect(lines.filter(({ msg }) => msg === 'stopped')).toHaveLength(1);
});

test('console output of libraries and warnings of Node are JSON lines without attached data', async () => {
  const program = `
    const { createLogs } = await import('./src/observability/logger.ts');
    const { routeConsole } = await import('./src/observability/tracing/console.ts');
    routeConsole(createLogs('debug').logger);
    for (const kind of ['debug', 'log', 'info', 'warn', 'error', 'trace']) console[kind](kind, { email: 'secret' }, 7);
    console.trace(Object.assign(new Error('a\\nfailure'), { detail: 'secret' }));
    process.emitWarning('old', 'DeprecationWarning', 'DEP9');
    (await import('node:url')).parse('http://a.test:x1/?key=secret');
  `;
  const { stdout, stderr, code } = await run(['--input-type=module', '--eval', program], {});
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).not.toContain('secret');
  const lines = linesOf(stdout).map((line) => JSON.parse(line) as { level: number; reason?: string; err?: object });
  expect(lines.map(({ level, reason }) => [level, reason])).toEqual([
    [20, 'debug [object] 7'],
    [30, 'log [object] 7'],
    [30, 'info [object] 7'],
    [40, 'warn [object] 7'],
    [40, 'error [object] 7'],
    [40, 'trace [object] 7'],
    [40, 'a\nfailure'],
    ...Array<unknown>(3).fill([40, undefined]),
  ]);
  expect(lines[6]!.err).toMatchObject({ message: 'a\nfailure', stack: expect.any(String) });
  const [invalid] = lines.map(({ err }) => err).filter((err) => (err as { code?: string })?.code === 'DEP0170');
  expect(invalid).toMatchObject({
    message: expect.stringContaining('The URL [cut] is invalid.'),
    stack: expect.stringMatching(/ at /),
  });
  expect(lines[7]!.err).toMatchObject({ type: 'DeprecationWarning', code: 'DEP9', message: 'old' });
});
