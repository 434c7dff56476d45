import { expectError, get } from '../../support/client.ts';
import { companies, groupId, type KeyName, learnerId, managedCourses } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';

const path = '/reports/groups';

async function report(key: KeyName = 'tenant', query = ''): Promise<{ company: any; groups: any[] }> {
  const { status, body } = await get(path + query, key);
  expect(status).toBe(200);
  return body.data;
}

/** Learners 1 to 3 are in the first group, 3 and 4 in the second; learner 5 is inactive. */
beforeEach(async () => {
  const company = companies.tenant;
  await testService.query('delete from enrollments where company_id = $1', [company]);
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date, score, passed)
     select $1::uuid, l.id::uuid, c.id::uuid, managed_catalogue(), '2026-03-02', l.start, l.finish, l.score, l.score >= 80
       from (values ($2, date '2026-03-03', date '2026-03-04', 90), ($3, date '2026-03-03', date '2026-03-04', 20),
                    ($4, date '2026-03-03', null, null), ($5, null, null, null), ($6, date '2026-03-03', date '2026-03-04', 99)
            ) as l (id, start, finish, score),
            (values ($7), ($8)) as c (id)`,
    [
      company,
      ...([1, 2, 3, 4, 5] as const).map((number) => learnerId('tenant', number)),
      ...[managedCourses.phishing, managedCourses.gapAnalysis],
    ],
  );
  await testService.query('insert into company_settings values ($1, 2) on conflict do nothing', [company]);
  await testService.query(
    `update learners set risk_score = s.score from (values ($2::uuid, 10), ($3, 20), ($4, 60), ($5, 81), ($6, 100)) as s (id, score)
      where learners.id = s.id and company_id = $1`,
    [company, ...([1, 2, 3, 4, 5] as const).map((number) => learnerId('tenant', number))],
  );
});

describe('GET /reports/groups', () => {
  test('counts active learners, risk, training, policies and simulations of the company and each group', async () => {
    expect(await report('tenant', '?from=2020-01-01&to=2030-12-31')).toEqual({
      company: {
        ...{ id: companies.tenant, name: 'The tenant company' },
        ...{ learnerCount: 4, averageRiskScore: 42.8, riskScoreLevel: 'moderate' },
        training: { enrollmentCount: 4, startedCount: 3, finishedCount: 2, passedCount: 1 },
        policies: { assignedCount: 3, signedCount: 1 },
        simulations: { sentCount: 3, clickRate: 0.3333, reportRate: 0.3333 },
      },
      groups: [
        {
          ...{ id: groupId('tenant', 1), name: expect.any(String) },
          // The company has only one more learner, whose score would be the difference.
          ...{ learnerCount: 3, averageRiskScore: null, riskScoreLevel: null },
          training: { enrollmentCount: 3, startedCount: 3, finishedCount: 2, passedCount: 1 },
          policies: { assignedCount: 3, signedCount: 1 },
          simulations: { sentCount: 3, clickRate: null, reportRate: null },
        },
        {
          ...{ id: groupId('tenant', 2), name: expect.any(String) },
          ...{ learnerCount: 2, averageRiskScore: 70.5, riskScoreLevel: 'high' },
          training: { enrollmentCount: 2, startedCount: 1, finishedCount: 0, passedCount: 0 },
          policies: { assignedCount: 0, signedCount: 0 },
          simulations: { sentCount: 0, clickRate: null, reportRate: null },
        },
      ],
    });
  });

  test('agrees with the learning report and the policies', async () => {
    const { company } = await report();
    const { summary } = (await get('/reports/learning')).body.data;
    expect(summary).toMatchObject(company.training);
    const policies = await Promise.all(
      ([1, 2, 3] as const).map(async (number) => (await get(`/policies/${policyId('tenant', number)}`)).body.data),
    );
    for (const count of ['assignedCount', 'signedCount']) {
      expect(company.policies[count]).toBe(policies.reduce((sum, policy) => sum + policy[count], 0));
    }
  });

  test('a group without active learners has no average', async () => {
    await testService.query('update learners set inactive = true where company_id = $1', [companies.tenant]);
    const nobody = { learnerCount: 0, averageRiskScore: null, riskScoreLevel: null };
    const { company, groups } = await report();
    expect(company).toMatchObject(nobody);
    expect(groups).toEqual([expect.objectContaining(nobody), expect.objectContaining(nobody)]);
    await testService.query('update learners set inactive = false where company_id = $1 and id <> $2', [
      companies.tenant,
      learnerId('tenant', 5),
    ]);
  });

  test('needs five learners for a mean unless the company sets another minimum', async () => {
    await testService.query('delete from company_settings');
    const { company, groups } = await report();
    for (const row of [company, ...groups]) expect(row).toMatchObject({ averageRiskScore: null, riskScoreLevel: null });
  });

  test('counts only simulations of the period, which cannot end before it begins', async () => {
    expect((await report('tenant', '?from=2020-01-01&to=2020-12-31')).company.simulations.sentCount).toBe(0);
    expectError(await get(`${path}?from=2026-02-01&to=2026-01-31`), 400, 'invalid_request', ['query/from']);
  });

  test('figures of a disabled module are null', async () => {
    await testService.query('update companies set smlearn = false where id = $1', [companies.other]);
    const { company, groups } = await report('other');
    expect(company).toMatchObject({ training: null, policies: { signedCount: 1 } });
    for (const group of groups) expect(group).toMatchObject({ training: null, policies: expect.any(Object) });
  });

  test('an MSP reads its child, and a foreign MSP gets 403', async () => {
    const own = await report('childA');
    expect(await report('msp', `?companyId=${companies.childA}`)).toEqual(own);
    expectError(await get(`${path}?companyId=${companies.childA}`, 'strangerMsp'), 403, 'forbidden');
  });
});
