import { type Answer, call, expectError, get, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { companies, id, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { manyLearnerIds } from '../courses/enrollment-state.ts';
import { insertPolicies, policy, restorePolicies, storeResults } from '../policies/assignment-state.ts';
import { insertLearners } from '../tenant-state.ts';

const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const pathOf = (learner: string): string => `/learners/${learner}/policy-results`;
const policiesOf = ({ body }: Answer): string[] => body.data.map(({ policyId }: { policyId: string }) => policyId);
const version = versionId('tenant', 1);
const askedAt = '2026-03-02T08:00:00.000Z';
const nothing = {
  remindedAt: null,
  mailFailedAt: null,
  visit: null,
  signed: null,
  signedOffline: false,
  visitedVersionId: null,
  signedVersionId: null,
  signatures: null,
  assignment: null,
};

restorePolicies();

describe('GET /learners/{learnerId}/policy-results', () => {
  test('lists visits and signatures with their versions and exactly the documented fields', async () => {
    const { status, body } = await get(pathOf(learner(1)));
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: id('b', 1),
        learnerId: learner(1),
        policyId: policy(1),
        askedAt,
        remindedAt: null,
        mailFailedAt: null,
        visit: '2026-03-03T09:12:45.120Z',
        signed: '2026-03-03T09:15:02.310Z',
        signedOffline: false,
        sentVersionId: version,
        visitedVersionId: version,
        signedVersionId: version,
        signatures: null,
        assignment: null,
      },
    ]);
  });

  test('includeSignatures returns every signature with its version, file and policy name at the time', async () => {
    const [before] = (await get(`${pathOf(learner(1))}?includeSignatures=true`)).body.data;
    expect(before.signatures).toEqual([
      {
        policyId: policy(1),
        learnerId: learner(1),
        name: 'Ada tenant',
        email: 'learner1@tenant.test',
        versionId: version,
        majorVersion: 1,
        minorVersion: 0,
        policyName: 'Policy 1 of tenant',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        signed: '2026-03-03T09:15:02.310Z',
        signedOffline: false,
        signedFrom: null,
        emailChangedAt: null,
        eventId: expect.stringMatching(/^signed-/),
        note: null,
        voidedAt: null,
      },
    ]);
    await testService.query(
      `update policy_results set signed = '2026-04-01T10:00:00Z', signed_from = '203.0.113.7' where id = $1`,
      [id('b', 1)],
    );
    const [after] = (await get(`${pathOf(learner(1))}?includeSignatures=true`)).body.data;
    expect(after.signed).toBe('2026-04-01T10:00:00.000Z');
    expect(after.signatures).toEqual([
      before.signatures[0],
      {
        ...before.signatures[0],
        signed: after.signed,
        signedFrom: '203.0.113.7',
        eventId: expect.stringMatching(/^signed-/),
      },
    ]);
    const { body } = await get(`${pathOf(learner(2))}?includeSignatures=true&policyId=${policy(1)}`);
    expect(body.data[0].signatures).toEqual([]);
  });

  test('lists opened and unopened policies by result id', async () => {
    const { body } = await get(pathOf(learner(2)));
    const opened = { visit: '2026-03-03T09:12:45.120Z', visitedVersionId: version };
    expect(body.data).toEqual([
      {
        id: id('b', 2),
        learnerId: learner(2),
        policyId: policy(1),
        askedAt,
        ...nothing,
        ...opened,
        sentVersionId: version,
      },
      {
        id: id('b', 5),
        learnerId: learner(2),
        policyId: policy(2),
        askedAt,
        ...nothing,
        sentVersionId: versionId('tenant', 2),
      },
    ]);
    await testService.query(`update policy_results set id = $2 where id = $1`, [id('b', 5), id('0', 1)]);
    expect(policiesOf(await get(pathOf(learner(2))))).toEqual([policy(2), policy(1)]);
  });

  test('lists a signature recorded by an admin after the assignment has ended', async () => {
    const { body } = await get(pathOf(learner(3)));
    const signed = { signed: '2026-03-03T09:15:02.310Z', signedOffline: true, signedVersionId: version };
    expect(body.data).toMatchObject([{ policyId: policy(1), askedAt: null, visit: null, ...signed }]);
  });

  test('the list is empty for a learner without assignments', async () => {
    expect((await get(pathOf(learner(4)))).text).toBe('{"data":[]}');
  });

  test('keeps the results of an inactive learner', async () => {
    expect(policiesOf(await get(pathOf(learner(5))))).toEqual([policy(1)]);
  });

  test('policyId returns only the result of that policy', async () => {
    const { body } = await get(`${pathOf(learner(2))}?policyId=${policy(2)}`);
    expect(body.data).toMatchObject([{ id: id('b', 5), policyId: policy(2) }]);
  });

  test.each([
    ['without a result of the learner', policy(3)],
    ['with only a result of another learner', policy(2)],
    ['of another company', policyId('other', 1)],
    ['id from the managed catalogue', managedCourses.phishing],
    ['id that does not exist', unknownId],
  ])('the filter by a policy %s returns an empty list', async (_case, other) => {
    expect((await get(`${pathOf(learner(1))}?policyId=${other}`)).text).toBe('{"data":[]}');
  });

  test.each(['nonsense', '', 'null', `${policyId('tenant', 1)}%00`, `%20${unknownId}`])(
    'the filter by %j returns 400',
    async (filter) => {
      const answer = await get(`${pathOf(learner(1))}?policyId=${filter}`);
      expectError(answer, 400, 'invalid_request', ['query/policyId']);
    },
  );

  test('two policyId filters return 400', async () => {
    const path = `${pathOf(learner(1))}?policyId=${policy(1)}&policyId=${policy(2)}`;
    expectError(await get(path), 400, 'invalid_request', ['query/policyId']);
  });

  test('an unknown learner with a filter returns 404', async () => {
    expectError(await get(`${pathOf(unknownId)}?policyId=${policy(1)}`), 404, 'not_found');
  });

  test('shows each step of a policy: assigned, republished, removed, deleted', async () => {
    const [made] = (await insertPolicies('tenant', 1)) as [string];
    const path = `${pathOf(learner(4))}?policyId=${made}`;
    const pair = { learnerIds: [learner(4)], policyIds: [made] };
    await post('/policy-assignments', pair);
    const [assigned] = (await get(path)).body.data;
    expect(assigned).toEqual({ ...assigned, ...nothing, learnerId: learner(4), policyId: made });
    await testService.query(
      `update policy_results set signed = '2026-11-01T10:00:00Z', signed_version_id = sent_version_id where id = $1`,
      [assigned.id],
    );
    const change = { body: { action: 'live', name: 'New', resend: true } };
    expect((await call('tenant', 'PATCH', `/policies/${made}`, change)).status).toBe(200);
    const [published] = (await get(path)).body.data;
    expect(published.sentVersionId).not.toBe(assigned.sentVersionId);
    expect(published).toEqual({
      ...assigned,
      askedAt: published.askedAt,
      sentVersionId: published.sentVersionId,
      signed: '2026-11-01T10:00:00.000Z',
      signedVersionId: assigned.sentVersionId,
    });
    await post('/policy-removals', pair);
    expect(published.askedAt > assigned.askedAt).toBe(true);
    expect((await get(path)).body.data).toEqual([{ ...published, askedAt: null }]);
    await call('tenant', 'DELETE', '/policies/bulk', { body: { policyIds: [made] } });
    expect((await get(path)).body.data).toEqual([]);
  });

  test('lists all 700 results in order, and HEAD returns no body', async () => {
    await insertLearners('directChild', 1);
    const policyIds = await insertPolicies('directChild', 700);
    const [one] = manyLearnerIds(1).all as [string];
    await storeResults('directChild', [one], policyIds, { signed: '2026-05-05T08:00:00Z' });
    const { body } = await get(pathOf(one), 'directChild');
    expect(policiesOf({ body } as Answer).toSorted()).toEqual(policyIds);
    const ids = body.data.map((result: { id: string }) => result.id);
    expect(ids).toEqual(ids.toSorted());
    expect(await call('directChild', 'HEAD', pathOf(one))).toMatchObject({ status: 200, text: '' });
  });
});

