import { del, expectError, get, post } from '../../support/client.ts';
import { policyId } from '../../support/world-policies.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { create, discard, policy, publish, restorePolicies, update } from './policy-state.ts';

restorePolicies();

const idsOf = async (path: string, key?: CompanyName): Promise<string[]> => {
  const { status, body } = await get(path, key);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};
const ofCompany = (company: CompanyName): string[] => ([1, 2, 3] as const).map((n) => policyId(company, n));

/** Inserts policies without content without the API, with ids in the order of their numbers from 1. */
async function insertPolicies(company: CompanyName, count: number): Promise<void> {
  await testService.query(
    `insert into policies (company_id, id, name, category, is_public, major_version, minor_version)
     select $1::uuid, ('0192b002-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Überblick 🦊 ' || n, null, false, 1, 0
       from generate_series(1, $2::integer) as n order by random()`,
    [companies[company], count],
  );
}

describe('GET /policies', () => {
  test('lists live policies and drafts by id with exactly the documented fields', async () => {
    const { status, body } = await get('/policies');
    expect(status).toBe(200);
    expect(body.data).toEqual(
      ([1, 2, 3] as const).map((n) => ({
        id: policy(n),
        name: `Policy ${n} of tenant`,
        type: 'pdf',
        isLive: n !== 3,
        inDraft: n !== 1,
        isPublic: false,
        majorVersion: 1,
        minorVersion: 0,
        category: null,
      })),
    );
  });

  test('returns category, isPublic and version, and lists a new policy last', async () => {
    const fields = { name: 'Zoë 🦊', category: 'IT', isPublic: true, majorVersion: 4, minorVersion: 2 };
    const { id } = await create(fields);
    expect((await get('/policies')).body.data.at(-1)).toEqual({
      id,
      ...fields,
      type: 'pdf',
      isLive: true,
      inDraft: false,
    });
  });

  test('returns the live name, category and isPublic while a draft differs', async () => {
    await update(policy(1), { action: 'draft', name: 'To be', category: 'HR', isPublic: true });
    const [first] = (await get('/policies')).body.data;
    expect(first).toMatchObject({ name: 'Policy 1 of tenant', category: null, isPublic: false, inDraft: true });
    await publish(policy(1), { major: true });
    expect((await get('/policies')).body.data[0]).toMatchObject({
      name: 'To be',
      category: 'HR',
      isPublic: true,
      inDraft: false,
      majorVersion: 2,
      minorVersion: 0,
    });
  });

  test('returns the fields of the draft before the first publication', async () => {
    await update(policy(3), { action: 'draft', name: 'Another', category: 'HR', isPublic: true });
    expect((await get('/policies')).body.data[2]).toMatchObject({ name: 'Another', category: 'HR', isPublic: true });
  });

  test('a policy whose only draft was discarded is listed as neither live nor in draft', async () => {
    await discard(policy(3));
    const { body } = await get('/policies');
    expect(body.data[2]).toMatchObject({ id: policy(3), isLive: false, inDraft: false });
  });

  test('a deleted policy is not listed', async () => {
    await del('/policies/bulk', { policyIds: [policy(2)] });
    expect(await idsOf('/policies')).toEqual([policy(1), policy(3)]);
  });

  test.each([
    ['publishedOnly=true', [1, 2]],
    ['publishedOnly=false', [1, 2, 3]],
    ['pdfOnly=true', [1, 2, 3]],
    ['pdfOnly=false', [1, 2, 3]],
    ['publishedOnly=true&pdfOnly=true', [1, 2]],
    ['publishedOnly=false&pdfOnly=false', [1, 2, 3]],
  ] as const)('with %s lists the policies %j', async (query, numbers) => {
    expect(await idsOf(`/policies?${query}`)).toEqual(numbers.map(policy));
  });

  test('publishedOnly lists live policies with a draft, and a draft once it is published', async () => {
    await post(`/policies/${policy(3)}/publish-draft`);
    await update(policy(3), { action: 'draft', name: 'Next' });
    expect(await idsOf('/policies?publishedOnly=true')).toEqual([policy(1), policy(2), policy(3)]);
  });

  test.each(['publishedOnly', 'pdfOnly'])('an invalid %s returns 400 naming the parameter', async (name) => {
    for (const value of ['maybe', '1', '', 'TRUE', 'null']) {
      expectError(await get(`/policies?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
    }
  });

  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant', 'tenant', 'tenant'],
  ] as const)('%s lists only the policies of the company in companyId', async (_case, key, company) => {
    expect(await idsOf(`/policies?companyId=${companies[company]}`, key)).toEqual(ofCompany(company));
    const published = `/policies?publishedOnly=true&companyId=${companies[company]}`;
    expect(await idsOf(published, key)).toEqual(ofCompany(company).slice(0, 2));
  });

  test('an MSP without companyId lists only its own policies', async () => {
    expect(await idsOf('/policies', 'msp')).toEqual(ofCompany('msp'));
  });

  test('the list is empty for a company without policies', async () => {
    await del('/policies/bulk', { policyIds: ofCompany('prospect') }, 'prospect');
    expect((await get('/policies', 'prospect')).text).toBe('{"data":[]}');
  });

  test.each([250, 1001])('lists %i added policies in order in five concurrent calls', async (count) => {
    await insertPolicies('strangerMsp', count);
    const lists = await Promise.all(Array.from({ length: 5 }, () => get('/policies', 'strangerMsp')));
    for (const { body } of lists) {
      const names = body.data.slice(3).map(({ name }: { name: string }) => name);
      expect(names).toEqual(Array.from({ length: count }, (_, n) => `Überblick 🦊 ${n + 1}`));
    }
    expect(await idsOf('/policies?publishedOnly=true', 'strangerMsp')).toEqual(ofCompany('strangerMsp').slice(0, 2));
  });
});
