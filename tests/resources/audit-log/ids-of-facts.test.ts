/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { makeCourse } from '../../http/xapi-support.ts';
import { post } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import { deliver, event } from '../sources/deliveries.ts';
import { entered } from './audit-state.ts';

const [first, second, third] = ([1, 2, 3] as const).map((number) => learnerId('tenant', number)) as [
  string,
  string,
  string,
];

test('entries have the ids of learners and courses that results name by email or external id', async () => {
  const courseId = await makeCourse('audited-course');
  const learners = [
    { email: 'Learner1@tenant.test' },
    { externalLearnerId: 'HR-2' },
    { id: third },
    { email: 'nobody@tenant.test' },
    { email: 'learner1@other.test' },
    { id: unknownId },
  ];
  const results = learners.map((learner, index) => {
    return {
      learner,
      course: { externalId: 'audited-course' },
      startedAt: '2026-05-04T09:30:00Z',
      eventId: `told-${index}`,
    };
  });
  const { answer, entries } = await entered('tenant', 'POST', '/course-results', { results });
  expect(answer.body.data.completed).toHaveLength(3);
  expect(entries).toMatchObject([
    {
      operation: 'recordCourseResults',
      targets: [
        { field: 'results', count: 6, ids: [] },
        { field: 'results/learner/id', count: 2, ids: [third, unknownId] },
        { field: 'learnerId', count: 2, ids: [first, second] },
        { field: 'courseId', count: 1, ids: [courseId] },
      ],
    },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/@|HR-2|audited-course/);
});

test('an entry for many results has the count and the first 100 learner ids', async () => {
  const people = Array.from({ length: 120 }, (_, n) => ({
    email: `told${n}@tenant.test`,
    firstName: 'A',
    lastName: 'B',
  }));
  await post('/learners/bulk', { learners: people });
  const courseId = await makeCourse('many');
  const results = people.map(({ email }, index) => {
    return {
      learner: { email },
      course: { id: courseId },
      startedAt: '2026-05-04T09:30:00Z',
      eventId: `many-${index}`,
    };
  });
  const { entries } = await entered('tenant', 'POST', '/course-results', { results });
  const targets = entries[0]!.targets as { field: string; count: number; ids: string[] }[];
  const found = targets.find(({ field }) => field === 'learnerId')!;
  expect({ ...found, ids: found.ids.length }).toEqual({ field: 'learnerId', count: 120, ids: 100 });
});

test('entries for GoPhish events and reported messages have the ids of their simulation and learner', async () => {
  await deliver(event('Email Sent'));
  const [simulation] = await testService.query('select id from simulations where external_id is not null');
  await deliver(event('Clicked Link'));
  const last = `select targets from audit_log where operation = 'receiveGoPhishEvent' order by occurred_at desc limit 1`;
  const [told] = await testService.query(last);
  const [recipient] = await testService.query(
    'select id from simulation_recipients where simulation_id = $1 and learner_id = $2',
    [simulation!.id, first],
  );
  const { entries } = await entered('tenant', 'POST', '/reported-messages', { token: recipient!.id });
  const ofFirst = [
    { field: 'learnerId', count: 1, ids: [first] },
    { field: 'simulationId', count: 1, ids: [simulation!.id] },
  ];
  for (const entry of [told!, ...entries]) expect(entry.targets).toEqual(expect.arrayContaining(ofFirst));
  expect(entries).toHaveLength(1);
});
