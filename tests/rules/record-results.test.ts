import type { TenantWriter } from '../../src/db/tenant.ts';
import type { PreparedResult } from '../../src/mail/sending/preparation.ts';
import { ResultRecorder } from '../../src/mail/sending/record-results.ts';

const tenant = { companyId: 'company' } as TenantWriter;

/** Returns a recorder, and the number of results in each of its commits. */
function createRecorder() {
  const commits: number[] = [];
  const recorder = new ResultRecorder((_tenant, results) => {
    commits.push(results.length);
    return Promise.resolve(results.map(({ messageId }) => messageId));
  });
  const record = (number: number) => {
    const messageId = String(number);
    const job = { jobId: messageId, companyId: tenant.companyId, messageId, attempt: 1 };
    const settlement = { status: 'sent' as const };
    const result: PreparedResult<unknown> = { messageId, attempts: 1, settlement, context: undefined, at: '' };
    return recorder.record(tenant, job, result);
  };
  const recordAll = (count: number) => Array.from({ length: count }, (_, number) => record(number));
  return { recorder, recordAll, commits };
}

test('a commit records up to a hundred results', async () => {
  const { recorder, recordAll, commits } = createRecorder();
  const recorded = recordAll(250);
  recorder.flush(tenant);
  await Promise.all(recorded);
  expect(commits).toEqual([100, 100, 50]);
});

test('results without others are recorded together, without a flush', async () => {
  const { recordAll, commits } = createRecorder();
  await Promise.all(recordAll(3));
  expect(commits).toEqual([3]);
});

test('a flush without results records nothing, and the next result waits again', async () => {
  const { recorder, recordAll, commits } = createRecorder();
  recorder.flush(tenant);
  await Promise.all(recordAll(2));
  recorder.flush(tenant);
  await Promise.all(recordAll(1));
  expect(commits).toEqual([2, 1]);
});
