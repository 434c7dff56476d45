/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import { jest } from '@jest/globals';
import { MERGE_CHANGES } from '../changes-since/merge-changes.ts';
import {
  CHANGES,
  CORRECTIONS,
  LATE_CHANGES,
  MEMBERSHIP_CHANGES,
  POLICY_CHANGES,
  SEED,
  SIGNATURE_CORRECTIONS,
} from '../changes-since/random-changes.ts';
import { SIMULATION_CHANGES, SIMULATION_CORRECTIONS } from '../changes-since/simulation-changes.ts';
import { listRecords, listRepeated, listUnexplained } from './late-records.ts';
import { askAgain, fewOrMany, live, type StoredNight } from './lived-nights.ts';
import { expectMerged, expectUnique, learnerOf } from './merged-rows.ts';

// A model company lives days of random changes, and the reports of each night are read again later. In a
// long test, most days have few changes and some have many. To repeat a failure, set its seed; for a longer test, raise
// `DAYS`: `SEED=7 DAYS=1095 make test ARGS=tests/resources/reports/time-travel.test.ts`.

const ON_TIME = [...CHANGES, ...POLICY_CHANGES, ...POLICY_CHANGES, ...POLICY_CHANGES, ...SIMULATION_CHANGES];
const CORRECTED_LATE_AND_MERGED = [
  ...[...CHANGES, ...CORRECTIONS, ...LATE_CHANGES, ...LATE_CHANGES, ...MEMBERSHIP_CHANGES],
  ...[...POLICY_CHANGES, ...POLICY_CHANGES, ...SIGNATURE_CORRECTIONS, ...SIGNATURE_CORRECTIONS],
  ...[...SIMULATION_CHANGES, ...SIMULATION_CORRECTIONS, ...MERGE_CHANGES, ...MERGE_CHANGES, ...MERGE_CHANGES],
];
const FEW_DAYS = 11;
const DAYS = Number(process.env['DAYS'] ?? FEW_DAYS);
const IS_LONG = DAYS > FEW_DAYS;
if (IS_LONG) jest.setTimeout(DAYS * 10_000);

const nights: StoredNight[] = [];
const sorted = (rows: any[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

/** Expects the rows of each stored night, except those of learners who were merged since or whose merge was undone. */
async function expectSame(
  stored: StoredNight[],
  passed: number,
  pastOf: (day: string) => string,
  isCompared = (_path: string) => true,
): Promise<void> {
  for await (const { changed, merged, ...night } of askAgain(stored, passed, pastOf)) {
    const { path, day } = night;
    expectUnique(night);
    if (!isCompared(path)) continue;
    const others = (rows: any[]) => sorted(rows.filter((row) => !changed.has(learnerOf(row)!)));
    expect({ seed: SEED, path, day, rows: others(night.asked) }).toEqual({
      ...{ seed: SEED, path, day },
      rows: others(night.stored),
    });
    expectMerged(night, merged);
  }
}

const everyFourth = (from: number) => nights.filter((_, index) => index % 4 === from);

test('without corrections, each past report is returned again for its day', async () => {
  nights.push(...(await live(FEW_DAYS, ON_TIME)));
  // A later event can change the verdict on an earlier one, which then counts or no longer counts on its day.
  const isFinal = (path: string) => !/simulation|clickers/.test(path);
  await expectSame(nights, FEW_DAYS, (day) => `&asOf=${day}`, isFinal);
  const today = new Date().toISOString().slice(0, 10);
  await expectSame(everyFourth(0), FEW_DAYS, (day) => `&asOf=${day}&knownAt=${today}`, isFinal);
});

test('each past report is returned again for its day as known that day', async () => {
  const life = { from: FEW_DAYS, ...(IS_LONG && { countOf: fewOrMany, afterDay: cleanUp }) };
  nights.push(...(await live(DAYS, CORRECTED_LATE_AND_MERGED, life)));
  expect(new Set(nights.map(({ answers }) => answers.join())).size).toBeGreaterThan(FEW_DAYS);
  await expectSame(nights, FEW_DAYS + DAYS, (day) => `&asOf=${day}&knownAt=${day}`);
  await expectSame(everyFourth(1), FEW_DAYS + DAYS, (day) => `&knownAt=${day}`);
});

test('each difference that later knowledge makes is explained by a correction or a late record', async () => {
  const records = await listRecords();
  for await (const { changed, ...night } of askAgain(everyFourth(2), FEW_DAYS + DAYS, (day) => `&asOf=${day}`)) {
    const rows = [...listUnexplained(night, records), ...(await listRepeated(night))];
    const unexplained = rows.filter((row) => !changed.has(learnerOf(row)!));
    expect({ seed: SEED, path: night.path, day: night.day, unexplained }).toMatchObject({ unexplained: [] });
  }
});

/** Deletes what the nightly job deletes, and keeps the statements of a long life fast. */
async function cleanUp(day: number): Promise<void> {
  if (day % 30 > 0) return;
  await testService.query('delete from learner_merge_records where kept_until < now()');
  await testService.query('delete from learner_merges where answers_until < now()');
  await testService.query('vacuum analyze');
}
