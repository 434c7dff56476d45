import { groupId, learnerId } from '../../support/world.ts';
import { ask, expectScimError, idsOf } from './directory-support.ts';

const SEARCH = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
const search = (what: 'Users' | 'Groups', body: object | string) => ask('POST', `/${what}/.search`, { body });

test('POST .search returns what the list returns', async () => {
  for (const [what, filter, id] of [
    ['Users', 'userName eq "learner1@tenant.test"', learnerId('tenant', 1)],
    ['Groups', 'displayName eq "Group 1"', groupId('tenant', 1)],
  ] as const) {
    const found = await search(what, { schemas: SEARCH, filter, sortBy: 'id', attributes: null });
    expect(idsOf(found)).toEqual([id]);
    expect(found.body).toEqual((await ask('GET', `/${what}?filter=${encodeURIComponent(filter)}`)).body);
  }
  const asked = { startIndex: 2, count: 1, attributes: ['userName', 'active'], excludedAttributes: ['active'] };
  const query = 'startIndex=2&count=1&attributes=userName,active&excludedAttributes=active';
  expect(await search('Users', asked)).toMatchObject({ status: 200, body: (await ask('GET', `/Users?${query}`)).body });
  expect((await search('Groups', { excludedAttributes: ['members'] })).body.Resources[0]).not.toHaveProperty('members');
});

test('an invalid search returns a SCIM error', async () => {
  for (const [scimType, body] of [
    ['invalidSyntax', '[]'],
    ['invalidSyntax', '{'],
    ['invalidFilter', { filter: 'title eq "x"' }],
    ['invalidFilter', { filter: 5 }],
    ['invalidFilter', { filter: {} }],
    ['invalidValue', { count: 1.5 }],
    ['invalidValue', { startIndex: {} }],
    ['invalidValue', { attributes: [5] }],
    ['invalidValue', { excludedAttributes: Array.from({ length: 1000 }, () => 'abc') }],
  ] as const)
    expectScimError(await search('Users', body), 400, scimType);
  expectScimError(await ask('DELETE', '/Users/.search'), 405);
});

test('a search over users and groups together returns 501', async () => {
  expectScimError(await ask('POST', '/.search', { body: { schemas: SEARCH } }), 501);
});
