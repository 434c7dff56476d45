import { call, expectError, get, patch } from '../../support/client.ts';
import { companies, type CompanyName, groupId, learnerId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';

async function expectNumbers(company: CompanyName, count: number): Promise<void> {
  const { status, body } = await get('/learners', company);
  expect(status).toBe(200);
  const addresses = body.data.map(({ email }: { email: string }) => email);
  expect(addresses).toEqual(Array.from({ length: count }, (_, n) => `many${n + 1}@many.test`));
}

async function emptyOut(company: CompanyName): Promise<void> {
  await testService.query('delete from learners where company_id = $1', [companies[company]]);
}

describe('GET /learners', () => {
  test('lists active and inactive learners by id with exactly the documented fields', async () => {
    const { status, body } = await get('/learners');
    expect(status).toBe(200);
    const number = [1, 2, 3, 4, 5] as const;
    expect(body.data).toEqual(
      number.map((n) => ({
        id: learnerId('tenant', n),
        email: `learner${n}@tenant.test`,
        externalLearnerId: n === 4 ? null : `HR-${n}`,
        name: `${['Ada', 'Grace', 'Katherine', 'Edsger', 'Alan'][n - 1]} tenant`,
        inactive: n === 5,
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        locale: 'en',
        ...{
          department: null,
          jobTitle: null,
          country: null,
          location: null,
          timeZone: null,
          managerId: null,
          absentUntil: null,
        },
        ...{ mailStatus: 'deliverable', mailStatusReason: null, mailStatusSince: null },
        riskScoreLevel: 'low',
        groupIds: ([[], [1], [1], [1, 2], [2], []][n]! as (1 | 2)[]).map((number) => groupId('tenant', number)),
      })),
    );
    for (const { id, groupIds, ...fields } of body.data) {
      const learner = (await get(`/learners/${id}`)).body.data;
      expect(learner).toMatchObject(fields);
      expect(learner.groups.map((group: { id: string }) => group.id).toSorted()).toEqual(groupIds);
    }
  });

  test('returns the risk level of each learner and filters by riskScoreLevel', async () => {
    const scores = [0, 24, 25, 74, 100];
    await testService.query(
      `update learners l set risk_score = s.score from unnest($2::uuid[], $3::smallint[]) as s (id, score)
        where l.company_id = $1 and l.id = s.id`,
      [companies.other, ([1, 2, 3, 4, 5] as const).map((n) => learnerId('other', n)), scores],
    );
    const levelsOf = async (query: string) => {
      const { body } = await get(`/learners${query}`, 'other');
      return body.data.map(({ riskScoreLevel }: { riskScoreLevel: string }) => riskScoreLevel);
    };
    expect(await levelsOf('')).toEqual(['low', 'low', 'moderate', 'high', 'critical']);
    expect(await levelsOf('?riskScoreLevel=low')).toEqual(['low', 'low']);
    for (const level of ['moderate', 'high', 'critical']) {
      expect(await levelsOf(`?riskScoreLevel=${level}`)).toEqual([level]);
    }
    expectError(await get('/learners?riskScoreLevel=grave'), 400, 'invalid_request', ['query/riskScoreLevel']);
  });

  test('an MSP filters the learners of its child company by riskScoreLevel', async () => {
    const query = `companyId=${companies.childB}&riskScoreLevel`;
    expect((await get(`/learners?${query}=low`, 'msp')).body.data).toHaveLength(5);
    expect((await get(`/learners?${query}=high`, 'msp')).text).toBe('{"data":[]}');
  });

  test('a change updates updatedAt of the changed learner only', async () => {
    const listed = async () => (await get('/learners')).body.data as { id: string; updatedAt: string }[];
    const before = await listed();
    const rename = (firstName: string) =>
      patch(`/learners/${learnerId('tenant', 2)}`, { firstName, lastName: 'tenant' });
    await rename('Katherine');
    const changed = (await listed()).filter(({ updatedAt }, index) => updatedAt > before[index]!.updatedAt);
    await rename('Grace');
    expect(changed.map(({ id }) => id)).toEqual([learnerId('tenant', 2)]);
  });

  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant', 'tenant', 'tenant'],
  ] as const)('%s lists only the learners of the company in companyId', async (_case, key, company) => {
    const { body } = await get(`/learners?companyId=${companies[company]}`, key);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(([1, 2, 3, 4, 5] as const).map((n) => learnerId(company, n)));
  });

  test('an MSP without companyId lists only its own learners', async () => {
    const { body } = await get('/learners', 'msp');
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(learnerId('msp', 1));
    expect(body.data).toHaveLength(5);
  });

  test('the list is empty for a company without learners', async () => {
    await emptyOut('prospect');
    expect((await get('/learners', 'prospect')).text).toBe('{"data":[]}');
  });

  test('lists all of 3,500 learners in order', async () => {
    await emptyOut('strangerMsp');
    await insertLearners('strangerMsp', 3500);
    await expectNumbers('strangerMsp', 3500);
    const { body } = await get('/learners', 'strangerMsp');
    expect(body.data[6]).toMatchObject({ name: 'Zoë 🦊 No 7', inactive: true });
  });

  test('serves four concurrent reads of a long list', async () => {
    // Only two requests at a time get a connection. With more than four, the last one can time out on a busy machine.
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 4 }, () => expectNumbers('strangerMsp', 3500)));
  });

  test('HEAD returns the headers of GET without the body, also when repeated', async () => {
    for (const company of ['strangerMsp', 'tenant'] as const) {
      const full = await get('/learners', company);
      const heads = await Promise.all(Array.from({ length: 25 }, () => call(company, 'HEAD', '/learners')));
      for (const { status, text, headers } of heads) {
        expect({ status, text }).toEqual({ status: 200, text: '' });
        for (const name of ['content-type', 'content-length', 'ratelimit-policy', 'cache-control']) {
          expect(`${name}: ${headers.get(name)}`).toBe(`${name}: ${full.headers.get(name)}`);
        }
      }
    }
    await expectNumbers('strangerMsp', 3500);
  });

  test.each([1, 249, 250, 251, 999, 1000, 1001])('lists exactly %i learners', async (count) => {
    await emptyOut('directChild');
    await insertLearners('directChild', count);
    await expectNumbers('directChild', count);
  });
});
