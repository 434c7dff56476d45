import { call, expectError, get, send } from '../support/client.ts';
import { learnerId, unknownId } from '../support/world.ts';

describe('HEAD', () => {
  test.each(['/company', '/learners', '/health'])('returns the status and headers of GET for %s', async (path) => {
    const head = await call('tenant', 'HEAD', path);
    const body = await get(path);
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe(body.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body.text)));
  });

  test('returns 404 and 401 like GET', async () => {
    expect((await call('tenant', 'HEAD', `/learners/${unknownId}`)).status).toBe(404);
    expect((await call(null, 'HEAD', '/company')).status).toBe(401);
  });
});

describe('an unsupported method', () => {
  test.each([
    ['PUT', '/learners', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/learners/bulk', 'POST, PATCH, DELETE, OPTIONS'],
    ['PATCH', '/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/simulations/metrics', 'GET, HEAD, OPTIONS'],
  ])('%s %s returns 405 with the allowed methods', async (method, path, allow) => {
    const answer = await call('tenant', method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(new Set(answer.headers.get('allow')!.split(', '))).toEqual(new Set(allow.split(', ')));
  });

  test('GET on a literal path returns 404, not a resource with that id', async () => {
    expectError(await get('/learners/bulk'), 404, 'not_found');
  });

  test('a literal path is never read as an id', async () => {
    expect((await call('tenant', 'DELETE', '/learners/bulk', { body: { learnerIds: [unknownId] } })).status).toBe(200);
    expect((await get(`/learners/${learnerId('tenant', 1)}`)).status).toBe(200);
  });
});

describe('paths', () => {
  test.each(['/nowhere', '/learners/', '/Learners', '//learners', '/', ''])(
    'the unknown path "%s" returns 404',
    async (path) => expectError(await call('tenant', 'GET', path), 404, 'not_found'),
  );
});

describe('OPTIONS and CORS', () => {
  test('OPTIONS lists the methods and allows no other origin', async () => {
    const answer = await send('OPTIONS', '/learners', { headers: { origin: 'https://tools.example' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('pages of other origins cannot read responses to API keys', async () => {
    const answer = await call('tenant', 'GET', '/company', { headers: { origin: 'https://tools.example' } });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each(['/openapi.json', '/health', '/ready'])('pages of any origin can read %s', async (path) => {
    const answer = await send('GET', path, { headers: { origin: 'https://tools.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});
