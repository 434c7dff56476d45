import { expectError, get } from '../../support/client.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';

const { phishing } = managedCourses;
const left = learnerId('tenant', 5);
const report = async (name: string, query = 'includeInactive=true', key: 'tenant' | 'msp' = 'tenant') =>
  (await get(`/reports/${name}?${query}`, key)).body.data;

test('the participation report can include inactive learners, and counts only active ones', async () => {
  const { groupTree, learners } = await report('course-participation');
  expect(learners).toHaveLength(5);
  expect(learners.filter(({ inactive }: { inactive: boolean }) => inactive)).toMatchObject([
    { id: left, courseResults: [{ courseId: phishing, score: 100 }] },
  ]);
  expect(groupTree.learnerCount).toBe(4);
});

test('the learning report can include inactive learners in rows and totals', async () => {
  const { rows, summary } = await report('learning');
  expect(rows.at(-1)).toMatchObject({ learnerId: left, inactive: true, score: 100 });
  expect(summary).toMatchObject({ learnerCount: 4, enrollmentCount: 6, finishedCount: 3 });
});

test('the result reports can include inactive learners', async () => {
  const results = await report('course-results');
  expect(results).toHaveLength(6);
  expect(results.at(-1)).toMatchObject({ learner: { id: left, inactive: true }, score: 100 });
  expect(await report('gap-analysis-results')).toHaveLength(1);
});

test('includeInactive=false is the default, and another value returns 400', async () => {
  for (const name of ['course-participation', 'course-results', 'gap-analysis-results', 'learning']) {
    const without = await report(name, '');
    expect({ ...(await report(name, 'includeInactive=false')), generatedAt: 0 }).toEqual({
      ...without,
      generatedAt: 0,
    });
    expectError(await get(`/reports/${name}?includeInactive=yes`), 400, 'invalid_request', ['query/includeInactive']);
  }
});

test('an MSP reads the inactive learners of its child', async () => {
  const { rows } = await report('learning', `includeInactive=true&companyId=${companies.childA}`, 'msp');
  expect(rows.at(-1)).toMatchObject({ learnerId: learnerId('childA', 5), inactive: true });
});
