import { readFileSync } from 'node:fs';
import { Registry } from '@prometheus-io/client';
import { routeLabel } from '../../src/http/route-labels.ts';
import { boundCounter, flagGauge } from '../../src/observability/metrics/bound-metrics.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { watchPool } from '../../src/observability/metrics/watch-pool.ts';
import { watchQueue } from '../../src/observability/metrics/watch-queue.ts';
import { watchWebhooks } from '../../src/resources/webhooks/watch-webhooks.ts';
import { watchReplica } from '../../src/observability/metrics/watch-replica.ts';
import { watchShare } from '../../src/observability/metrics/watch-share.ts';
import { openBreachFeed } from '../../src/resources/breaches/feed/open-breach-feed.ts';
import { createDelivering } from '../../src/resources/webhooks/delivery/webhook-poller.ts';
import { figure, parseMetrics } from '../support/prometheus-text.ts';

test('watchShare reports held, waiting and refused counts as of the scrape', async () => {
  const registry = new Registry();
  const lists = { held: 0, waiting: 0, refused: new Map<string, number>() };
  watchShare(registry, 'lists', lists);
  watchShare(registry, 'changes', { held: 2, waiting: 1, refused: new Map([['rate_limited', 3]]) });
  lists.held = 4;
  lists.refused.set('service_unavailable', 1).set('rate_limited', 2);
  // A scrape does not add to the values of an earlier one.
  await registry.metrics();
  const text = await registry.metrics();
  expect(figure(text, 'share_held', { share: 'lists' })).toBe(4);
  expect(figure(text, 'share_held', { share: 'changes' })).toBe(2);
  expect(figure(text, 'share_waiting', { share: 'changes' })).toBe(1);
  expect(figure(text, 'share_refused_total', { share: 'lists', code: 'rate_limited' })).toBe(2);
  expect(figure(text, 'share_refused_total', { share: 'changes' })).toBe(3);
});

test('each registry has its own shares', async () => {
  const [one, other] = [new Registry(), new Registry()];
  watchShare(one, 'lists', { held: 1, waiting: 0, refused: new Map() });
  watchShare(other, 'changes', { held: 1, waiting: 0, refused: new Map() });
  expect(figure(await one.metrics(), 'share_held')).toBe(1);
  expect(figure(await one.metrics(), 'share_held', { share: 'changes' })).toBeUndefined();
});

test('watchPool reports busy and idle connections and waiting requests', async () => {
  const registry = new Registry();
  const options = { max: 10 } as never;
  watchPool(registry, 'requests', { totalCount: 5, idleCount: 2, waitingCount: 7, options });
  watchPool(registry, 'jobs', { totalCount: 1, idleCount: 1, waitingCount: 0, options });
  const text = await registry.metrics();
  expect(figure(text, 'db_pool_connections', { pool: 'requests', state: 'busy' })).toBe(3);
  expect(figure(text, 'db_pool_connections', { pool: 'requests', state: 'idle' })).toBe(2);
  expect(figure(text, 'db_pool_waiting', { pool: 'requests' })).toBe(7);
  expect(figure(text, 'db_pool_connections_max', { pool: 'jobs' })).toBe(10);
});

test('flagGauge reports the state of the flag as of the scrape', async () => {
  const registry = new Registry();
  const breaker = { isOpen: false };
  flagGauge(registry, { name: 'breaker_open', help: 'Open.' }, () => breaker.isOpen);
  expect(figure(await registry.metrics(), 'breaker_open')).toBe(0);
  breaker.isOpen = true;
  expect(figure(await registry.metrics(), 'breaker_open')).toBe(1);
});

test('boundCounter counts each label set separately and escapes label values', async () => {
  const registry = new Registry();
  const count = boundCounter(registry, { name: 'things_total', help: 'Things.', labels: ['kind', 'colour'] });
  count('a', 'b "c"');
  count('a', 'b "c"');
  count('a', 'd');
  const { samples } = parseMetrics(await registry.metrics()).get('things_total')!;
  expect(samples.map(({ labels, value }) => [labels.kind, labels.colour, value])).toEqual([
    ['a', 'b \\"c\\"', 2],
    ['a', 'd', 1],
  ]);
});

test('an aborted response has the status label aborted and is timed', async () => {
  const metrics = createMetrics();
  metrics.request('listLearners', undefined, 2);
  metrics.request('listLearners', 200, 0.02);
  const text = await metrics.registry.metrics();
  expect(figure(text, 'http_requests_total', { operation: 'listLearners', status: 'aborted' })).toBe(1);
  expect(figure(text, 'http_request_duration_seconds_count', { operation: 'listLearners' })).toBe(2);
  expect(figure(text, 'http_request_duration_seconds_bucket', { operation: 'listLearners', le: '1' })).toBe(1);
});

test.each([
  ['/mcp', 'mcp'],
  ['/mcp?key=secret', 'mcp'],
  ['/oauth/token', 'oauth'],
  ['/.well-known/oauth-protected-resource/mcp', 'oauth'],
  ['/connect/abc', 'oauth'],
  ['/setup/a-secret-token', 'setup'],
  ['/s/a-secret-token', 'simulations'],
  ['/docs', 'docs'],
  ['/docs/limits.md', 'docs'],
  ['/llms.txt', 'docs'],
  ['/v1/no-such-path', 'none'],
  ['/constructor', 'none'],
  ['/', 'start'],
  ['/robots.txt', 'start'],
  ['*', 'none'],
  ['http://elsewhere.test/mcp', 'none'],
])('%s is counted as %s', (address, label) => {
  expect(routeLabel(address)).toBe(label);
});

test('docs/monitoring.md lists exactly the existing metrics with their labels', () => {
  const { registry } = createMetrics();
  watchShare(registry, 'lists', { held: 0, waiting: 0, refused: new Map() });
  watchPool(registry, 'requests', { totalCount: 0, idleCount: 0, waitingCount: 0, options: { max: 1 } as never });
  watchReplica(registry, { outcomes: new Map() });
  const { logger } = createLogs('silent');
  watchQueue(registry, { pool: {} as never, tasks: [], logger });
  watchWebhooks(registry, { pool: {} as never, logger });
  const webhooks = { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: false };
  createDelivering({ secretsKeys: [], webhooks }, registry);
  openBreachFeed({ pool: {} as never, logger, config: { url: 'https://feed.test', key: 'key' }, registry });
  const document = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| `([a-z_]+)` +\| ([^|]*?) *\|/gm)];
  const documented = rows.map(([, name, labels]) => [name, labels!.replaceAll('`', '')]);
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
  expect(documented.toSorted()).toEqual(
    metrics.map(({ name, labelNames }) => [name, labelNames.join(', ')]).toSorted(),
  );
});
