/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { SECRETS_KEY } from '../../seeds/demo-sources.ts';
import { type OperationId, operations } from '../../src/contract.ts';
import { type Service, startService, statusOf, stopServices, until } from '../process/support.ts';
import { type Answer, expectContract, jsonOf } from '../support/client.ts';
import { onePagePdf } from '../support/world-policies.ts';
import type { Holder } from './seeded.ts';

// The contract's examples are requests to the demo: whoever pastes one there is answered as the contract says. A PDF is
// the one thing that an example cannot show.

const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const resolved = (node: any) =>
  node.$ref
    ? node.$ref
        .split('/')
        .slice(2)
        .reduce((found: any, step: string) => found[step], components)
    : node;

interface Replay {
  operationId: OperationId;
  example: string;
  mediaType?: string;
  body?: unknown;
}

/** What a source signs is recorded in tests/resources/sources/. */
const isForSources = (operationId: OperationId) => {
  const callers: readonly string[] = operations[operationId].callers;
  return callers.length > 0 && !callers.includes('key');
};

const replays = (Object.keys(operations) as OperationId[])
  .filter((operationId) => !isForSources(operationId))
  .flatMap(replaysOf)
  .toSorted((a, b) => turnOf(a.operationId) - turnOf(b.operationId));

function replaysOf(operationId: OperationId): Replay[] {
  const { method, path } = operations[operationId];
  const { requestBody } = paths[path][method];
  if (!requestBody) return [{ operationId, example: 'no body' }];
  return Object.entries<any>(requestBody.content).flatMap(([mediaType, { examples }]) =>
    Object.keys(examples).map((example) => {
      return { operationId, example, mediaType, body: resolved(examples[example]).value };
    }),
  );
}

/** What deletes comes last, and what deletes one before what deletes many. */
function turnOf(operationId: OperationId): number {
  const { method, pathIds, cluster } = operations[operationId];
  if (method === 'delete') return pathIds.length > 0 ? 2 : 3;
  return cluster === 'read' ? 0 : 1;
}

/** Child companies, and the templates that are shared with them, are an MSP's; everything else is the tenant's. */
function holderOf(operationId: OperationId): Holder {
  return /^\/(companies|policy-templates)/.test(operations[operationId].path) ? 'msp' : 'tenant';
}

/** The path with the documented example of each parameter in it. */
function pathOf(operationId: OperationId): string {
  const { method, path } = operations[operationId];
  const parameters = (paths[path][method].parameters ?? []).map(resolved).filter((one: any) => one.in === 'path');
  return parameters.reduce(
    (filled: string, { name, examples }: any) => filled.replace(`{${name}}`, examples.demo.value),
    path,
  );
}

/** A course that somebody has taken is not removed: the one that the other example makes is. */
const ON_WHAT_IS_MADE: Partial<Record<OperationId, OperationId>> = { deleteCourse: 'createCourse' };
const made = new Map<OperationId, string>();

async function replay({ operationId, mediaType, body }: Replay): Promise<Answer> {
  const method = operations[operationId].method.toUpperCase();
  const maker = ON_WHAT_IS_MADE[operationId];
  const path = maker ? pathOf(operationId).replace(/[^/]+$/, made.get(maker)!) : pathOf(operationId);
  const headers = {
    'x-request-id': randomUUID(),
    authorization: `Bearer ${demoKeys[holderOf(operationId)]}`,
    ...(mediaType !== undefined && mediaType !== 'multipart/form-data' && { 'content-type': mediaType }),
  };
  const answer = await fetch(`${service.url}${path}`, { method, headers, body: bodyOf(mediaType, body) });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  expectContract(method, `/v1${path}`, answer.status, type, text);
  const json = jsonOf(text, type);
  if (json.data?.id !== undefined) made.set(operationId, json.data.id);
  return { status: answer.status, headers: answer.headers, text, body: json };
}

function bodyOf(mediaType: string | undefined, body: unknown): string | Blob | FormData | undefined {
  if (mediaType === undefined) return undefined;
  if (mediaType === 'application/json') return JSON.stringify(body);
  const pdf = new Blob([onePagePdf], { type: 'application/pdf' });
  if (mediaType === 'application/pdf') return pdf;
  const form = new FormData();
  form.set('file', pdf, 'policy.pdf');
  return form;
}

/** What the audit log says of a request, and whether it names an id. */
function entriesOf(requestId: string): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select operation, outcome, jsonb_array_length(targets) > 0 as names from audit_log where request_id = $1`,
    [requestId],
  );
}

/** A draft is published or discarded once; the example of that name, which makes one, goes before. */
const MAKES_A_DRAFT: Partial<Record<OperationId, OperationId>> = {
  publishPolicyDraft: 'updatePolicy',
  discardPolicyDraft: 'updatePolicy',
  publishPolicyTemplateDraft: 'updatePolicyTemplate',
  discardPolicyTemplateDraft: 'updatePolicyTemplate',
};

let service: Service;
beforeAll(async () => {
  const own = { DATABASE_URL: testService.database.serviceUrl, SECRETS_KEY };
  service = await startService({ ...own, ROLES: 'api', LOG_LEVEL: 'error' });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
}, 60_000);
afterAll(stopServices);

test('each id of an example is that of a row of the demo, but for one that shows what is skipped', async () => {
  const tables = [
    'companies',
    'learners',
    'groups',
    'admins',
    'api_keys',
    'courses',
    'policies',
    'policy_versions',
    'policy_templates',
    'simulations',
    'sources',
    'webhook_endpoints',
  ];
  const rows = await testService.query(
    `select id::text from policy_files ${tables.map((table) => `union all select id::text from ${table}`).join(' ')}`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const texts = replays.map((one) => pathOf(one.operationId) + JSON.stringify(one.body ?? ''));
  const named = new Set(texts.flatMap((text) => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((id) => !known.has(id))).toEqual(['0192a3b4-5c6d-7e8f-9a0b-1c2d3e4f5b99']);
});

test.each(replays.map((one) => [one.operationId, one.example, one] as const))(
  '%s, example %s, succeeds on the demo as documented, and leaves an entry in the audit log if it is a change by a key',
  async (operationId, _example, request) => {
    const before = MAKES_A_DRAFT[operationId];
    if (before) await replay(replaysOf(before).find(({ example }) => example === 'draft')!);
    const { status, body, headers } = await replay(request);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    const { cluster, keyed } = operations[operationId];
    const entries = await entriesOf(headers.get('x-request-id')!);
    const entry = { operation: operationId, outcome: 'done', names: operationId !== 'reportMessage' };
    expect(entries).toEqual(keyed && cluster !== 'read' ? [entry] : []);
  },
);
