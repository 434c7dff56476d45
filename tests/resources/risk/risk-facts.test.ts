import fc from 'fast-check';
import { type RiskFacts, riskScore, riskScoreLevel } from '../../../src/resources/risk/risk-rules.ts';
import { companies } from '../../support/world.ts';
import {
  activate,
  factsOf,
  type Happened,
  historyOf,
  prepareRisk,
  run,
  scoresOf,
  store,
  storeBreaches,
} from './risk-state.ts';

prepareRisk('tenant');

const DAY_MS = 86_400_000;
const day = '2026-06-30';
const dayEnd = Date.parse('2026-07-01T00:00:00Z');
const yearStart = Date.parse('2025-07-01T00:00:00Z');

interface Person extends Happened {
  email: string;
  inactive: boolean;
  created: string;
}

const time = (ms: number): string => new Date(ms).toISOString();
/** Times at and around each limit. */
const moment = fc
  .constantFrom(yearStart, dayEnd - 40 * DAY_MS, dayEnd - 14 * DAY_MS, dayEnd - DAY_MS, dayEnd)
  .chain((limit) => fc.constantFrom(-1, 0, 1, 3_600_000).map((difference) => limit + difference));
const moments = (count: number) =>
  fc.array(moment, { minLength: count, maxLength: count }).map((list) => list.sort((a, b) => a - b).map(time));
const date = fc
  .constantFrom(-400, -366, -365, -364, -363, -60, -32, -31, -30, -29, -1, 0, 1, 5)
  .map((days) => time(Date.parse(day) + days * DAY_MS).slice(0, 10));

const message = fc
  .record({ times: moments(4), reached: fc.nat(4), reported: fc.option(moment, { nil: undefined }) })
  .map(({ times, reached, reported }) => {
    if (reached === 0) return {};
    const [sent, opened, visited, compromised] = times.map((at, n) => (n < reached ? at : undefined));
    const isReported = reported !== undefined && time(reported) >= sent!;
    return { sent, opened, visited, compromised, reported: isReported ? time(reported) : undefined };
  });
const enrollment = fc
  .record({ dates: fc.tuple(date, date), isFinished: fc.boolean(), passed: fc.boolean() })
  .map(({ dates, isFinished, passed }) => {
    const [enrolled, finished] = dates.toSorted() as [string, string];
    return isFinished ? { enrolled, finished, passed } : { enrolled };
  });
const request = fc.oneof(
  fc.record({ asked: moment.map(time) }),
  fc.record({ asked: moment.map(time), signed: moment.map(time) }),
  fc.record({ signed: moment.map(time) }),
);
const person = fc.record({
  messages: fc.array(message, { maxLength: 6 }),
  enrollments: fc.array(enrollment, { maxLength: 6 }),
  requests: fc.array(request, { maxLength: 6 }),
  domain: fc.constantFrom('tenant.test', 'Tenant.TEST', 'other.test'),
  inactive: fc.boolean(),
  created: moment.map(time),
});
const people = fc.array(person, { minLength: 150, maxLength: 150 }).map((list) =>
  list.map(({ domain, ...rest }, n): Person => {
    // The ids are in a different order from the rows.
    const learnerId = `0192b000-0000-7000-8000-${((n * 7919) % 65_536).toString(16).padStart(12, '0')}`;
    return { ...rest, learnerId, email: `Many${n}@${domain}` };
  }),
);
const breaches = fc.array(
  fc.record({
    dataClasses: fc.subarray(['Email addresses', 'Passwords', 'Password hints']),
    holders: fc.uniqueArray(fc.nat(149), { maxLength: 80 }),
  }),
  { maxLength: 5 },
);

