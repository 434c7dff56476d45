import { type ExampleRequest, listHeaders } from './example-request.ts';

/** Writes the example for Python 3.8 or newer, with the standard library. */
export function writePython(request: ExampleRequest): string {
  const { operationId, method, path, body, download } = request;
  const headers = listHeaders(request).map((header) => {
    const value =
      'value' in header
        ? quote(header.value)
        : `${header.prefix ? `${quote(header.prefix)} + ` : ''}os.environ["${header.variable}"]`;
    return `        ${quote(header.name)}: ${value},`;
  });
  const data =
    body &&
    ('json' in body ? `json.dumps(${toLiteral(body.json, '    ')}).encode()` : `open("${body.file}", "rb").read()`);
  const lines = [
    `    os.environ["URL"] + "${path}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(data === undefined ? [] : [`    data=${data},`]),
  ];
  const usesJson = !download || data?.startsWith('json.');
  return `${usesJson ? 'import json\n' : ''}import os
import urllib.request

request = urllib.request.Request(
${lines.join('\n')}
)
with urllib.request.urlopen(request) as response:
    ${writeResult(operationId, download)}`;
}

function writeResult(operationId: string, download: string | undefined): string {
  if (download) return `open("${download}", "wb").write(response.read())`;
  // The document is the only response without the wrapper \`data\`.
  return operationId === 'getOpenApiDocument'
    ? 'print(json.load(response)["info"])'
    : 'print(json.load(response)["data"])';
}

/** Writes JSON as a literal of Python. */
function toLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => `${inner}${toLiteral(item, inner)},`)
    : Object.entries(value).map(([name, item]) => `${inner}${quote(name)}: ${toLiteral(item, inner)},`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join('\n')}\n${indent}${close}`;
}

const quote = (text: string): string => JSON.stringify(text);
