import { courseStatement } from '../support/xapi-statements.ts';

const ORIGIN = 'https://lms.acme.test';
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(`${testService.url}${path}`, { method, headers: { origin: ORIGIN, ...headers }, ...(body && { body }) });

test.each(['/xapi/statements', '/xapi/statements/', '/xapi//statements', '/xapi/about'])(
  'a page of any origin can send a preflight to %s',
  async (path) => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const { status, headers } = await ask('OPTIONS', path, preflight);
    expect({ status, origin: headers.get('access-control-allow-origin') }).toEqual({ status: 204, origin: '*' });
    expect(headers.get('access-control-allow-headers')).toContain('X-Experience-API-Version');
  },
);

test.each(['/xapi/statements/', '/xapi//statements', '//xapi//statements//?x=1'])(
  '%s reaches the statements resource, and a page can read the error',
  async (path) => {
    const body = JSON.stringify(courseStatement('completed'));
    const { status, headers } = await ask('POST', path, { 'content-type': 'application/json' }, body);
    expect({ status, origin: headers.get('access-control-allow-origin') }).toEqual({ status: 401, origin: '*' });
  },
);