async function insertPeople(list: Person[]): Promise<void> {
  const rows = list.map(({ learnerId, email, inactive, created }) => ({ id: learnerId, email, inactive, created }));
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, inactive, created_at)
     select $1, id, email, 'Zoë', 'Many', inactive, created
       from json_to_recordset($2) as p (id uuid, email text, inactive boolean, created timestamptz)`,
    [companies.tenant, JSON.stringify(rows)],
  );
}

type Outcomes = Record<string, number>;

/** Counts the facts of a learner at the end of the day as docs/risk-score.md describes, step by step. */
function countFacts(one: Person, classes: string[][]): RiskFacts {
  const simulations: Outcomes = { reported: 0, ignored: 0, visited: 0, compromised: 0 };
  const courses: Outcomes = { passed: 0, completed: 0, open: 0, failed: 0, overdue: 0 };
  const policies: Outcomes = { signed: 0, open: 0, overdue: 0 };
  const leaked: Outcomes = { address: 0, password: 0 };
  const isPast = (at: string | undefined): boolean => at !== undefined && Date.parse(at) < dayEnd;
  const daysSince = (at: string): number => (Date.parse(day) - Date.parse(at)) / DAY_MS;
  for (const { sent, visited, compromised, reported } of one.messages!) {
    if (!isPast(sent) || Date.parse(sent!) < yearStart) continue;
    let worst = 'ignored';
    if (isPast(reported)) worst = 'reported';
    if (isPast(visited)) worst = 'visited';
    if (isPast(compromised)) worst = 'compromised';
    simulations[worst]! += 1;
  }
  for (const { enrolled, finished, passed } of one.enrollments!) {
    if (!isPast(enrolled)) continue;
    if (!isPast(finished)) courses[daysSince(enrolled) <= 30 ? 'open' : 'overdue']! += 1;
    else if (daysSince(finished!) < 365) courses[passed ? 'passed' : 'failed']! += 1;
  }
  for (const { asked, signed } of one.requests as { asked?: string; signed?: string }[]) {
    if (!isPast(asked)) continue;
    if (isPast(signed) && signed! >= asked!) policies.signed! += 1;
    else policies[dayEnd - Date.parse(asked!) <= 14 * DAY_MS ? 'open' : 'overdue']! += 1;
  }
  for (const dataClasses of classes) leaked[dataClasses.includes('Passwords') ? 'password' : 'address']! += 1;
  return { simulations, courses, policies, breaches: leaked } as unknown as RiskFacts;
}

test('facts, scores and the record of a day match a plain count for any history', async () => {
  const property = fc.asyncProperty(people, breaches, fc.integer({ min: 1, max: 200 }), async (list, leaks, limit) => {
    await testService.query(`delete from learners where id::text like '0192b000-%'`);
    await testService.query('delete from breaches');
    await testService.query('delete from risk_history');
    await activate('tenant');
    await insertPeople(list);
    await store('tenant', ...list);
    await storeBreaches(
      leaks.map(({ dataClasses, holders }) => ({ dataClasses, emails: holders.map((n) => list[n]!.email) })),
    );
    const expected = list
      .map((one, n) => {
        const isWatched = one.email.toLowerCase().endsWith('@tenant.test');
        const classes = leaks.filter(({ holders }) => isWatched && holders.includes(n)).map((leak) => leak.dataClasses);
        return {
          learnerId: one.learnerId,
          isThere: !one.inactive && one.created < time(dayEnd),
          facts: countFacts(one, classes),
        };
      })
      .filter(({ isThere }) => isThere)
      .toSorted((a, b) => (a.learnerId < b.learnerId ? -1 : 1));
    expect(await factsOf('tenant', day, limit)).toEqual(
      expected.map(({ learnerId, facts }) => ({ learnerId, ...facts })),
    );

    await run('tenant', '2026-07-01');
    const scores = expected.map(({ facts }) => riskScore(facts, ['simulations', 'courses', 'policies', 'breaches']));
    const stored = await scoresOf('tenant');
    expect(stored.filter((score) => score > 0)).toEqual(scores.filter((score) => score > 0));
    const level = (name: string): number => scores.filter((score) => riskScoreLevel(score) === name).length;
    const [recorded] = await historyOf('tenant');
    expect(recorded!.levels).toEqual(['low', 'moderate', 'high', 'critical'].map(level));
    const mean = scores.reduce((a, b) => a + b, 0) / Math.max(scores.length, 1);
    expect(Math.abs(recorded!.average - mean)).toBeLessThan(0.0501);
  });
  await fc.assert(property, { numRuns: 8, interruptAfterTimeLimit: 20_000 });
});
