import { del, post } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId } from '../../support/world.ts';
import { create, dataOf, publish, update } from '../policies/policy-state.ts';

// A year of a company with 300 learners, recorded only through the API. The test keeps a copy of
// every fact in its own table, and derives every figure of the reports from it with SQL that the service does not use.
export const LEARNERS = 300;
const DAY_MS = 86_400_000;
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - 360 * DAY_MS;
const MONTHS = [5, 0, 11, 3, 8, 1, 10, 2, 7, 4, 9, 6];
const VERSIONS = [1, 5, 9];
const GAP_ANALYSES = [2, 8];

const people = Array.from({ length: LEARNERS }, (_, n) => n);
export const external = (n: number): string => `HR-YEAR-${n}`;
const learner = (n: number): object => ({ externalLearnerId: external(n) });
const at = (month: number, day: number, hour = 8): string =>
  new Date(START + (30 * month + day) * DAY_MS + hour * 3_600_000).toISOString();

interface ReportedFact {
  kind: 'result' | 'signature' | 'event';
  n: number;
  target: string;
  what: string | null;
  started: string | null;
  finished: string | null;
  score: number | null;
}
const told: ReportedFact[] = [];
const nothing = { what: null, started: null, finished: null, score: null };

/**
 * Returns the rows of a handwritten query, which can use `told` (all facts) and `here` (learners who are not
 * deleted).
 */
export async function derive(query: string, values: unknown[] = []): Promise<any[]> {
  return testService.query(
    `with told as (select * from year.told),
          here as (select n, n < 280 as active from generate_series(0, 289) as n)
     ${query}`,
    values,
  );
}

/** Records facts in one call and expects all of them to be accepted. */
async function recordFacts(path: string, field: string, facts: readonly object[]): Promise<void> {
  const { success, failures } = await dataOf(post(path, { [field]: facts }));
  expect({ path, success, failures }).toEqual({ path, success: true, failures: [] });
}

/** Records course results of learners in a month: a start each, and a finish for most. */
async function take(month: number, who: number[], courseOf: (n: number) => string): Promise<void> {
  const results = who.map((n) => {
    const id = courseOf(n);
    const isOpen = (n + month) % 7 === 0;
    const times = { startedAt: at(month, 3), ...(isOpen ? {} : { finishedAt: at(month, 5) }) };
    const score = isOpen ? null : (n * 37 + month * 11) % 101;
    told.push({
      kind: 'result',
      n,
      target: id,
      ...nothing,
      started: at(month, 3),
      finished: times.finishedAt ?? null,
      score,
    });
    return {
      learner: learner(n),
      course: { id },
      ...times,
      ...(score !== null && { score }),
      eventId: `lms-${id}-${month}-${n}`,
    };
  });
  await recordFacts('/course-results', 'results', results);
}

async function takeTraining(month: number): Promise<void> {
  const who = people.filter((n) => (n + month) % 3 === 0);
  await take(month, who, (n) => (month < 6 || n % 2 === 0 ? managedCourses.phishing : managedCourses.passwords));
  if (!GAP_ANALYSES.includes(month)) return;
  const measured = people.filter((n) => n % 4 === 0);
  await take(month, measured, () => managedCourses.gapAnalysis);
}

async function phish(month: number): Promise<void> {
  const externalId = `campaign-${month}`;
  const dates = { startDate: at(month, 10), endDate: at(month, 20) };
  await dataOf(post('/simulations', { externalId, name: `Campaign ${month}`, deliveryMethod: 'email', ...dates }));
  const events = people.flatMap((n) => {
    const luck = (n * 31 + month * 17) % 100;
    const did = [
      ['sent', 0, true],
      ['opened', 1, luck < 60],
      ['visited', 2, luck < 25],
      ['compromised', 3, luck < 8],
      ['reported', 4, luck >= 70 && luck < 85],
    ] as const;
    return did
      .filter(([, , happened]) => happened)
      .map(([type, hour]) => ({ n, type, occurredAt: at(month, 10, 8 + hour) }));
  });
  told.push(
    ...events.map(({ n, type }) => ({ kind: 'event' as const, n, target: externalId, ...nothing, what: type })),
  );
  await recordFacts(
    '/simulation-events',
    'events',
    events.toReversed().map(({ n, type, occurredAt }) => ({
      ...{ simulation: { externalId }, learner: learner(n), type, occurredAt },
      ...{ evidence: { input: true }, eventId: `${externalId}-${n}-${type}` },
    })),
  );
}

/**
 * Creates a policy with three versions, each published in its month and signed by fewer learners than the one before.
 */
async function signPolicy(name: string): Promise<string> {
  const { id } = await create({ name });
  for (const number of [2, 3]) {
    await update(id, { name: `${name} ${number}`, action: 'draft' });
    await publish(id, { major: true });
  }
  await testService.query(
    `update policy_versions v set published_at = k.at from unnest($2::timestamptz[]) with ordinality as k (at, number)
      where v.policy_id = $1 and v.major_version = k.number`,
    [id, VERSIONS.map((month) => at(month, 0, 0))],
  );
  for (const [index, month] of [...VERSIONS.entries()].toReversed()) {
    const signers = people.filter((n) => n % 10 < 9 - 3 * index);
    told.push(
      ...signers.map((n) => ({
        kind: 'signature' as const,
        n,
        target: id,
        ...nothing,
        what: String(index + 1),
        finished: at(month, n % 20, 9),
      })),
    );
    const signatures = signers.map((n) => {
      return {
        learner: learner(n),
        policyId: id,
        signedAt: at(month, n % 20, 9),
        offline: n % 2 === 0,
        eventId: `${id}-${index}-${n}`,
      };
    });
    await recordFacts('/policy-signatures', 'signatures', signatures);
  }
  return id;
}

export const ids = new Map<string, string>();
export const policies: string[] = [];

/** Records the whole year; for beforeAll. */
export async function liveAYear(): Promise<void> {
  await testService.query('delete from learners where company_id = $1', [companies.tenant]);
  await testService.query('delete from simulations where company_id = $1', [companies.tenant]);
  const groups = await Promise.all(['North', 'South', 'West'].map((name) => dataOf(post('/groups', { name }))));
  const { created } = await dataOf(
    post('/learners/bulk', {
      learners: people.map((n) => ({
        ...{ email: `person${n}@tenant.test`, firstName: 'Person', lastName: `Number ${n}` },
        ...{ externalLearnerId: external(n), groupIds: [groups[n % 3].id] },
      })),
    }),
  );
  for (const { index, learnerId } of created) ids.set(external(index), learnerId);
  for (const month of MONTHS) {
    await takeTraining(month);
    await phish(month);
  }
  for (const name of ['Acceptable use', 'Passwords']) policies.push(await signPolicy(name));
  const learnerIds = people.slice(0, 100).map((n) => ids.get(external(n))!);
  await dataOf(post('/course-enrollments', { learnerIds, courseIds: [ownCourseId('tenant')] }));
  const idsOf = (from: number, to: number) => ({
    learnerIds: people.slice(from, to).map((n) => ids.get(external(n))!),
  });
  await dataOf(post('/learners/deactivate', idsOf(270, 300)));
  await dataOf(post('/learners/activate', idsOf(270, 280)));
  await dataOf(del('/learners/bulk', idsOf(290, 300)));
  await testService.query('create schema year');
  await testService.query(
    `create table year.told as
     select * from jsonb_to_recordset($1) as t (kind text, n integer, target text, what text, started timestamptz,
                                                finished timestamptz, score numeric)`,
    [JSON.stringify(told)],
  );
}
