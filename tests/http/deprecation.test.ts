/** @jest-environment-options {"CORS_ORIGINS": "https://tools.example"} */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { tools } from '../../generated/tools.ts';
import { DEPRECATION_HEADERS, deprecationSteps } from '../../src/rest/deprecations.ts';
import { jsonBody } from '../../src/http/body/json-body.ts';
import { deprecations } from '../../src/contract/contract.ts';
import { call, expectError, get, send } from '../support/client.ts';
import { until } from '../support/until.ts';

const told = (headers: Headers) => DEPRECATION_HEADERS.map((name) => headers.get(name));
const LINK = '</docs/versioning>; rel="deprecation"; type="text/html"';
const OF_EXCLUDE_GAP_ANALYSIS = ['@1795305600', 'Mon, 22 Nov 2027 00:00:00 GMT', LINK];
const NOTHING = [null, null, null];

describe('GET /courses', () => {
  test.each(['excludeGapAnalysis=true', 'excludeGapAnalysis=false&type=training'])(
    '?%s returns the deprecation date, the sunset date and the link',
    async (query) => {
      const answer = await get(`/courses?${query}`);
      expect(answer.status).toBe(200);
      expect(told(answer.headers)).toEqual(OF_EXCLUDE_GAP_ANALYSIS);
    },
  );

  test('errors carry the headers as well: 400 from validator and handler, and 401', async () => {
    const refusals = [
      await get('/courses?excludeGapAnalysis=perhaps'),
      await get('/courses?excludeGapAnalysis=true&type=gap_analysis'),
      await send('GET', '/courses?excludeGapAnalysis=true'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 401]);
    for (const { headers } of refusals) expect(told(headers)).toEqual(OF_EXCLUDE_GAP_ANALYSIS);
  });

  test.each(['/courses', '/courses?type=training', '/courses?source=excludeGapAnalysis', '/company'])(
    '%s uses nothing deprecated and has no such headers',
    async (path) => {
      expect(told((await get(path)).headers)).toEqual(NOTHING);
    },
  );

  test('an unknown parameter with a deprecated name has no such headers', async () => {
    const answer = await get('/groups?excludeGapAnalysis=true');
    expectError(answer, 400, 'invalid_request', ['query/excludeGapAnalysis']);
    expect(told(answer.headers)).toEqual(NOTHING);
  });

  test('pages of an allowed origin can read the headers', async () => {
    const headers = { origin: 'https://tools.example' };
    const answer = await call('tenant', 'GET', '/courses?excludeGapAnalysis=true', { headers });
    const exposed = answer.headers.get('access-control-expose-headers')!.split(',');
    expect(exposed).toEqual(expect.arrayContaining(DEPRECATION_HEADERS));
  });

  test('the log names the deprecated parameter, if one was used', async () => {
    const lineOf = async (query: string, id: string) => {
      await call('tenant', 'GET', `/courses${query}`, { headers: { 'x-request-id': id } });
      const find = () =>
        testService.log.map((text) => JSON.parse(text)).find((entry) => entry.requestId === id && entry.ms);
      await until(() => find() !== undefined);
      return find();
    };
    expect((await lineOf('?excludeGapAnalysis=true', 'old')).deprecated).toEqual(['query/excludeGapAnalysis']);
    expect(await lineOf('', 'new')).not.toHaveProperty('deprecated');
  });
});

describe('an operation with deprecations', () => {
  const since = '2026-03-01';
  const sunset = '2027-03-01';
  const notices = [
    { at: 'header/X-Old', since, sunset },
    { at: 'query/old', since: '2025-01-01', sunset: '2028-01-01' },
    { at: 'body/old', since, sunset },
    { at: 'body/people/[]/old/deep', since, sunset: '2027-02-01' },
  ];
  let url: string;
  const server = createServer();

  beforeAll(async () => {
    const app = express().set('query parser', 'simple');
    const { beforeBody, afterBody } = deprecationSteps(notices);
    app.post(
      '/parts',
      ...beforeBody,
      jsonBody({ required: true, maxBytes: 1024 }),
      ...afterBody,
      (_req, res) => void res.end(),
    );
    app.get('/whole', ...deprecationSteps([{ at: 'operation', since, sunset }]).beforeBody, (_req, res) => {
      res.end();
    });
    server.on('request', app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const use = async (body: unknown, query = '', headers = {}) => {
    const json = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(`${url}/parts${query}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
    return told(answer.headers).slice(0, 2);
  };
  const march = ['@1772323200', 'Mon, 01 Mar 2027 00:00:00 GMT'];

  test('that is deprecated itself sends the headers on every call', async () => {
    expect(told((await fetch(`${url}/whole`)).headers)).toEqual([...march, LINK]);
  });

  test.each([
    ['a field of the body', { old: null }, '', {}, march],
    ['a header, in any case', {}, '', { 'x-OLD': '' }, march],
    [
      'a field of any item',
      { people: [{}, { old: { deep: 1 } }] },
      '',
      {},
      [march[0], 'Mon, 01 Feb 2027 00:00:00 GMT'],
    ],
    ['several: the earliest deprecation and sunset dates', { old: 1 }, '?old=', {}, ['@1735689600', march[1]]],
  ])('sends the headers for %s', async (_case, body, query, headers, expected) => {
    expect(await use(body, query, headers)).toEqual(expected);
  });

  test.each([
    ['no deprecated field', {}],
    ['only a part of the path', { people: [{ old: {} }, { old: null }, null, 'old'] }],
    ['an array where an object is expected', { people: { old: { deep: 1 } } }],
    ['a string', 'old'],
    ['null', null],
  ])('sends no headers for a body with %s', async (_case, body) => {
    expect(await use(body)).toEqual([null, null]);
  });

  test('gets no step if nothing is deprecated', () => {
    expect(deprecationSteps([])).toEqual({ beforeBody: [], afterBody: [] });
  });
});

describe('the contract', () => {
  const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  const operationsOf = Object.values<any>(paths).flatMap((item) => Object.values<any>(item));

  test.each(Object.keys(deprecations))('documents the headers on every response of %s', (operationId) => {
    const { responses } = operationsOf.find((operation) => operation.operationId === operationId);
    for (const response of Object.values<any>(responses)) {
      const declared = response.$ref ? components.responses[response.$ref.split('/').pop()] : response;
      expect(Object.keys(declared.headers)).toEqual(expect.arrayContaining(DEPRECATION_HEADERS));
    }
  });

  test('states the dates and the replacement of a deprecated parameter', () => {
    const { parameters } = paths['/courses'].get;
    const { description } = parameters.find((parameter: any) => parameter.name === 'excludeGapAnalysis');
    expect(description).toContain('Deprecated since 2026-11-22; works at least until 2027-11-22. Use `type=training`');
  });

  test('hides deprecated parameters from MCP tools', () => {
    const offered = tools.find(({ name }) => name === 'service_list_courses')!;
    expect(Object.keys(offered.inputSchema.properties)).toEqual(['type', 'source', 'limit', 'cursor']);
  });
});
