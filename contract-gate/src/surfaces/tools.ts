import { child, type JsonObject, object } from '../document.ts';

const SCHEMA_STEPS = ['post', 'requestBody', 'content', 'application/json', 'schema'];

/**
 * Converts MCP tools to a contract with one operation each, so that their arguments are judged as a request.
 * @param tools `{ "tools": { <name>: { "inputSchema": … } } }`
 */
export function toolsAsContract(tools: JsonObject): JsonObject {
  const paths = Object.entries(object(tools.tools)).map(([name, tool]) => {
    const content = { 'application/json': { schema: object(tool).inputSchema ?? {} } };
    const operation = { operationId: name, requestBody: { required: true, content }, responses: {} };
    return [name, { post: operation }] as const;
  });
  return { openapi: '3.1.1', info: { title: 'Tools', version: '' }, paths: Object.fromEntries(paths) };
}

/** Converts a pointer into `toolsAsContract` to a pointer into the tools. */
export function toolPointer(pointer: string): string {
  const [, , name = '', ...steps] = pointer.split('/');
  const prefix = child('', ...SCHEMA_STEPS)
    .slice(1)
    .split('/');
  const isInSchema = prefix.every((step, index) => steps[index] === step);
  const rest = isInSchema ? ['inputSchema', ...steps.slice(prefix.length)] : [];
  return ['#/tools', name, ...rest].filter(Boolean).join('/');
}
