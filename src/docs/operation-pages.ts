import {
  type ContractDocument,
  type MediaType,
  type OperationEntry,
  listOperations,
  type Parameter,
  resolve,
} from './document.ts';
import { findFirstVersion, listDeprecatedParts } from './changes/contract-history.ts';
import { CHANGES } from './pages.ts';
import { writeExamples } from './examples/languages.ts';
import { errorPath, listSpecificCodes } from './error-pages.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { fenced, firstExample, table } from './markdown-parts.ts';
import { listFields, formatType } from './schema-table.ts';

/** Renders the plain version of the reference: all operations by resource, each with a link to its page. */
export function operationIndex(document: ContractDocument): string {
  const all = listOperations(document);
  const sections = document.tags.map(({ name, description }) => {
    const lines = all
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => {
        const link = `[${operation.summary}](/docs/operations/${operation.operationId})`;
        return `- ${link}: \`${method} ${path}\`${operation.deprecated ? ' (deprecated)' : ''}`;
      });
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}`;
  });
  const { version } = document.info;
  return `# Operations

The ${all.length} operations of the contract, version ${version}. Download the contract as [JSON](/v1/openapi.json) or
[YAML](/v1/openapi.yaml). Call the operations in the [interactive reference](/docs/reference).

${sections.join('\n\n')}
`;
}

/** Renders the page of an operation, with everything that the contract says about it. */
export function operationPage(document: ContractDocument, entry: OperationEntry): string {
  const { method, path, operation } = entry;
  const parts = [
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.deprecated ? DEPRECATED : '',
    operation.description.trim(),
    formatFacts(entry),
    formatParameters(
      document,
      (operation.parameters ?? []).map((one) => resolve(document, one)),
    ),
    formatRequest(document, entry),
    formatExamples(document, entry),
    formatResponse(document, entry),
    formatErrors(document, entry),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Note on a deprecated part. The description of the part has the dates and the replacement. */
const DEPRECATED = '**Deprecated**: see [versioning](/docs/versioning#deprecation).';

function formatFacts({ operation }: OperationEntry): string {
  const {
    operationId,
    tags,
    security,
    'x-scope': scope,
    'x-module': module,
    'x-account-kinds': kinds,
    'x-mcp': mcp,
  } = operation;
  const lines = [
    `- operationId: \`${operationId}\``,
    `- Key: ${isKeyed(operation) ? 'required, as `Authorization: Bearer`' : 'not required'}`,
    ...(security ?? [])
      .flatMap((scheme) => Object.keys(scheme))
      .map((scheme) => `- Signature: see \`${scheme}\` in the contract`),
    scope && `- Scope: \`${scope}\`; a restricted key without it gets 403 \`insufficient_scope\``,
    module && `- Module: \`${module}\`; a company without it gets 403 \`module_not_enabled\``,
    kinds && `- Account kinds: only ${kinds.join(' or ')}; other keys get 403 \`forbidden\``,
    mcp.tool && `- Tool for AI clients: \`${mcp.tool}\``,
    `- Since: contract ${findFirstVersion(operationId)} ([versions](${CHANGES.path}))`,
    ...listDeprecatedParts(operationId).map(
      ({ at, since, sunset }) =>
        `- Deprecated${at === 'operation' ? '' : `: \`${at}\``} since ${since}; works at least until ${sunset}`,
    ),
    `- [Try it in the reference](/docs/reference#/${encodeURIComponent(tags[0]!)}/${operationId})`,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Reports whether an operation needs an API key. Operations with their own security schemes do not. */
function isKeyed({ security }: OperationEntry['operation']): boolean {
  return security === undefined;
}

function formatParameters(document: ContractDocument, parameters: Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((parameter) => [
    `\`${parameter.name}\``,
    parameter.in,
    formatType(document, parameter.schema),
    parameter.required ? 'yes' : 'no',
    [parameter.description ?? '', parameter.deprecated ? DEPRECATED : ''].join(' '),
  ]);
  return `## Parameters\n\n${table(['Name', 'In', 'Type', 'Required', 'Description'], rows)}`;
}

function formatRequest(document: ContractDocument, { operation: { requestBody } }: OperationEntry): string {
  const [media] = Object.values(requestBody?.content ?? {});
  if (!media) return '';
  const types = Object.keys(requestBody!.content).join('` or `');
  return `## Request\n\nThe body is \`${types}\`${requestBody!.required ? '' : '; it is optional'}.\n\n${fieldTable(document, media, true)}`;
}

/** Renders the examples in all languages. Adjacent blocks of different languages become tabs: see `markdown.ts`. */
function formatExamples(document: ContractDocument, entry: OperationEntry): string {
  const blocks = writeExamples(document, entry).map(({ fence, code }) => fenced(fence, code));
  return `## Examples\n\nThe examples read the address of the service from \`URL\`, and ${describeKey(entry)}.\n\n${blocks.join('\n\n')}`;
}

function describeKey({ operation }: OperationEntry): string {
  if (isKeyed(operation)) return 'the API key from `KEY`';
  return operation.security!.length > 0 ? 'the signature of the body from `SIGNATURE`' : 'need no key';
}

function formatResponse(document: ContractDocument, { operation }: OperationEntry): string {
  const answer = resolve(document, operation.responses['200']!);
  const media = answer.content?.['application/json'];
  const example = firstExample(document, media);
  const fields = media ? fieldTable(document, media, false) : '';
  const parts = ['## Response', `200: ${answer.description}`, fields];
  if (example !== undefined) parts.push(fenced('json', JSON.stringify(example, null, 2)));
  return parts.filter((part) => part !== '').join('\n\n');
}

function formatErrors(document: ContractDocument, { operation }: OperationEntry): string {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, given]) => {
      const { description, content } = resolve(document, given);
      const example = firstExample(document, content?.['application/json']) as
        { error?: { code: ErrorCode } } | undefined;
      return [status, description, example?.error ? linkCode(example.error.code) : ''];
    });
  const specific = listSpecificCodes(document, operation);
  const codes = specific.length > 0 ? `Specific codes: ${specific.map(linkCode).join(', ')}.\n\n` : '';
  return `## Other responses\n\n${table(['Status', 'Description', 'Example code'], rows)}\n\n${codes}Every error has the format described in [Errors and retries](/docs/errors).`;
}

function linkCode(code: ErrorCode): string {
  return `[\`${code}\`](${errorPath(code)})`;
}

function fieldTable(document: ContractDocument, { schema }: MediaType, isRequest: boolean): string {
  const rows = listFields(document, schema).map(({ name, type, required, description }) => {
    const meaning = isRequest ? [required ? 'yes' : 'no', description] : [description];
    return [`\`${name}\``, type, ...meaning];
  });
  return table(isRequest ? ['Field', 'Type', 'Required', 'Description'] : ['Field', 'Type', 'Description'], rows);
}
