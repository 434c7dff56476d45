import { call, expectError, get, send } from '../support/client.ts';
import { learnerId, unknownId } from '../support/world.ts';

describe('HEAD', () => {
  test.each(['/company', '/learners', '/health'])('answers %s as GET does, without the body', async (path) => {
    const head = await call('tenant', 'HEAD', path);
    const body = await get(path);
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe(body.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body.text)));
  });

  test('answers 404 and 401 as GET does', async () => {
    expect((await call('tenant', 'HEAD', `/learners/${unknownId}`)).status).toBe(404);
    expect((await call(null, 'HEAD', '/company')).status).toBe(401);
  });
});

describe('another method', () => {
  test.each([
    ['PUT', '/learners', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/learners/bulk', 'POST, PATCH, DELETE, OPTIONS'],
    ['PATCH', '/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/simulations/metrics', 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405 that lists the methods', async (method, path, allow) => {
    const answer = await call('tenant', method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(new Set(answer.headers.get('allow')!.split(', '))).toEqual(new Set(allow.split(', ')));
  });

  test('the literal segment of a path is no id', async () => {
    expectError(await get('/learners/bulk'), 404, 'not_found');
  });

  test('a literal path is never taken for an id', async () => {
    expect((await call('tenant', 'DELETE', '/learners/bulk', { body: { learnerIds: [unknownId] } })).status).toBe(200);
    expect((await get(`/learners/${learnerId('tenant', 1)}`)).status).toBe(200);
  });
});

describe('paths', () => {
  test.each(['/nowhere', '/learners/', '/Learners', '//learners', '/', ''])(
    'the unknown path "%s" is a 404',
    async (path) => expectError(await call('tenant', 'GET', path), 404, 'not_found'),
  );
});

describe('OPTIONS and CORS', () => {
  test('OPTIONS lists the methods and says nothing to other origins', async () => {
    const answer = await send('OPTIONS', '/learners', { headers: { origin: 'https://tools.example' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('no page of another origin may read a keyed answer', async () => {
    const answer = await call('tenant', 'GET', '/company', { headers: { origin: 'https://tools.example' } });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each(['/openapi.json', '/health', '/ready'])('any page may read %s', async (path) => {
    const answer = await send('GET', path, { headers: { origin: 'https://tools.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});
