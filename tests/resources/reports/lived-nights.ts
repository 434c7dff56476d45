import { get } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { currentLearners } from '../changes-since/merge-changes.ts';
import { one, people, random, teams, uncounted } from '../changes-since/random-changes.ts';
import { learningSummary } from './learning-summary.ts';
import { learnerOf, type RowsOfNight } from './merged-rows.ts';

// Nights of a model company: what each report returned at the end of a day, and what it returns later for that day.

const DAY_MS = 86_400_000;
const CHANGES_A_DAY = 12;

const PEOPLE = '/reports/course-participation?attempts=all&includeInactive=true';
export const REPORTS = [
  '/reports/course-results?attempts=all&includeInactive=true',
  '/reports/course-results?attempts=best',
  '/reports/course-results?includeInactive=false',
  `/reports/course-results?groupId=${teams[0]}&includeInactive=true`,
  '/reports/gap-analysis-results?attempts=all&includeInactive=true',
  '/reports/learning?attempts=all&includeInactive=true',
  '/reports/learning?status=finished',
  `/reports/learning?groupId=${teams[0]}`,
  PEOPLE,
  `/reports/course-participation?groupId=${teams[0]}`,
  '/reports/policy-results?includeInactive=true',
  `/reports/policy-results?groupId=${teams[0]}&outcome=signed`,
  '/reports/policy-results?outcome=unsigned',
  '/reports/simulation-results?includeInactive=true',
  `/reports/simulation-results?groupId=${teams[0]}&outcome=opened`,
  '/reports/repeat-clickers?minimum=1&includeInactive=true',
  '/simulations/metrics?',
];

export interface StoredNight {
  /** Number of days that had passed before that night. */
  passed: number;
  date: string;
  /** The rows of each report, as JSON. */
  answers: string[];
  /** Replacement of each merged learner. */
  merged: Map<string, string>;
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const moveBack = (date: string, days: number): string => dateOf(Date.parse(date) - days * DAY_MS);

/** Moves the dates in rows back by the number of days. */
function movedBack(rows: string, days: number): any[] {
  return JSON.parse(rows.replace(/(?<=")\d{4}-\d\d-\d\d(?="|T)/g, (date) => moveBack(date, days)));
}

export async function readReport(path: string): Promise<any[]> {
  const { status, body } = await get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  if (body.data.groupTree) {
    // Counts of learners and courses depend on the deleted learners.
    const { groupTree, learners } = body.data;
    return [...groupTree.children.map(({ id, name }: any) => ({ group: id, name })), ...learners];
  }
  // A deleted learner whose message was not sent does not count as a recipient.
  if (body.data.totalMetrics)
    return body.data.simulations.map((simulation: object) => ({ simulation: { ...simulation, recipientCount: null } }));
  if (body.data.summary) expect({ path, ...body.data.summary }).toEqual({ path, ...learningSummary(body.data.rows) });
  // Random changes redate a message's outcome, which the service never does.
  const rows: any[] = body.data.rows ?? body.data;
  return rows.map((row) => (row.policy ? { ...row, mailFailedAt: null } : row));
}

async function store(passed: number): Promise<StoredNight> {
  const date = dateOf(Date.now());
  const answers: string[] = [];
  for (const path of REPORTS) answers.push(JSON.stringify(await readReport(path)));
  return dateOf(Date.now()) === date ? { passed, date, answers, merged: currentLearners() } : store(passed);
}

interface Life {
  /** Number of days that had passed before. */
  from?: number;
  /** Returns the number of changes on a day. */
  countOf?: () => number;
  afterDay?: (day: number) => Promise<unknown>;
}

/** Lives some days of random changes, and stores what the reports return at the end of each. */
export async function live(
  days: number,
  changes: (() => Promise<unknown>)[],
  { from = 0, countOf = () => CHANGES_A_DAY, afterDay }: Life = {},
): Promise<StoredNight[]> {
  const nights: StoredNight[] = [];
  for (let day = 0; day < days; day++) {
    for (let n = countOf(); n > 0; n--) await one(changes)();
    nights.push(await store(from + day));
    await passDay();
    await afterDay?.(day);
  }
  return nights;
}

/** Returns the number of changes on one day in a company that is busy once in ten days. */
export const fewOrMany = (): number => (random(10) === 0 ? 10 + random(20) : random(4));

/** Returns the id of the learner that a learner was merged into, or the learner's own id. */
const follow = (merged: Map<string, string>, id: string): string => merged.get(id) ?? id;

/**
 * Finds the learners whose merges differ from those of the night, because they were merged or a merge was undone since.
 * Returns the learner who now replaces each of them.
 */
function findChanged(merged: Map<string, string>): Map<string, string> {
  const now = currentLearners();
  const ids = new Set([...merged.keys(), ...merged.values(), ...now.keys(), ...now.values()]);
  const [former, present] = [merged, now].map((map) => Map.groupBy(ids, (id) => follow(map, id)));
  const formatPerson = (map: Map<string, string>, groups: Map<string, string[]>, id: string) =>
    [follow(map, id), ...groups.get(follow(map, id))!.toSorted()].join();
  const changed = [...ids].filter((id) => formatPerson(merged, former!, id) !== formatPerson(now, present!, id));
  return new Map(changed.map((id) => [id, follow(now, id)]));
}

interface AskedNight extends RowsOfNight {
  /** Current replacement of each learner whose merges have changed since the night. */
  changed: Map<string, string>;
  /** The part of `changed` that was merged since, into a learner who was recorded that night. */
  merged: Map<string, string>;
}

/**
 * Finds the learners who had not been merged on the night, and whose replacement was recorded then and is not deleted.
 */
function findMerged(night: StoredNight, changed: Map<string, string>): Map<string, string> {
  const wereMerged = new Set([...night.merged].flat().map((id) => changed.get(id)));
  const recorded = new Set(JSON.parse(night.answers[REPORTS.indexOf(PEOPLE)]!).map(learnerOf));
  const isComparable = (id: string) => !wereMerged.has(id) && recorded.has(id) && people.includes(id);
  return new Map([...changed].filter(([, current]) => isComparable(current)));
}

/** Asks for the reports of nights again, and yields the rows of learners who are not deleted. */
export async function* askAgain(
  nights: StoredNight[],
  passed: number,
  pastOf: (day: string) => string,
): AsyncGenerator<AskedNight> {
  const present = new Set(people);
  for (const night of nights) {
    const changed = findChanged(night.merged);
    const merged = findMerged(night, changed);
    const days = passed - night.passed;
    const day = moveBack(night.date, days);
    const isCompared = (row: any) => {
      if (row.simulation && row.learnerId === undefined) return !uncounted.has(row.simulation.id);
      const id = learnerOf(row);
      return id === undefined || present.has(follow(changed, id));
    };
    for (const [index, path] of REPORTS.entries()) {
      const stored = movedBack(night.answers[index]!, days).filter(isCompared);
      const asked = (await readReport(path + pastOf(day))).filter(isCompared);
      yield { path, day, stored, asked, changed, merged };
    }
  }
}
