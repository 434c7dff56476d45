import type { TenantWriter } from '../../src/db/tenant.ts';
import type { PreparedResult } from '../../src/mail/sending/preparation.ts';
import { ResultRecorder } from '../../src/mail/sending/record-results.ts';
import { until } from '../support/until.ts';

const tenant = { companyId: 'company' } as TenantWriter;

function recordIn(recorder: ResultRecorder<unknown>, number: number): Promise<void> {
  const messageId = String(number);
  const job = { jobId: messageId, companyId: tenant.companyId, messageId, attempt: 1 };
  const settlement = { status: 'sent' as const };
  const result: PreparedResult<unknown> = { messageId, attempts: 1, settlement, context: undefined, at: '' };
  return recorder.record(tenant, job, result);
}

/** Returns a recorder, and the number of results in each of its commits. */
function createRecorder() {
  const commits: number[] = [];
  const recorder = new ResultRecorder((_tenant, results) => {
    commits.push(results.length);
    return Promise.resolve(results.map(({ messageId }) => messageId));
  });
  const recordAll = (count: number) => Array.from({ length: count }, (_, number) => recordIn(recorder, number));
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

/** Returns a recorder of results whose rows are locked if `isLocked` says so, until `unlock` is called. */
function createRecorderWithLocks(isLocked: (messageId: string) => boolean) {
  const unlocking = Promise.withResolvers<void>();
  let isUnlocked = false;
  const recorder = new ResultRecorder(async (_tenant, results, waits) => {
    if (waits) await unlocking.promise;
    return results.map(({ messageId }) => messageId).filter((id) => isUnlocked || !isLocked(id));
  });
  const unlock = () => {
    isUnlocked = true;
    unlocking.resolve();
  };
  return { recorder, unlock };
}

test('a locked row delays only its own result', async () => {
  const { recorder, unlock } = createRecorderWithLocks((id) => id === '0');
  const locked = recordIn(recorder, 0);
  await recordIn(recorder, 1);
  await until(() => recorder.countLocked('company') === 1);
  await Promise.all(Array.from({ length: 150 }, (_, number) => recordIn(recorder, number + 2)));
  unlock();
  await locked;
  await until(() => recorder.countLocked('company') === 0);
});

test('results of many locked rows are recorded after the locks end', async () => {
  const { recorder, unlock } = createRecorderWithLocks(() => true);
  const recorded = Array.from({ length: 250 }, (_, number) => recordIn(recorder, number));
  await until(() => recorder.countLocked('company') === 250);
  unlock();
  await Promise.all(recorded);
  await until(() => recorder.countLocked('company') === 0);
});