describe('GET /learners/{learnerId}/policy-results of another company', () => {
  test('an MSP reads a learner of its child company only with its companyId', async () => {
    const path = pathOf(learnerId('childB', 2));
    const answer = await get(`${path}?companyId=${companies.childB}`, 'msp');
    expect(policiesOf(answer)).toEqual([policyId('childB', 1), policyId('childB', 2)]);
    const filtered = await get(`${path}?companyId=${companies.childB}&policyId=${policyId('childB', 2)}`, 'msp');
    expect(policiesOf(filtered)).toEqual([policyId('childB', 2)]);
    expectError(await get(path, 'msp'), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childA}`, 'msp'), 404, 'not_found');
  });

  test('keeps results apart if another company has a learner with the same id', async () => {
    const before = await get(pathOf(learner(1)));
    await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name)
       values ($1, $2, 'copy@other.test', 'Copied', 'Learner')`,
      [companies.other, learner(1)],
    );
    await storeResults('other', [learner(1)], [policyId('other', 2)]);
    expect((await get(pathOf(learner(1)))).text).toBe(before.text);
    expect(policiesOf(await get(pathOf(learner(1)), 'other'))).toEqual([policyId('other', 2)]);
    expect((await get(`${pathOf(learner(1))}?policyId=${policy(1)}`, 'other')).text).toBe('{"data":[]}');
    await testService.query('delete from learners where company_id = $1 and id = $2', [companies.other, learner(1)]);
  });

  test('a deleted learner returns 404', async () => {
    const fields = { email: 'gone@tenant.test', firstName: 'Gone', lastName: 'Soon' };
    const gone = (await post('/learners', fields)).body.data.id as string;
    await storeResults('tenant', [gone], [policy(1)]);
    expect((await get(pathOf(gone))).body.data).toHaveLength(1);
    await call('tenant', 'DELETE', `/learners/${gone}`);
    expectError(await get(pathOf(gone)), 404, 'not_found');
  });
});
