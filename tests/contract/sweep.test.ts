/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { operations } from '../../src/contract/contract.ts';
import { call, expectError, fingerprintOf, send } from '../support/client.ts';
import { exampleBody, exampleFile, isUpload, keyedOperations, requestLine } from '../support/contract-requests.ts';
import { companies, groupId, keys, type KeyName, learnerId, unknownId } from '../support/world.ts';

// An upload has another kind of body and its own tests.
const withBody = keyedOperations.filter((operationId) => operations[operationId].body && !isUpload(operationId));
const withPathId = keyedOperations.filter(
  (operationId) => operations[operationId].pathIds.length > 0 && !isUpload(operationId),
);
const withCompanyId = keyedOperations.filter((operationId) => operations[operationId].companyId);
const withoutCompanyId = keyedOperations.filter(
  (operationId) => !operations[operationId].companyId && !isUpload(operationId),
);
const withModule = keyedOperations.filter((operationId) => operations[operationId].module !== null);
const withRequiredBody = withBody.filter((operationId) => operations[operationId].bodyRequired);

const keyFor = (operationId: (typeof keyedOperations)[number]): KeyName =>
  operations[operationId].accountKinds ? 'msp' : 'tenant';

describe.each(keyedOperations)('%s', (operationId) => {
  const { method, path } = requestLine(operationId, unknownId);

  test('returns 401 without a usable key, even if the request is invalid otherwise', async () => {
    const broken = { body: method === 'GET' ? undefined : '{"broken', headers: { 'content-type': 'text/plain' } };
    const answer = await send(method, `${path}?nonsense=1&api_key=${keys.tenant}&access_token=${keys.tenant}`, broken);
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe.each(keyedOperations.filter((operationId) => !isUpload(operationId)))('%s', (operationId) => {
  const { method, path } = requestLine(operationId, unknownId);
  const body = exampleBody(operationId);

  test('rejects an unknown query parameter with its name', async () => {
    const answer = await call(keyFor(operationId), method, `${path}?nonsense=1`, { body });
    expectError(answer, 400, 'invalid_request', ['query/nonsense']);
  });
});

describe.each(withCompanyId)('%s with companyId', (operationId) => {
  const { method, path } = requestLine(operationId, learnerId('childA', 1));

  test('returns 403 to a tenant that names another one and to an MSP that does not manage the child', async () => {
    expectError(await call('tenant', method, `${path}?companyId=${companies.other}`), 403, 'forbidden');
    expectError(await call('strangerMsp', method, `${path}?companyId=${companies.childA}`), 403, 'forbidden');
  });
});

describe.each(withoutCompanyId)('%s without companyId', (operationId) => {
  const { method, path } = requestLine(operationId, learnerId('childA', 1));

  test('returns 400 to an MSP that names its child, and changes nothing', async () => {
    const before = await fingerprintOf('childA');
    const answer = await call('msp', method, `${path}?companyId=${companies.childA}`, {
      body: exampleBody(operationId),
    });
    expectError(answer, 400, 'invalid_request', ['query/companyId']);
    expect(await fingerprintOf('childA')).toBe(before);
  });
});

describe.each(withPathId)('%s with an invalid or foreign id', (operationId) => {
  const group = operations[operationId].pathIds.some((name) => name === 'groupId');
  const foreign = group ? groupId('other', 1) : learnerId('other', 1);
  // The ids in example bodies do not exist and are removed, so that only the path can cause the 404.
  const body = emptyIdLists(exampleBody(operationId));

  test.each([
    ['of another company', foreign],
    ['that is not a UUID', 'nonsense'],
  ])('returns 404 for an id %s', async (_case, id) => {
    const { method, path } = requestLine(operationId, id);
    const answer = await call(keyFor(operationId), method, path, { body });
    expectError(answer, 404, 'not_found');
    expect(answer.body.error!.details).toEqual([]);
  });
});

describe.each(withBody)('%s with a body', (operationId) => {
  const { method, path } = requestLine(operationId, unknownId);

  test('rejects an undeclared field with its name', async () => {
    const before = await fingerprintOf('tenant');
    const body = { ...(exampleBody(operationId) as object | undefined), nonsense: true };
    const answer = await call('tenant', method, path, { body });
    expectError(answer, 400, 'invalid_request');
    // A body with exactly one field reports that field as well.
    expect(answer.body.error!.details.map(({ field }) => field)).toContain('body/nonsense');
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('rejects a body that is not JSON', async () => {
    const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'text/plain' };
    expectError(await send(method, path, { body: '{}', headers }), 400, 'unsupported_media_type');
  });
});

describe.each(withRequiredBody)('%s without a body', (operationId) => {
  test('is rejected', async () => {
    const { method, path } = requestLine(operationId, unknownId);
    const before = await fingerprintOf('tenant');
    expectError(await call('tenant', method, path), 400, 'invalid_request');
    expect(await fingerprintOf('tenant')).toBe(before);
  });
});

describe('without its module', () => {
  beforeAll(() => setModules(false));
  afterAll(() => setModules(true));

  describe.each(withModule)('%s', (operationId) => {
    const { method, path } = requestLine(operationId, unknownId);
    const key = operations[operationId].accountKinds ? 'strangerMsp' : 'prospect';

    test('returns 403 and changes nothing', async () => {
      const before = await fingerprintOf(key);
      const { bytes, type } = exampleFile(operationId);
      const answer = isUpload(operationId)
        ? await send(method, path, {
            body: bytes,
            headers: { authorization: `Bearer ${keys[key]}`, 'content-type': type },
          })
        : await call(key, method, path, { body: exampleBody(operationId) });
      expectError(answer, 403, 'module_not_enabled');
      expect(await fingerprintOf(key)).toBe(before);
    });

    if (!operations[operationId].companyId) return;
    test('returns 403 to an MSP with the module that reads a child without it', async () => {
      expectError(await call('msp', method, `${path}?companyId=${companies.childB}`), 403, 'module_not_enabled');
    });
  });
});

/** Switches modules on or off for companies whose modules no other test in this file uses. */
async function setModules(enabled: boolean): Promise<void> {
  await testService.query(
    'update companies set smlearn = $1, smphish = $1, smpolicy = $1, smbreachproenabled = $1 where id = any($2)',
    [enabled, [companies.prospect, companies.strangerMsp, companies.childB]],
  );
  // Waits until cached keys expire (KEY_CACHE_MS is 200).
  await new Promise((resolve) => setTimeout(resolve, 250));
}

/** Empties the id lists of the example where the schema allows that, so that no id is looked up. */
function emptyIdLists(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const replaceable = ['groupIds', 'managerIds'];
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, replaceable.includes(key) ? [] : value]));
}
