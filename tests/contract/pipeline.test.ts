/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { call, expectError, fingerprintOf, send } from '../support/client.ts';
import { companies, groupId, type KeyName, keys, learnerId, unknownId } from '../support/world.ts';

// Tests the rules that the pipeline applies to every operation: all cases, for one operation. sweep.test.ts tests each
// rule for every operation.

const learner = `/learners/${learnerId('tenant', 1)}`;

describe('the API key', () => {
  test.each([
    undefined,
    'Bearer nonsense',
    `Bearer ${keys.unknown}`,
    `Basic ${keys.tenant}`,
    `Bearer ${keys.expired}`,
    `Bearer ${keys.revoked}`,
  ])('%s is rejected for reads and writes', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await send(method, learner, { headers });
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('companyId', () => {
  const path = `/learners/${learnerId('childA', 1)}`;

  test.each<[string, KeyName, string]>([
    ['a tenant that names another tenant', 'tenant', companies.other],
    ['a tenant that names a company that does not exist', 'tenant', unknownId],
    ['a child that names its MSP', 'childA', companies.msp],
    ['a child that names its sibling', 'childA', companies.childB],
    ['an MSP that does not manage the child', 'strangerMsp', companies.childA],
    ['an MSP that names its distributor', 'msp', companies.distributor],
    ['an MSP that names a tenant of its distributor', 'msp', companies.directChild],
    ['a distributor that names an unrelated tenant', 'distributor', companies.other],
  ])('returns 403 for %s', async (_case, key, companyId) => {
    for (const read of [path, '/learners']) {
      expectError(await call(key, 'GET', `${read}?companyId=${companyId}`), 403, 'forbidden');
    }
  });

  test.each(['', 'no-uuid', `${companies.childA}&companyId=${companies.childB}`])(
    'returns 400 for the malformed companyId "%s"',
    async (companyId) => {
      const answer = await call('msp', 'GET', `${path}?companyId=${companyId}`);
      expectError(answer, 400, 'invalid_request', ['query/companyId']);
    },
  );
});

describe('an id in the path', () => {
  const foreign = groupId('other', 1);

  test.each([
    ['of another company', foreign],
    ['that does not exist', unknownId],
    ['that is not a UUID', 'nonsense'],
    ['with a null character', '%00'],
    ['with a malformed escape', '%E0%A4%A'],
  ])('returns 404 for an id %s, for reads and writes', async (_case, id) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call('tenant', method, `/groups/${id}`);
      expectError(answer, 404, 'not_found');
      expect(answer.body.error!.details).toEqual([]);
    }
  });
});

describe.each([
  ['POST', '/groups'],
  ['PATCH', learner],
  ['DELETE', '/learners/bulk'],
])('the body of %s %s', (method, path) => {
  const authorization = `Bearer ${keys.tenant}`;

  async function refused(
    body: string | Buffer<ArrayBuffer>,
    type: string,
    status: number,
    code: string,
  ): Promise<void> {
    const before = await fingerprintOf('tenant');
    expectError(await send(method, path, { body, headers: { authorization, 'content-type': type } }), status, code);
    expect(await fingerprintOf('tenant')).toBe(before);
  }

  test.each([
    ['broken JSON', '{"learnerIds": ['],
    ['a JSON string', '"text"'],
    ['an array', '[]'],
    ['null', 'null'],
    ['an empty object, or one with an undeclared field', '{"nonsense": true}'],
    ['a prototype key', '{"__proto__": {"admin": true}}'],
    ['a raw null character', '{"a": "\0"}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ] as const)('is rejected as %s', (_case, text) => refused(text, 'application/json', 400, 'invalid_request'));

  test.each(['text/plain', 'application/xml', 'multipart/form-data', 'application/json; charset=latin1', 'nonsense'])(
    'is rejected with the content type %s',
    (type) => refused('{}', type, 400, 'unsupported_media_type'),
  );

  test('of 11 MiB is rejected with 413', () =>
    refused('x'.padEnd(11 * 1024 * 1024), 'application/json', 413, 'payload_too_large'));
});
