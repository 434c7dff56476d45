import { get, patch } from '../../support/client.ts';
import { companies, learnerId } from '../../support/world.ts';
import { createLearner } from './past-state.ts';

const NAMES = { firstName: 'Past', lastName: 'Late' };

test('counts active learners by department, and lists learners without a department last', async () => {
  const [one, two] = [await createLearner(), await createLearner()];
  await patch(`/learners/${one}`, { ...NAMES, department: 'Quay' });
  await patch(`/learners/${two}`, { ...NAMES, department: 'QUAY' });
  const { status, body } = await get('/reports/departments');
  expect(status).toBe(200);
  expect(body.data).toContainEqual({
    ...{ name: expect.stringMatching(/^quay$/i), learnerCount: 2 },
    ...{ training: { enrollmentCount: 0, startedCount: 0, finishedCount: 0, passedCount: 0 } },
    policies: { assignedCount: 0, signedCount: 0 },
  });
  const company = (await get('/reports/groups')).body.data.company;
  const sum = (read: (row: any) => number) => body.data.reduce((all: number, row: any) => all + read(row), 0);
  expect(sum((row) => row.learnerCount)).toBe(company.learnerCount);
  expect(sum((row) => row.training.enrollmentCount)).toBe(company.training.enrollmentCount);
  expect(sum((row) => row.policies.assignedCount)).toBe(company.policies.assignedCount);
  await patch(`/learners/${learnerId('tenant', 1)}`, { department: null });
  expect((await get('/reports/departments')).body.data.at(-1)).toMatchObject({ name: null });
});

test('omits the figures of missing modules', async () => {
  await testService.query('update companies set smpolicy = false where id = $1', [companies.other]);
  for (const row of (await get('/reports/departments', 'other')).body.data) expect(row.policies).toBeNull();
});
