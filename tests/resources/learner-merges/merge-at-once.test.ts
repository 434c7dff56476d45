import pg from 'pg';
import { countWaitingForLocks } from '../../support/locks.ts';
import { until } from '../../support/until.ts';
import { post } from '../../support/client.ts';
import { record } from '../courses/result-state.ts';
import { createLearner, daysAgo, uniqueId } from '../reports/past-state.ts';

const owners: pg.Client[] = [];
afterEach(() => Promise.all(owners.map((owner) => owner.end())));

/** Locks the row of a learner, as another call would. `rowHeld` resolves once the row is locked. */
async function holdRow(learnerId: string): Promise<{ rowHeld: Promise<unknown>; release: () => Promise<void> }> {
  const owner = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  owners.push(owner);
  await owner.connect();
  await owner.query('begin');
  const rowHeld = owner.query('select from learners where id = $1 for no key update', [learnerId]);
  return { rowHeld, release: () => owner.end() };
}

test('a correction that waited for a merge locks the remaining learner', async () => {
  const [from, into] = [await createLearner(), await createLearner()].toSorted() as [string, string];
  const eventId = uniqueId();
  await record({ eventId, learner: { id: from }, startedAt: daysAgo(0), finishedAt: daysAgo(0), score: 90 });
  const holdsFrom = await holdRow(from);
  await holdsFrom.rowHeld;
  const merge = post('/learner-merges', { learnerId: from, intoLearnerId: into });
  await until(async () => (await countWaitingForLocks()) === 1);
  const holdsInto = await holdRow(into);
  await holdsInto.rowHeld;
  let isCorrected = false;
  const corrections = [{ kind: 'course_result', eventId, action: 'void', reason: 'Recorded twice.' }];
  const correction = post('/corrections', { corrections }).finally(() => (isCorrected = true));
  await until(async () => (await countWaitingForLocks()) === 2);
  await holdsFrom.release();
  // The merge holds the duplicate's lock and waits for the remaining learner, which another call locks next.
  const holdsNext = await holdRow(into);
  await until(async () => (await countWaitingForLocks()) === 3);
  await holdsInto.release();
  await holdsNext.rowHeld;
  expect((await merge).status).toBe(200);
  await until(async () => isCorrected || (await countWaitingForLocks()) === 1);
  expect(isCorrected).toBe(false);
  await holdsNext.release();
  expect((await correction).body.data.completed).toHaveLength(1);
});
