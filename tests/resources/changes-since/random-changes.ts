import { call } from '../../support/client.ts';
import { companies, groupId, learnerId, managedCourses, MANAGED_CATALOGUE, ownCourseId } from '../../support/world.ts';
import { fileId, policyId } from '../../support/world-policies.ts';

// Random changes to everything that lists and reports show, made by the API, the worker, the nightly job and the
// operator.

export const SEED = Number(process.env['SEED'] ?? 20_261_123);
let seed = SEED;
/** Returns a pseudo-random integer below `below`, the same in each run with the seed (mulberry32). */
export function random(below: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let n = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
  return ((n ^ (n >>> 14)) >>> 0) % below;
}
export const one = <T>(of: readonly T[]): T => of[random(of.length)]!;
const some = <T>(of: readonly T[]): T[] => [...new Set(Array.from({ length: 1 + random(3) }, () => one(of)))];

/** Removes and returns a random item, or returns '-' if only `least` items are left. */
const taken = (of: string[], least: number): string =>
  of.splice(random(of.length), of.length > least ? 1 : 0)[0] ?? '-';

export const people: string[] = ([1, 2, 3, 4, 5] as const).map((n) => learnerId('tenant', n));
export const teams: string[] = [groupId('tenant', 1), groupId('tenant', 2)];
/** Removes and returns a team, but never the first, or returns '-' if only two are left. */
const takenTeam = (): string => (teams.length > 2 ? teams.splice(1 + random(teams.length - 1), 1)[0]! : '-');
const courses = [managedCourses.phishing, managedCourses.passwords, ownCourseId('tenant')];
export const policies = [policyId('tenant', 1), policyId('tenant', 2)];
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
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const today = () => daysAgo(0);

/** Corrects a random course result. */
async function correctOne(action: string, more: object = {}): Promise<void> {
  const recorded = await act('GET', '/course-results?includeVoided=true');
  if (recorded.length === 0) return;
  const { eventId } = one(recorded as { eventId: string }[]);
  await act('POST', '/corrections', {
    corrections: [{ kind: 'course_result', eventId, action, reason: 'A random correction', ...more }],
  });
}

/**
 * Simulations with a deleted recipient whose message was first recorded as sent and later as not sent. The learner
 * counts in no day's figures.
 */
export const uncounted = new Set<string>();

/** Records the simulations that will not count a learner once the learner is deleted. */
export async function noteUncounted(learnerId: string): Promise<void> {
  const rows = await testService.query(
    `select v.simulation_id::text as id from simulation_recipient_versions v
       join simulation_recipients r using (company_id, learner_id, simulation_id)
      where v.learner_id::text = $1 and v.sent_at is not null and r.sent_at is null`,
    [learnerId],
  );
  for (const { id } of rows) uncounted.add(id as string);
}

export async function deleteLearner(): Promise<void> {
  const id = taken(people, 4);
  await noteUncounted(id);
  await act('DELETE', `/learners/${id}`);
}

/** Creates two learners. */
export async function hireTwo(): Promise<void> {
  const { created } = await act('POST', '/learners/bulk', { learners: [newLearner(), newLearner()] });
  people.push(...created.map((learner: any) => learner.learnerId));
}

export const CHANGES: (() => Promise<unknown>)[] = [
  async () => people.push((await act('POST', '/learners', { ...newLearner(), groupIds: some(teams) })).id),
  hireTwo,
  () => act('PATCH', `/learners/${one(people)}`, named()),
  () =>
    act('PATCH', `/learners/${one(people)}`, { ...named(), externalLearnerId: `X-${++count}`, groupIds: some(teams) }),
  () => act('PUT', `/learners/${one(people)}/groups`, { groupIds: some(teams) }),
  () => act('POST', '/learners/deactivate', { learnerIds: some(people) }),
  () => act('POST', '/learners/activate', { learnerIds: some(people) }),
  deleteLearner,
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

export const CORRECTIONS: typeof CHANGES = [
  () => correctOne(one(['void', 'restore'])),
  () => correctOne('void'),
  () => {
    const replacement = { eventId: `e${++count}`, startedAt: today(), finishedAt: today(), score: random(100) };
    return correctOne('replace', { replacement });
  },
];

/** Imports and removals of memberships of the last weeks. They do not change reports on the current state. */
export const MEMBERSHIP_CHANGES: typeof CHANGES = [
  () => {
    const [from, to] = [10 + random(9), 1 + random(9)].map((days) => daysAgo(days).slice(0, 10)) as [string, string];
    const memberships = [{ learnerId: one(people), periods: random(4) > 0 ? [{ from, to }] : [] }];
    return act('POST', `/groups/${teams[0]}/membership-history`, { memberships });
  },
];

/** Late records: results and replacements with dates of the last eight days. */
export const LATE_CHANGES: typeof CHANGES = [
  () => {
    const [learner, course, days] = [{ id: one(people) }, { id: one(courses) }, random(8)];
    const score = one([null, random(100)]);
    const result = { learner, course, startedAt: daysAgo(days + random(3)), finishedAt: daysAgo(days), score };
    return act('POST', '/course-results', { results: [{ ...result, eventId: `e${++count}` }] });
  },
  () => {
    const [learner, course] = [{ id: one(people) }, { id: one(courses) }];
    const result = { learner, course, startedAt: daysAgo(random(8)) };
    return act('POST', '/course-results', { results: [{ ...result, eventId: `e${++count}` }] });
  },
  () => {
    const [startedAt, finishedAt] = [daysAgo(8), daysAgo(random(8))];
    return correctOne('replace', {
      replacement: { eventId: `e${++count}`, startedAt, finishedAt, score: random(100) },
    });
  },
];

/** Corrects the signature of a random policy. */
async function correctSignature(action: string, more: object = {}): Promise<void> {
  const policy = await act('GET', `/policies/${one(policies)}?includeSignatures=true&includeVoided=true`);
  // The records of deleted learners are deleted, and their ids are null.
  const eventIds: string[] = (policy?.signatures ?? []).flatMap(({ eventId }: any) => eventId ?? []);
  if (eventIds.length === 0) return;
  const eventId = one(eventIds);
  await act('POST', '/corrections', {
    corrections: [{ kind: 'policy_signature', eventId, action, reason: 'A random correction', ...more }],
  });
}

const signature = (daysSince: number) => ({
  ...{ learner: { id: one(people) }, policyId: one(policies), eventId: `e${++count}` },
  ...{ signedAt: daysAgo(daysSince), offline: true },
});

/** Policies that are created, renamed with a new version, and deleted. */
export const POLICY_CHANGES: typeof CHANGES = [
  async () => {
    const policy = { name: `Policy ${++count}`, pdfFile: fileId('tenant'), action: 'live' };
    policies.push((await act('POST', '/policies', policy)).id);
  },
  () =>
    act('PATCH', `/policies/${one(policies)}`, {
      ...{ action: 'live', name: `Policy ${++count}`, major: random(2) === 0, resend: random(2) === 0 },
    }),
  () => {
    if (policies.length < 4) return Promise.resolve();
    return act('DELETE', '/policies/bulk', { policyIds: policies.splice(random(policies.length), 1) });
  },
  () => act('POST', '/policy-signatures', { signatures: [signature(0)] }),
];

export const SIGNATURE_CORRECTIONS: typeof CHANGES = [
  () => correctSignature(one(['void', 'restore'])),
  () => correctSignature('void'),
  () => correctSignature('replace', { replacement: { eventId: `e${++count}`, signedAt: daysAgo(random(3)) } }),
  () => act('POST', '/policy-signatures', { signatures: [signature(random(8))] }),
];
