import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { type OperationId, operations } from '../../src/contract/contract.ts';
import { type Answer, expectContract, jsonOf } from '../support/client.ts';
import { exampleFile } from '../support/contract-requests.ts';
import type { Holder } from './seeded.ts';

const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const resolved = (node: any) =>
  node.$ref
    ? node.$ref
        .split('/')
        .slice(2)
        .reduce((found: any, step: string) => found[step], components)
    : node;

/** A request example of the contract. */
export interface ExampleCall {
  operationId: OperationId;
  example: string;
  mediaType?: string;
  body?: unknown;
}

/** Reports whether only sources can call an operation. tests/resources/sources/ covers these operations. */
const isForSources = (operationId: OperationId) => {
  const callers: readonly string[] = operations[operationId].callers;
  return callers.length > 0 && !callers.includes('key');
};

/**
 * Operations on simulations that the service runs. Those of the demo run in an external engine;
 * tests/resources/simulations/ covers these operations.
 */
export const OF_OWN_SIMULATIONS: readonly OperationId[] = [
  'updateSimulation',
  'scheduleSimulation',
  'approveSimulation',
  'cancelSimulation',
  'getSimulationCalendar',
  'sendSimulationTestMessage',
  'deleteSimulation',
];

export const exampleCalls = (Object.keys(operations) as OperationId[])
  .filter((operationId) => !isForSources(operationId) && !OF_OWN_SIMULATIONS.includes(operationId))
  .flatMap(callsOf)
  .toSorted((a, b) => turnOf(a.operationId) - turnOf(b.operationId));

export function callsOf(operationId: OperationId): ExampleCall[] {
  const { method, path } = operations[operationId];
  const { requestBody } = paths[path][method];
  if (!requestBody) return [{ operationId, example: 'no body' }];
  return Object.entries<any>(requestBody.content).flatMap(([mediaType, { examples }]) =>
    Object.keys(examples).map((example) => {
      return { operationId, example, mediaType, body: resolved(examples[example]).value };
    }),
  );
}

/** Returns the rank of an operation in the order of calls: deletions last, those of one row before those of many. */
export function turnOf(operationId: OperationId): number {
  const { method, pathIds, cluster } = operations[operationId];
  if (method === 'delete') return pathIds.length > 0 ? 2 : 3;
  return cluster === 'read' ? 0 : 1;
}

/** Returns the holder of the key: the MSP for child companies and their templates, otherwise the tenant. */
export function holderOf(operationId: OperationId): Holder {
  return /^\/(companies|reports\/companies|policy-templates)/.test(operations[operationId].path) ? 'msp' : 'tenant';
}

/** Returns the path with the documented example of each parameter. */
export function pathOf(operationId: OperationId): string {
  const { method, path } = operations[operationId];
  const parameters = (paths[path][method].parameters ?? []).map(resolved).filter((one: any) => one.in === 'path');
  return parameters.reduce(
    (filled: string, { name, examples }: any) => filled.replace(`{${name}}`, examples.demo.value),
    path,
  );
}

function bodyOf(operationId: OperationId, mediaType: string | undefined, body: unknown) {
  if (mediaType === undefined) return undefined;
  if (mediaType === 'application/json') return JSON.stringify(body);
  const { bytes, type, fileName } = exampleFile(operationId);
  const file = new Blob([new Uint8Array(bytes)], { type });
  if (mediaType === type) return file;
  const form = new FormData();
  form.set('file', file, fileName);
  return form;
}

/** Operations that publish or discard a draft, with the operation whose example of that name creates the draft. */
export const MAKES_A_DRAFT: Partial<Record<OperationId, OperationId>> = {
  publishPolicyDraft: 'updatePolicy',
  discardPolicyDraft: 'updatePolicy',
  publishPolicyTemplateDraft: 'updatePolicyTemplate',
  discardPolicyTemplateDraft: 'updatePolicyTemplate',
  publishCourseContent: 'saveCourseContent',
  discardCourseContentDraft: 'saveCourseContent',
};

/** Deletions of the row that another example creates. A course with enrolments or results cannot be deleted. */
const ON_WHAT_IS_MADE: Partial<Record<OperationId, OperationId>> = {
  deleteCourse: 'createCourse',
  deletePolicyVersion: 'recordPolicyVersion',
};
const made = new Map<OperationId, string>();

/** Sends an example to the demo at this URL, and checks the response against the contract. */
export async function sendExample(
  url: string,
  example: ExampleCall,
  more: Record<string, string> = {},
): Promise<Answer> {
  const { operationId, mediaType, body } = example;
  const method = operations[operationId].method.toUpperCase();
  const maker = ON_WHAT_IS_MADE[operationId];
  const path = maker ? pathOf(operationId).replace(/[^/]+$/, made.get(maker)!) : pathOf(operationId);
  const headers = {
    'x-request-id': randomUUID(),
    authorization: `Bearer ${demoKeys[holderOf(operationId)]}`,
    ...(mediaType !== undefined && mediaType !== 'multipart/form-data' && { 'content-type': mediaType }),
    ...more,
  };
  const answer = await fetch(`${url}${path}`, { method, headers, body: bodyOf(operationId, mediaType, body) });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  expectContract(method, `/v1${path}`, answer.status, type, text);
  const json = jsonOf(text, type);
  // A recorded version is the oldest version of the policy in the response.
  const rowId = operationId === 'recordPolicyVersion' ? json.data?.versions?.at(-1).id : json.data?.id;
  if (rowId !== undefined) made.set(operationId, rowId);
  return { status: answer.status, headers: answer.headers, text, body: json };
}

/** Returns the audit log entries of a request, with whether they name an id. */
export function entriesOf({ headers }: Answer): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select operation, outcome, jsonb_array_length(targets) > 0 as names from audit_log where request_id = $1`,
    [headers.get('x-request-id')],
  );
}

/** Changes whose entries name no id: they concern the whole company, or find nothing. */
const NAMING_NOTHING: readonly OperationId[] = [
  'replaceReportButton',
  'rotateReportButton',
  'reportMessage',
  'updateCompanyBranding',
  'updateCompanySettings',
  'updateSimulationSettings',
  'rotateSimulationHeaderSecret',
];

/** Returns the expected entries: one for a change by a key, none for a read. */
export function entriesExpected(operationId: OperationId): object[] {
  const { cluster, keyed } = operations[operationId];
  const entry = { operation: operationId, outcome: 'done', names: !NAMING_NOTHING.includes(operationId) };
  // A parent that reads its children leaves an entry in the audit log of each, of which the MSP of the demo has two.
  if (operationId === 'getCompaniesReport') return Array.from({ length: 2 }, () => ({ ...entry, names: false }));
  return keyed && cluster !== 'read' ? [entry] : [];
}
