import { del, post } from '../../support/client.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';
import { feedHasSaid } from '../breaches/breach-state.ts';
import { create, publish } from '../policies/policy-state.ts';
import { at, record, useSimulation } from '../simulations/event-state.ts';
import { eventsOf, here, openTransaction, page, settled } from './event-state.ts';

const one = learnerId('tenant', 1);
const simulation = useSimulation();
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);

test("a simulation emits events for its recipients' milestones and for its completion", async () => {
  const change = (status: string) =>
    eventsOf(() =>
      post('/simulations', { externalId: 'engine-1', name: 'Parcel notice', deliveryMethod: 'email', status }),
    );
  const data = { simulationId: simulation.id };
  // The simulation is already running, because its start is in the past.
  expect(await change('running')).toEqual([]);
  const message = { ...data, recipientId: anyId, learnerId: one };
  const told = await eventsOf(() =>
    record(
      { type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1' },
      { type: 'visited', occurredAt: at('08:10:00'), eventId: 'e2', evidence: { address: '198.51.100.7' } },
      { type: 'reported', occurredAt: at('08:20:00'), eventId: 'e3' },
    ),
  );
  expect(told).toEqual([
    ['simulation.message.sent', { ...message, occurredAt: at('08:00:00') }],
    ['simulation.message.opened', { ...message, occurredAt: at('08:10:00') }],
    ['simulation.message.visited', { ...message, occurredAt: at('08:10:00') }],
    ['simulation.message.reported', { ...message, occurredAt: at('08:20:00') }],
  ]);
  expect(await eventsOf(() => record({ type: 'sent', occurredAt: at('08:00:00'), eventId: 'e1' }))).toEqual([]);
  expect(await change('completed')).toEqual([['simulation.completed', data]]);
});

test('a withdrawn milestone emits simulation.result.withdrawn', async () => {
  const taken = `update simulation_recipients set opened_at = null, visited_at = null, evaluated_at = now()
    where company_id = $1 and simulation_id = $2`;
  await record(
    { type: 'sent', occurredAt: at('08:00:00'), eventId: 't1' },
    { type: 'visited', occurredAt: at('08:10:00'), eventId: 't2' },
  );
  const message = { simulationId: simulation.id, recipientId: anyId, learnerId: one };
  expect(await eventsOf(() => testService.query(taken, [companies.tenant, simulation.id]))).toEqual([
    ['simulation.result.withdrawn', { ...message, milestone: 'opened' }],
    ['simulation.result.withdrawn', { ...message, milestone: 'visited' }],
  ]);
});

test('a risk score emits an event when its level changes, also for many learners at once', async () => {
  await testService.query('update learners set risk_score = 20 where company_id = $1', [companies.tenant]);
  const raise = (score: number) =>
    eventsOf(() => testService.query('update learners set risk_score = $2 where id = $1', [one, score]));
  expect(await raise(24)).toEqual([]);
  expect(await raise(75)).toEqual([
    ['risk.level.changed', { learnerId: one, level: 'critical', previousLevel: 'low' }],
  ]);
  const all = 'update learners set risk_score = 30 where company_id = $1';
  expect(await eventsOf(() => testService.query(all, [companies.tenant]))).toHaveLength(5);
});

test('a new breach account of a watched domain emits breach.found once', async () => {
  await feedHasSaid('tenant.test', { learner1: ['Known'] });
  const said = () => feedHasSaid('tenant.test', { learner1: ['Known', 'News'], nobody: ['News'] });
  const data = { breachId: anyId };
  expect(await eventsOf(said)).toEqual(
    expect.arrayContaining([
      ['breach.found', { ...data, learnerId: one }],
      ['breach.found', { ...data, learnerId: null }],
    ]),
  );
  expect(await eventsOf(said)).toEqual([]);
});

test('a policy emits events when published, unassigned and deleted', async () => {
  let id = '';
  expect(await eventsOf(async () => (id = (await create({ action: 'draft' })).id))).toEqual([]);
  const version = { policyId: id, versionId: anyId, majorVersion: 1, minorVersion: 0 };
  expect(await eventsOf(() => publish(id))).toEqual([['policy.published', version]]);
  await post('/policy-assignments', { policyIds: [id], learnerIds: [one] });
  expect(await eventsOf(() => del('/policies/bulk', { policyIds: [id] }))).toEqual([
    ['policy.unassigned', { policyId: id, learnerId: one }],
    ['policy.deleted', { policyId: id }],
  ]);
});

test('a statement with 10,000 enrolments emits 10,000 events', async () => {
  const after = await here('directChild');
  const session = await openTransaction('directChild');
  await session.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, new_id(), 'bulk' || n || '@bulk.test', 'A', 'B' from generate_series(1, 5000) as n`,
    [companies.directChild],
  );
  await session.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1, l.id, c.id, c.owner_id, current_date
       from learners l, courses c where l.company_id = $1 and l.email like 'bulk%' and c.id = any($2)`,
    [companies.directChild, [managedCourses.phishing, managedCourses.passwords]],
  );
  await session.query('commit');
  await session.end();
  await settled();
  const counts: Record<string, number> = {};
  for (let cursor = after, isLast = false; !isLast;) {
    const { events, nextCursor, hasMore } = await page({ after: cursor, limit: 1000 }, 'directChild');
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
    [cursor, isLast] = [nextCursor, !hasMore];
  }
  expect(counts).toEqual({ 'learner.created': 5000, 'enrollment.created': 10_000 });
});

test('a correction emits record.corrected, and enrollment.removed for an attempt that disappears', async () => {
  const courseId = managedCourses.phishing;
  const result = { learner: { id: one }, course: { id: courseId } };
  const days = ['2026-05-05T08:00:00Z', '2026-05-06T08:00:00Z'];
  await post('/course-results', {
    results: days.map((finishedAt, n) => ({ ...result, finishedAt, score: 90, eventId: `event-${n}` })),
  });
  const correct = (item: object) => () =>
    post('/corrections', { corrections: [{ kind: 'course_result', reason: 'A mistake', ...item }] });
  const data = { correctionId: anyId, kind: 'course_result', learnerId: one, replacementEventId: null };
  for (const eventId of ['event-0', 'event-1']) {
    const seen = await eventsOf(correct({ eventId, action: 'void' }));
    expect(seen).toContainEqual(['record.corrected', { ...data, eventId, action: 'void' }]);
    expect(seen).toContainEqual(['enrollment.removed', { attemptId: anyId, learnerId: one, courseId }]);
    expect(await eventsOf(correct({ eventId, action: 'void' }))).toEqual([]);
  }
  const replacement = { eventId: 'event-2', startedAt: days[0], finishedAt: days[1], score: 40 };
  await correct({ eventId: 'event-0', action: 'restore' })();
  expect(await eventsOf(correct({ eventId: 'event-0', action: 'replace', replacement }))).toEqual([
    ['record.corrected', { ...data, eventId: 'event-0', action: 'replace', replacementEventId: 'event-2' }],
  ]);
});
