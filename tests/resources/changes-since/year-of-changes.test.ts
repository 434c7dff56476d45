/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import { call } from '../../support/client.ts';
import { companies, groupId, learnerId, managedCourses, MANAGED_CATALOGUE, ownCourseId } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import {
  Copy,
  courseResults,
  courseResultsOfGroup,
  gapAnalysisResults,
  groups,
  learners,
  policyResults,
} from './copy.ts';

const WEEKS = 52;
const CHANGES_A_WEEK = 4;
const WEEKS_TO_A_SYNC = 2;

let seed = 20_261_123;
/** Returns a pseudo-random integer below `below`, the same in each run (mulberry32). */
function random(below: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let n = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
  return ((n ^ (n >>> 14)) >>> 0) % below;
}
const one = <T>(of: readonly T[]): T => of[random(of.length)]!;
const some = <T>(of: readonly T[]): T[] => [...new Set(Array.from({ length: 1 + random(3) }, () => one(of)))];

/** Removes and returns a random item, or returns '-' if only `least` items are left. */
const taken = (of: string[], least: number): string =>
  of.splice(random(of.length), of.length > least ? 1 : 0)[0] ?? '-';

const people: string[] = ([1, 2, 3, 4, 5] as const).map((n) => learnerId('tenant', n));
const teams: string[] = [groupId('tenant', 1), groupId('tenant', 2)];
/** Removes and returns a team, but never the first, or returns '-' if only two are left. */
const takenTeam = (): string => (teams.length > 2 ? teams.splice(1 + random(teams.length - 1), 1)[0]! : '-');
const courses = [managedCourses.phishing, managedCourses.passwords, ownCourseId('tenant')];
const policies = [policyId('tenant', 1), policyId('tenant', 2)];
let count = 0;

/** Calls the service and expects 200 or 404. */
async function act(method: string, path: string, body?: unknown): Promise<any> {
  const { status, body: answer } = await call('tenant', method, path, { body, alone: false });
  expect({ path, body, status: [200, 404].includes(status) ? 'fine' : answer }).toMatchObject({ status: 'fine' });
  return answer.data;
}
const newLearner = () => ({
  email: `new${++count}@tenant.test`,
  firstName: 'New',
  lastName: `N${count}`,
  locale: 'en',
});
const named = () => ({ firstName: 'Renamed', lastName: `Name ${++count}` });
const today = () => new Date().toISOString();

/** Corrects a random course result. */
async function correctOne(action: string, more: object = {}): Promise<void> {
  const recorded = await act('GET', '/course-results?includeVoided=true');
  if (recorded.length === 0) return;
  const { eventId } = one(recorded as { eventId: string }[]);
  await act('POST', '/corrections', {
    corrections: [{ kind: 'course_result', eventId, action, reason: 'A random correction', ...more }],
  });
}

const CHANGES: (() => Promise<unknown>)[] = [
  async () => people.push((await act('POST', '/learners', { ...newLearner(), groupIds: some(teams) })).id),
  async () => {
    const { created } = await act('POST', '/learners/bulk', { learners: [newLearner(), newLearner()] });
    people.push(...created.map((learner: any) => learner.learnerId));
  },
  () => act('PATCH', `/learners/${one(people)}`, named()),
  () =>
    act('PATCH', `/learners/${one(people)}`, { ...named(), externalLearnerId: `X-${++count}`, groupIds: some(teams) }),
  () => act('PUT', `/learners/${one(people)}/groups`, { groupIds: some(teams) }),
  () => act('POST', '/learners/deactivate', { learnerIds: some(people) }),
  () => act('POST', '/learners/activate', { learnerIds: some(people) }),
  () => act('DELETE', `/learners/${taken(people, 4)}`),
  async () => teams.push((await act('POST', '/groups', { name: `Team ${++count}`, managerIds: [] })).id),
  () => act('PATCH', `/groups/${one(teams)}`, { name: `Renamed ${++count}` }),
  () => act('DELETE', `/groups/${takenTeam()}`),
  () => act('POST', `/groups/${one(teams)}/learners/add`, { learnerIds: some(people) }),
  () => act('POST', `/groups/${one(teams)}/learners/remove`, { learnerIds: some(people) }),
  () => act('PUT', `/groups/${one(teams)}/managers`, { managerIds: some(people) }),
  () => act('POST', '/group-membership/move', { fromGroupId: one(teams.slice(1)), toGroupId: teams[0] }),
  () => act('POST', '/course-enrollments', { learnerIds: some(people), courseIds: some(courses) }),
  () => act('POST', '/course-unenrollments', { learnerIds: some(people), courseIds: some(courses) }),
  () => act('POST', '/gap-analysis/enrollments', { learnerIds: some(people) }),
  () => act('POST', '/gap-analysis/unenrollments', { learnerIds: some(people) }),
  () => {
    const [learner, course] = [{ id: one(people) }, { id: one([...courses, managedCourses.gapAnalysis]) }];
    const result = { learner, course, startedAt: today(), finishedAt: today(), score: random(100) };
    return act('POST', '/course-results', { results: [{ ...result, eventId: `e${++count}` }] });
  },
  () => correctOne(one(['void', 'restore'])),
  () => correctOne('void'),
  () => {
    const replacement = { eventId: `e${++count}`, startedAt: today(), finishedAt: today(), score: random(100) };
    return correctOne('replace', { replacement });
  },
  () => act('PATCH', `/courses/${ownCourseId('tenant')}`, { name: `Course ${++count}` }),
  () => act('POST', '/policy-assignments', { learnerIds: some(people), policyIds: some(policies) }),
  () => act('POST', '/policy-removals', { learnerIds: some(people), policyIds: some(policies) }),
  () => act('POST', '/policy-reminders', { learnerIds: some(people), policyIds: some(policies) }),
  () => {
    const signature = {
      learner: { id: one(people) },
      policyId: one(policies),
      signedAt: today(),
      offline: true,
      eventId: `e${++count}`,
    };
    return act('POST', '/policy-signatures', { signatures: [signature] });
  },
  // Changes by the worker, the nightly job and the operator.
  () => testService.query('update learners set risk_score = $2 where id = $1', [one(people), random(100)]),
  () =>
    testService.query(
      `update messages set status = $2, settled_at = now()
        where id = (select id from messages where company_id = $1 and kind <> 'admin_invite' order by id offset $3 limit 1)`,
      [companies.tenant, one(['failed', 'sent']), random(20)],
    ),
  () =>
    testService.query('update enrollments set reminder_sent_at = now() where learner_id = $1 and course_id = $2', [
      one(people),
      one(courses),
    ]),
  () =>
    testService.query('update courses set name = $2, updated_at = now() where owner_id = $1 and id = $3', [
      MANAGED_CATALOGUE,
      `Managed ${++count}`,
      one(courses),
    ]),
];

test('a client that reads only changes has the items of the lists after a year', async () => {
  const copies = [
    ...[learners, groups, courseResults, courseResultsOfGroup(teams[0]!, 'from=2026-03-01'), gapAnalysisResults],
    ...[policyResults(policies[0]!, 'all'), policyResults(policies[1]!, 'unsigned')],
  ].map((list) => new Copy(list));
  await Promise.all(copies.map((copy) => copy.begin()));
  for (let week = 1; week <= WEEKS; week++) {
    for (let n = 0; n < CHANGES_A_WEEK; n++) await one(CHANGES)();
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
