import { readFileSync } from 'node:fs';
import { demoPackage } from '../../seeds/demo-package.ts';
import { isJsonOnly, type KeyedOperationId, type OperationId, operations } from '../../src/contract/contract.ts';
import { onePagePdf } from './world-policies.ts';

interface MediaType {
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, MediaType> } }>>;
  components: { examples?: Record<string, { value: unknown }> };
};

/** Operations that an API key can call. */
export const keyedOperations = (Object.keys(operations) as OperationId[]).filter(
  (operationId): operationId is KeyedOperationId => operations[operationId].callers.some((caller) => caller === 'key'),
);

/** Returns the operation's method, and its path with `id` for every path parameter. */
export function requestLine(operationId: OperationId, id: string): { method: string; path: string } {
  const { method, path } = operations[operationId];
  return { method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, id) };
}

/** Returns the first request example of the contract, or undefined for an operation without a JSON body. */
export function exampleBody(operationId: OperationId): unknown {
  const { method, path } = operations[operationId];
  const examples = document.paths[path]![method]!.requestBody?.content['application/json']?.examples;
  const example = examples && Object.values(examples)[0];
  if (!example?.$ref) return example?.value;
  return document.components.examples![example.$ref.split('/').pop()!]!.value;
}

/** Returns a file that an upload accepts, and its content type. */
export function exampleFile(operationId: OperationId): { bytes: Buffer; type: string; fileName: string } {
  return operations[operationId].body?.some((type) => type === 'application/zip')
    ? { bytes: demoPackage, type: 'application/zip', fileName: 'course.zip' }
    : { bytes: onePagePdf, type: 'application/pdf', fileName: 'policy.pdf' };
}

/** Reports whether an operation takes a body other than JSON. */
export function isUpload(operationId: OperationId): boolean {
  const { body } = operations[operationId];
  return body !== null && !isJsonOnly(body);
}
