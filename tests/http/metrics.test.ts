import { get as httpGet } from 'node:http';
import { request, send as sendMcp, toolCall } from '../mcp/mcp-support.ts';
import { until } from '../support/until.ts';
import { get, post, send } from '../support/client.ts';
import { figure, parseMetrics } from '../support/prometheus-text.ts';
import { insertManyLearners } from '../support/many-learners.ts';
import { companies, keys, learnerId, unknownId } from '../support/world.ts';

const requests = async (operation: string, status: string) =>
  figure(await testService.metrics(), 'http_requests_total', { operation, status }) ?? 0;

test('a request is counted and timed by operation and status', async () => {
  await get('/company');
  await get('/company');
  await get(`/learners/${unknownId}`);
  await post('/learners', {});
  await send('GET', '/company');
  await send('GET', '/health');
  expect(await requests('getCompany', '200')).toBe(2);
  expect(await requests('getCompany', '401')).toBe(1);
  expect(await requests('getLearner', '404')).toBe(1);
  expect(await requests('createLearner', '400')).toBe(1);
  expect(await requests('getHealth', '200')).toBe(1);
  const text = await testService.metrics();
  expect(figure(text, 'http_request_duration_seconds_count', { operation: 'getCompany' })).toBe(3);
  expect(figure(text, 'http_request_duration_seconds_sum', { operation: 'getCompany' })).toBeGreaterThan(0);
});

test('other requests are counted by transport or page', async () => {
  for (const path of ['/docs', '/llms.txt', '/setup/nobody', '/.well-known/oauth-authorization-server', '/nowhere']) {
    await fetch(testService.url + path);
  }
  expect(await requests('docs', '200')).toBe(2);
  expect(await requests('setup', '404')).toBe(1);
  expect(await requests('oauth', '200')).toBe(1);
  expect(await requests('none', '404')).toBe(1);
});

test('a response that the client does not wait for is counted as aborted', async () => {
  await insertManyLearners({ companyIds: [companies.tenant], count: 20_000, words: 80 });
  await new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${keys.tenant}` };
    const asked = httpGet(`${testService.url}/v1/learners`, { headers, agent: false }, (answer) => {
      answer.on('error', () => undefined).destroy();
      resolve();
    });
    asked.on('error', reject);
  });
  await until(async () => (await requests('listLearners', 'aborted')) === 1);
  expect(await requests('listLearners', '200')).toBe(0);
});

test('tool calls are counted by outcome, without unknown tool names', async () => {
  const call = (name: string, args?: unknown) => sendMcp(JSON.stringify(toolCall(name, args)));
  await call('service_get_company');
  await call('service_get_learner', { learnerId: unknownId });
  await call('no_such_tool_secret');
  await sendMcp(JSON.stringify(request('tools/list')));
  const { samples } = parseMetrics(await testService.metrics()).get('mcp_tool_calls_total')!;
  expect(samples.map(({ labels, value }) => [labels.outcome, value])).toEqual([
    ['ok', 1],
    ['not_found', 1],
  ]);
  expect(await requests('mcp', '200')).toBe(4);
});

test('no client input becomes a label: no path, id, query, method or name', async () => {
  const before = parseMetrics(await testService.metrics());
  for (let i = 0; i < 50; i++) {
    await fetch(`${testService.url}/v1/learners/secret-${i}?companyId=secret-${i}`);
    await fetch(`${testService.url}/secret-${i}`, { method: 'PROPFIND', headers: { 'x-request-id': `secret-${i}` } });
    await sendMcp(JSON.stringify(toolCall(`secret_${i}`)));
  }
  await get(`/learners/${learnerId('tenant', 1)}`);
  const text = await testService.metrics();
  expect(text).not.toMatch(/secret|PROPFIND|@|sk_/);
  for (const id of [...Object.values(companies), learnerId('tenant', 1)]) expect(text).not.toContain(id);
  const series = (name: string) => (all: typeof before) => all.get(name)!.samples.length;
  const grown = series('http_requests_total')(parseMetrics(text)) - series('http_requests_total')(before);
  expect(grown).toBeLessThan(5);
});
