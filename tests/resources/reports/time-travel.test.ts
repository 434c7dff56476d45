/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import { get } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import {
  CHANGES,
  CORRECTIONS,
  LATE_CHANGES,
  MEMBERSHIP_CHANGES,
  one,
  people,
  POLICY_CHANGES,
  SIGNATURE_CORRECTIONS,
  teams,
} from '../changes-since/random-changes.ts';
import { SIMULATION_CHANGES, SIMULATION_CORRECTIONS } from '../changes-since/simulation-changes.ts';
import { learningSummary } from './learning-summary.ts';

const ON_TIME = [...CHANGES, ...POLICY_CHANGES, ...POLICY_CHANGES, ...POLICY_CHANGES, ...SIMULATION_CHANGES];
const CORRECTED_AND_LATE = [
  ...[...CHANGES, ...CORRECTIONS, ...LATE_CHANGES, ...LATE_CHANGES, ...MEMBERSHIP_CHANGES],
  ...[...POLICY_CHANGES, ...POLICY_CHANGES, ...SIGNATURE_CORRECTIONS, ...SIGNATURE_CORRECTIONS],
  ...[...SIMULATION_CHANGES, ...SIMULATION_CORRECTIONS],
];
const DAYS = 11;
const CHANGES_A_DAY = 12;
const DAY_MS = 86_400_000;

const REPORTS = [
  '/reports/course-results?attempts=all&includeInactive=true',
  '/reports/course-results?attempts=best',
  '/reports/course-results?includeInactive=false',
  `/reports/course-results?groupId=${teams[0]}&includeInactive=true`,
  '/reports/gap-analysis-results?attempts=all&includeInactive=true',
  '/reports/learning?attempts=all&includeInactive=true',
  '/reports/learning?status=finished',
  `/reports/learning?groupId=${teams[0]}`,
  '/reports/course-participation?attempts=all&includeInactive=true',
  `/reports/course-participation?groupId=${teams[0]}`,
  '/reports/policy-results?includeInactive=true',
  `/reports/policy-results?groupId=${teams[0]}&outcome=signed`,
  '/reports/policy-results?outcome=unsigned',
  '/reports/simulation-results?includeInactive=true',
  `/reports/simulation-results?groupId=${teams[0]}&outcome=opened`,
  '/reports/repeat-clickers?minimum=1&includeInactive=true',
  '/simulations/metrics?',
];

interface StoredNight {
  /** Number of days that had passed before that night. */
  passed: number;
  date: string;
  /** The rows of each report. */
  answers: unknown[][];
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const moveBack = (date: string, days: number): string => dateOf(Date.parse(date) - days * DAY_MS);

/** Moves the dates in rows back by the number of days. */
function movedBack(rows: unknown[], days: number): unknown[] {
  const text = JSON.stringify(rows).replace(/(?<=")\d{4}-\d\d-\d\d(?="|T)/g, (date) => moveBack(date, days));
  return JSON.parse(text) as unknown[];
}

async function readReport(path: string): Promise<unknown[]> {
  const { status, body } = await get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  if (body.data.groupTree) {
    // Numbers of learners and courses depend on the deleted learners.
    const { groupTree, learners } = body.data;
    return [...groupTree.children.map(({ id, name }: any) => ({ group: id, name })), ...learners];
  }
  // A deleted learner whose message was not sent does not count as a recipient.
  if (body.data.totalMetrics)
    return body.data.simulations.map((simulation: object) => ({ simulation: { ...simulation, recipientCount: null } }));
  if (body.data.summary) expect({ path, ...body.data.summary }).toEqual({ path, ...learningSummary(body.data.rows) });
  // Random changes give the outcome of a message a new date, and the service never does.
  const rows: any[] = body.data.rows ?? body.data;
  return rows.map((row) => (row.policy ? { ...row, mailFailedAt: null } : row));
}

async function store(passed: number): Promise<StoredNight> {
  const date = dateOf(Date.now());
  const answers: unknown[][] = [];
  for (const path of REPORTS) answers.push(await readReport(path));
  return dateOf(Date.now()) === date ? { passed, date, answers } : store(passed);
}

const ofRemainingLearners = (rows: unknown[]): unknown[] =>
  (rows as { learnerId?: string; id?: string }[]).filter(({ learnerId, id = learnerId }) => {
    return id === undefined || people.includes(id);
  });

/** Lives some days of random changes, and stores what the reports return at the end of each. */
async function live(days: number, changes: (() => Promise<unknown>)[], from = 0): Promise<StoredNight[]> {
  const nights: StoredNight[] = [];
  for (let day = 0; day < days; day++) {
    for (let n = 0; n < CHANGES_A_DAY; n++) await one(changes)();
    nights.push(await store(from + day));
    await passDay();
  }
  return nights;
}

async function expectSame(
  nights: StoredNight[],
  passed: number,
  pastOf: (day: string) => string,
  isCompared = (_path: string) => true,
): Promise<void> {
  for (const night of nights) {
    const days = passed - night.passed;
    const day = moveBack(night.date, days);
    for (const [index, path] of REPORTS.entries()) {
      if (!isCompared(path)) continue;
      const stored = ofRemainingLearners(movedBack(night.answers[index]!, days));
      const found = await readReport(path + pastOf(day));
      expect({ path, day, rows: ofRemainingLearners(found) }).toEqual({ path, day, rows: stored });
    }
  }
}

const nights: StoredNight[] = [];

test('without corrections, each report of the past is returned again for its day', async () => {
  nights.push(...(await live(DAYS, ON_TIME)));
  // A later event can change the verdict on an earlier one, which then counts or no longer counts on its day.
  const isFinal = (path: string) => !/simulation|clickers/.test(path);
  await expectSame(nights, DAYS, (day) => `&asOf=${day}`, isFinal);
  await expectSame(nights, DAYS, (day) => `&asOf=${day}&knownAt=${dateOf(Date.now())}`, isFinal);
});

test('each report of the past is returned again for its day and the knowledge of that day', async () => {
  nights.push(...(await live(DAYS, CORRECTED_AND_LATE, DAYS)));
  expect(new Set(nights.map(({ answers }) => JSON.stringify(answers))).size).toBeGreaterThan(DAYS);
  await expectSame(nights, 2 * DAYS, (day) => `&asOf=${day}&knownAt=${day}`);
  await expectSame(nights, 2 * DAYS, (day) => `&knownAt=${day}`);
});
