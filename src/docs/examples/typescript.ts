import { type ExampleRequest, listHeaders } from './example-request.ts';

/** Writes the example for TypeScript: the client of `sdk/`, or `fetch` for an operation that the client lacks. */
export function writeTypeScript(request: ExampleRequest): string {
  return request.isInClient ? writeClientCall(request) : writeFetch(request);
}

function writeClientCall({ operationId, ids, body, download }: ExampleRequest): string {
  const input = [
    ...Object.entries(ids).map(([name, id]) => `${name}: ${quote(id)},`),
    body &&
      ('json' in body
        ? `body: ${toLiteral(body.json, '  ')},`
        : `body: await openAsBlob('${body.file}', { type: '${body.mediaType}' }),`),
  ].filter((line) => line !== undefined);
  const call = `await client.${operationId}(${input.length === 0 ? '' : `{\n${input.map((line) => `  ${line}`).join('\n')}\n}`});`;
  const imports = [
    body && 'file' in body ? "import { openAsBlob } from 'node:fs';" : '',
    download ? "import { writeFile } from 'node:fs/promises';" : '',
    "import { createClient } from 'security-awareness-sdk';",
  ];
  return `${imports.filter(Boolean).join('\n')}

const client = createClient({ baseUrl: process.env.URL!, apiKey: process.env.KEY! });
${download ? `const file = ${call}\nawait writeFile('${download}', new Uint8Array(await file.arrayBuffer()));` : `const data = ${call}\nconsole.log(data);`}`;
}

function writeFetch(request: ExampleRequest): string {
  const { method, path, body } = request;
  const headers = listHeaders(request).map((header) => {
    const value = 'value' in header ? quote(header.value) : `\`${header.prefix}\${process.env.${header.variable}}\``;
    return `    ${quote(header.name)}: ${value},`;
  });
  return `const response = await fetch(\`\${process.env.URL}${path}\`, {
  method: '${method}',
  headers: {
${headers.join('\n')}
  },${body && 'json' in body ? `\n  body: JSON.stringify(${toLiteral(body.json, '  ')}),` : ''}
});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
console.log(await response.json());`;
}

/** Writes JSON as a literal with the names of its properties unquoted. */
function toLiteral(value: unknown, indent: string): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => `${inner}${toLiteral(item, inner)},`)
    : Object.entries(value).map(([name, item]) => `${inner}${writeName(name)}: ${toLiteral(item, inner)},`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join('\n')}\n${indent}${close}`;
}

function writeName(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quote(name);
}

function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${escaped}'`;
}
