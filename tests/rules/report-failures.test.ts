import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { createLogs } from '../../src/observability/logger.ts';
import { reportFailures } from '../../src/observability/tracing/report-failures.ts';

test('the log reports once that traces cannot be sent, and once that they are sent again', () => {
  const log: string[] = [];
  const { logger } = createLogs('info', { write: (line) => void log.push(line) });
  const refused = { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED') };
  const taken = { code: ExportResultCode.SUCCESS };
  const results: ExportResult[] = [taken, refused, refused, taken, taken];
  const exporter = reportFailures(
    {
      export: (_spans, done) => done(results.shift()!),
      shutdown: () => Promise.resolve(),
    },
    logger,
  );
  const outcomes: ExportResultCode[] = [];
  for (let i = 0; i < 5; i++) exporter.export([], ({ code }) => outcomes.push(code));
  expect(outcomes).toEqual([0, 1, 1, 0, 0]);
  const lines = log.map((line) => JSON.parse(line) as { msg: string; reason?: string });
  expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
    ['sending traces failed', 'connect ECONNREFUSED'],
    ['sending traces recovered', undefined],
  ]);
});
