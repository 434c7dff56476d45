/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { SECRETS_KEY } from '../../seeds/demo-sources.ts';
import { type Service, startService, statusOf, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import {
  callsOf,
  entriesExpected,
  entriesOf,
  exampleCalls,
  MAKES_A_DRAFT,
  pathOf,
  sendExample,
} from './example-calls.ts';

// The contract's examples are requests to the demo, and succeed there as documented. Files are the exception:
// an example cannot show a PDF.

let service: Service;
beforeAll(async () => {
  const own = { DATABASE_URL: testService.database.serviceUrl, SECRETS_KEY };
  service = await startService({ ...own, ROLES: 'api', LOG_LEVEL: 'error' });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
});
afterAll(stopServices);

test('every id in an example exists in the demo, except one that shows a skipped id', async () => {
  const tables = [
    'companies',
    'learners',
    'groups',
    'admins',
    'passkeys',
    'person_sessions',
    'api_keys',
    'courses',
    'policies',
    'policy_versions',
    'policy_templates',
    'simulations',
    'simulation_templates',
    'simulation_domains',
    'simulation_exclusions',
    'learner_merges',
    'learner_imports',
    'board_schedules',
    'roles',
    'identity_providers',
    'campaigns',
    'campaign_assignments',
    'sources',
    'webhook_endpoints',
  ];
  const rows = await testService.query(
    `select id::text from policy_files union all select connection_id::text from oauth_grants ${tables.map((table) => `union all select id::text from ${table}`).join(' ')}`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const texts = exampleCalls.map((one) => pathOf(one.operationId) + JSON.stringify(one.body ?? ''));
  const named = new Set(texts.flatMap((text) => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((id) => !known.has(id))).toEqual(['0192a3b4-5c6d-7e8f-9a0b-1c2d3e4f5b99']);
});

test.each(exampleCalls.map((one) => [one.operationId, one.example, one] as const))(
  '%s, example %s, succeeds on the demo, and a change by a key leaves an audit log entry',
  async (operationId, _example, request) => {
    const before = MAKES_A_DRAFT[operationId];
    if (before)
      await sendExample(
        service.url,
        callsOf(before).find(({ example }) => example === 'draft')!,
      );
    const answer = await sendExample(service.url, request);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
    expect(await entriesOf(answer)).toEqual(entriesExpected(operationId));
  },
);
