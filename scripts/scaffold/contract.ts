import { CommandError } from '../../src/commands/command.ts';
import { capitalised, type NewOperation } from './operation.ts';
import { placeholders } from './placeholders.ts';

const ERRORS = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  429: 'RateLimited',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};
const REPLAYED = `            Idempotency-Replayed: { $ref: shared.yaml#/components/headers/IdempotencyReplayed }
`;
const CLUSTERS: Record<string, string> = { get: 'read', delete: 'destructive' };

/** Adds the path to the root, after the last path of its resource, unless it exists. */
export function addToRoot(text: string, { path, resource, operationId }: NewOperation): string {
  if (text.includes(`\n  ${path}:\n`)) return text;
  const last = text.lastIndexOf(`    $ref: ${resource}.yaml#/paths/`);
  if (last < 0) throw new CommandError(`api/openapi.yaml has no path of ${resource} to insert this one after.`);
  const end = text.indexOf('\n', last) + 1;
  return `${text.slice(0, end)}  ${path}:\n    $ref: ${resource}.yaml#/paths/${operationId}\n${text.slice(end)}`;
}

/** Adds the operation and the schema of its response to the resource's file. */
export function addPath(text: string, root: string, operation: NewOperation): string {
  const { operationId, method, path, pathIds, resource } = operation;
  for (const name of pathIds) {
    if (text.includes(`\n    ${capitalised(name)}:\n      name: ${name}\n`)) continue;
    throw new CommandError(`api/${resource}.yaml has no parameter ${name}: declare it in components/parameters first.`);
  }
  const tag = /\n {6}tags: \[(.+)\]\n/.exec(text)![1]!;
  const block = `    ${method}:\n${operationText(operation, tag)}`;
  const withSchema = text.replace('\n  schemas:\n', `\n  schemas:\n${schemaText(operationId)}`);
  const [, key] = root.split(`\n  ${path}:\n    $ref: ${resource}.yaml#/paths/`)[1]?.match(/^(\w+)/) ?? [];
  if (key !== undefined) return withSchema.replace(`\n  ${key}:\n`, `\n  ${key}:\n${block}`);
  return withSchema.replace('\ncomponents:\n', `\n  ${operationId}:\n${block}components:\n`);
}

function operationText({ operationId, method, pathIds }: NewOperation, tag: string): string {
  const parameters = pathIds.map((name) => `        - $ref: '#/components/parameters/${capitalised(name)}'\n`);
  const isChange = method !== 'get';
  if (isChange) parameters.push('        - $ref: shared.yaml#/components/parameters/IdempotencyKey\n');
  const errors = Object.entries(ERRORS).map(([status, name]) => {
    return `        '${status}': { $ref: shared.yaml#/components/responses/${name} }\n`;
  });
  return `      operationId: ${operationId}
      tags: [${tag}]
      summary: ${placeholders.summary}
      description: |
        ${placeholders.description}
      x-mcp: ${toolText(method)}
${parameters.length > 0 ? `      parameters:\n${parameters.join('')}` : ''}      responses:
        '200':
          description: ${placeholders.response}
          headers:
            RateLimit: { $ref: shared.yaml#/components/headers/RateLimit }
            RateLimit-Policy: { $ref: shared.yaml#/components/headers/RateLimitPolicy }
            X-Request-Id: { $ref: shared.yaml#/components/headers/RequestId }
${isChange ? REPLAYED : ''}          content:
            application/json:
              schema: { $ref: '#/components/schemas/${capitalised(operationId)}OutcomeResponse' }
              examples:
                answer:
                  value: { data: { id: 0192a3b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b } }
${errors.join('')}        default: { $ref: shared.yaml#/components/responses/UnexpectedError }
`;
}

/** Hides a read from AI clients until its tool is named, because the tool list is limited in size. */
function toolText(method: string): string {
  const cluster = CLUSTERS[method] ?? 'write';
  return cluster === 'read' ? `{ cluster: read, absent: true }` : `{ cluster: ${cluster} }`;
}

function schemaText(operationId: string): string {
  const name = capitalised(operationId);
  return `    ${name}OutcomeResponse:
      type: object
      description: ${placeholders.envelope}
      required: [data]
      properties:
        data: { $ref: '#/components/schemas/${name}Outcome' }
    ${name}Outcome:
      type: object
      description: ${placeholders.answer}
      required: [id]
      properties:
        id: { $ref: shared.yaml#/components/schemas/Id }
`;
}
