import { call, expectError, get, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { companies, learnerId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';
import { noProfile } from '../reports/profile-state.ts';
import { dataOf, policy, read, restorePolicies } from './policy-state.ts';

restorePolicies();

const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const of = async (outcome: string, id = policy(1)): Promise<any> => dataOf(get(`/policies/${id}?outcome=${outcome}`));
const namesIn = ({ results }: any): string[] => results.map((result: any) => result.learner.name);
const time = '2026-03-02T08:00:00.000Z';

/** Stores messages to a learner with their status and their age in days. */
async function storeMessages(to: string, ...messages: [status: string, days: number, ...policyIds: string[]][]) {
  for (const [status, days, ...policyIds] of messages)
    await testService.query(
      `insert into messages (company_id, id, kind, learner_id, subject_ids, status, created_at, settled_at)
       values ($1, gen_random_uuid(), 'policy_request', $2, $3, $4, now() - $5 * interval '1 day',
               case when $4 <> 'queued' then date_trunc('day', now()) - $5 * interval '1 day' end)`,
      [companies.tenant, to, policyIds, status, days],
    );
}
const daysAgo = async (days: number): Promise<string> => {
  const [row] = await testService.query(`select date_trunc('day', now()) - $1 * interval '1 day' as at`, [days]);
  return (row!.at as Date).toISOString();
};

describe('GET /policies/{policyId} with outcome', () => {
  test('lists the learners who signed or have not signed, in line with the counts', async () => {
    const [signed, unsigned] = [await of('signed'), await of('unsigned')];
    expect([namesIn(signed), namesIn(unsigned)]).toEqual([['Ada tenant'], ['Grace tenant']]);
    expect([signed.signedCount, signed.assignedCount]).toEqual([1, 2]);
    expect({ ...signed, results: null }).toEqual(await read(policy(1)));
  });

  test('all also lists inactive learners and unassigned learners who signed', async () => {
    const { results } = await of('all');
    expect(results.map((result: any) => result.learner.id)).toEqual([1, 2, 3, 5].map((n) => learner(n as 1)));
    expect(results[0]).toEqual({
      id: expect.any(String),
      learner: {
        ...{ id: learner(1), name: 'Ada tenant', email: 'learner1@tenant.test', externalLearnerId: 'HR-1' },
        ...{ inactive: false, ...noProfile },
      },
      askedAt: time,
      remindedAt: null,
      mailFailedAt: null,
      visit: '2026-03-03T09:12:45.120Z',
      signed: '2026-03-03T09:15:02.310Z',
      signedOffline: false,
      sentVersionId: versionId('tenant', 1),
      visitedVersionId: versionId('tenant', 1),
      signedVersionId: versionId('tenant', 1),
    });
    expect(results[2]).toMatchObject({ askedAt: null, signedOffline: true });
  });

  test('a learner who is asked again is listed as unsigned', async () => {
    await testService.query('update policy_results set asked_at = now() where learner_id = $1', [learner(1)]);
    expect([namesIn(await of('signed')), namesIn(await of('unsigned'))]).toEqual([[], ['Ada tenant', 'Grace tenant']]);
  });

  test('a policy without results returns an empty list, not null', async () => {
    expect((await of('all', policy(3))).results).toEqual([]);
  });

  test('an unknown outcome returns 400 naming the parameter', async () => {
    expectError(await get(`/policies/${policy(1)}?outcome=maybe`), 400, 'invalid_request', ['query/outcome']);
  });

  test('an MSP reads the unsigned learners of its child company', async () => {
    const path = `/policies/${policyId('childA', 1)}?outcome=unsigned&companyId=${companies.childA}`;
    expect(namesIn((await get(path, 'msp')).body.data)).toEqual(['Grace childA']);
  });

  test('lists all 3,001 learners in order with 3,000 signatures', async () => {
    await insertLearners('tenant', 3000);
    await testService.query(
      `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, signed, signed_version_id)
       select company_id, new_id(), $1, id, $3, $3, now(), $2 from learners where email like '%@many.test'`,
      [policy(2), versionId('tenant', 2), time],
    );
    const { headers, body } = await get(`/policies/${policy(2)}?outcome=all&includeSignatures=true`);
    expect(headers.get('content-length')).toBeNull();
    const ids = body.data.results.map((result: any) => result.learner.id);
    expect([ids.length, ids]).toEqual([3001, ids.toSorted()]);
    expect(body.data.signatures).toHaveLength(3000);
    expect(await call('tenant', 'HEAD', `/policies/${policy(2)}?outcome=all`)).toMatchObject({ status: 200, text: '' });
  });
});

describe('the mail times of a policy result', () => {
  const mailedTo = async (number: 1 | 2, id = policy(1)) => {
    const [ofLearner] = (await get(`/learners/${learner(number)}/policy-results?policyId=${id}`)).body.data;
    const ofPolicy = (await of('all', id)).results.find((result: any) => result.learner.id === learner(number));
    const { askedAt, remindedAt, mailFailedAt } = ofPolicy;
    expect(ofLearner).toMatchObject({ askedAt, remindedAt, mailFailedAt });
    return ofPolicy;
  };

  test('are askedAt for the request and remindedAt for the last reminder', async () => {
    expect(await mailedTo(2)).toMatchObject({ askedAt: time, remindedAt: null });
    await post('/policy-reminders', { policyIds: [policy(1)], learnerIds: [learner(2)] });
    expect(Date.now() - Date.parse((await mailedTo(2)).remindedAt)).toBeLessThan(10_000);
  });

  test('include mailFailedAt for a failed message about the policy until a later message is sent', async () => {
    await storeMessages(learner(2), ['sent', 9, policy(1)], ['failed', 8, policy(1)], ['cancelled', 7, policy(1)]);
    await storeMessages(learner(1), ['failed', 5, policy(2)]);
    expect((await mailedTo(2)).mailFailedAt).toBe(await daysAgo(8));
    expect((await mailedTo(2, policy(2))).mailFailedAt).toBeNull();
    expect((await mailedTo(1)).mailFailedAt).toBeNull();
    await storeMessages(learner(2), ['queued', 0, policy(1)]);
    expect((await mailedTo(2)).mailFailedAt).toBe(await daysAgo(8));
    await storeMessages(learner(2), ['sent', 6, policy(1), policy(2)]);
    expect((await mailedTo(2)).mailFailedAt).toBeNull();
  });
});
