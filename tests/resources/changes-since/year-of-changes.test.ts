/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import {
  Copy,
  courseResults,
  courseResultsOfGroup,
  gapAnalysisResults,
  groups,
  learners,
  policyResults,
} from './copy.ts';
import { CHANGES, CORRECTIONS, one, policies, teams } from './random-changes.ts';

const WEEKS = 52;
const CHANGES_A_WEEK = 4;
const WEEKS_TO_A_SYNC = 2;

test('a client that reads only changes has the items of the lists after a year', async () => {
  const copies = [
    ...[learners, groups, courseResults, courseResultsOfGroup(teams[0]!, 'from=2026-03-01'), gapAnalysisResults],
    ...[policyResults(policies[0]!, 'all'), policyResults(policies[1]!, 'unsigned')],
  ].map((list) => new Copy(list));
  await Promise.all(copies.map((copy) => copy.begin()));
  for (let week = 1; week <= WEEKS; week++) {
    for (let n = 0; n < CHANGES_A_WEEK; n++) await one([...CHANGES, ...CORRECTIONS])();
    if (week % WEEKS_TO_A_SYNC !== 0) continue;
    await Promise.all(copies.map((copy) => copy.sync()));
    if (week % 26 !== 0) continue;
    for (const copy of copies) {
      const whole = await copy.whole();
      expect({ week, path: copy.list.path, items: copy.items }).toEqual({ week, path: copy.list.path, items: whole });
    }
  }
  const lengths = copies.map(({ items }) => items.length);
  for (const length of lengths) expect(length).toBeGreaterThan(0);
});
