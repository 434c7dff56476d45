import { request } from 'node:http';
import { entriesOf } from '../resources/audit-log/audit-state.ts';
import { expectError } from '../support/client.ts';
import { sourceId, sourceSecret } from '../support/world-sources.ts';
import { companies, keys } from '../support/world.ts';
import { courseStatement } from '../support/xapi-statements.ts';
import { ask, basic, headersOf, postStatements, type XapiResponse } from './xapi-support.ts';

const ID = '7f6b4e0c-3a1d-4e7e-9c55-0d7c5b6f2a11';
const statement = JSON.stringify(courseStatement('passed'));
const send = (headers: Record<string, string>, { method = 'POST', query = '', body = statement } = {}) =>
  ask(method, `/statements${query}`, { headers: { ...headersOf('tenant'), ...headers }, body });

function expectRefusal(answer: XapiResponse, field: string, status = 400): void {
  expectError(answer, status, 'invalid_request', [field]);
  expect(answer.headers.get('x-experience-api-version')).toBe('1.0.3');
}

test('other credentials return 401, and a source can call nothing else', async () => {
  const id = sourceId('tenant', 'xapi');
  const secret = sourceSecret('tenant', 'xapi');
  for (const authorization of [
    '',
    `Bearer ${keys.tenant}`,
    `Bearer ${secret}`,
    basic(id, keys.tenant),
    basic(sourceId('other', 'xapi'), secret),
    basic(id, sourceSecret('other', 'xapi')),
    basic(sourceId('tenant', 'gophish'), sourceSecret('tenant', 'gophish')),
    'Basic !!!',
    `Basic ${Buffer.from('nocolon').toString('base64')}`,
  ]) {
    const answer = await send({ authorization });
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm/);
    expect(answer.headers.get('x-experience-api-version')).toBe('1.0.3');
  }
  for (const path of ['/v1/learners', '/v1/sources', '/v1/course-results']) {
    for (const authorization of [`Bearer ${secret}`, basic(id, secret)]) {
      const answer = await fetch(testService.url + path, { headers: { authorization } });
      expect([401, 405]).toContain(answer.status);
    }
  }
});

test('a request without a supported xAPI version returns 400', async () => {
  for (const version of ['', '0.95', '1.1.0', '2.0.0']) {
    expectRefusal(await send({ 'x-experience-api-version': version }), 'header/x-experience-api-version');
  }
  expect((await send({ 'x-experience-api-version': '1.0' })).status).toBe(200);
});

test('an invalid list of statements returns 400 with the field', async () => {
  for (const body of ['{', '', '"x"', '5', 'null']) expectRefusal(await send({}, { body }), 'body');
  expectRefusal(
    await postStatements([courseStatement('passed'), courseStatement('passed', { verb: {} })]),
    'body/1/verb/id',
  );
  expectRefusal(await send({}, { body: statement.replace('learner1@', '\\ud800@') }), 'body/actor/mbox');
  for (const type of ['multipart/mixed; boundary=x', 'application/x-www-form-urlencoded', 'text/plain']) {
    expectError(await send({ 'content-type': type }), 400, 'unsupported_media_type');
  }
});

test('a PUT needs the id of its statement, and other parameters are rejected', async () => {
  const put = (query: string, body = statement) => send({}, { method: 'PUT', query, body });
  for (const query of ['', '?statementId=7', `?statementId=${ID}&statementId=${ID}`]) {
    expectRefusal(await put(query), 'query/statementId');
  }
  expectRefusal(await put(`?statementid=${ID}`), 'query/statementid');
  expectRefusal(await put(`?statementId=${ID}`, `[${statement}]`), 'body');
  expectRefusal(await send({}, { query: '?method=POST' }), 'query/method');
});

test('100 MB of statements return 413 before they are read', async () => {
  const headers = { ...headersOf('tenant'), 'content-length': String(100 * 1024 * 1024) };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${testService.url}/xapi/statements`, { method: 'POST', headers, agent: false }, (answer) => {
      resolve(answer.statusCode);
      sent.destroy();
    });
    sent.on('error', reject).write('[');
  });
  expect(status).toBe(413);
});

test('statements cannot be read, so GET returns 405', async () => {
  const answer = await ask('GET', '/statements', { headers: headersOf('tenant') });
  expectError(answer, 405, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('POST, PUT');
  expectError(await ask('GET', '/agents', { headers: headersOf('tenant') }), 404, 'not_found');
});

test('/xapi/about lists the versions without authentication', async () => {
  expect(await ask('GET', '/about')).toMatchObject({
    status: 200,
    body: { version: expect.arrayContaining(['1.0.3']) },
  });
  expectError(await ask('POST', '/about'), 405, 'method_not_allowed');
});

test('a company without the module gets 403, which its audit log records', async () => {
  await testService.query('update companies set smlearn = false where id = $1', [companies.other]);
  const headers = { ...headersOf('other'), 'x-request-id': 'no-module' };
  expectError(await ask('POST', '/statements', { headers, body: statement }), 403, 'module_not_enabled');
  expect(await entriesOf('no-module')).toMatchObject([
    { company_id: companies.other, actor_type: 'source', outcome: 'denied', code: 'module_not_enabled' },
  ]);
});
