import { type ErrorCode, errorCodes } from '../contract/error-codes.ts';
import { type ContractDocument, listOperations, type Operation, type OperationEntry, resolve } from './document.ts';
import { fenced, firstExample, table } from './markdown-parts.ts';
import { linkFrom, resolveLinks } from './markdown.ts';
import { ERROR_CODES, OPERATIONS } from './pages.ts';
import { findPagePath } from './text-page.ts';

/** File to which links in the texts about codes are relative. */
const GUIDE = 'docs/guides/errors.md';

/** Number of operations from which the page of a code lists none, and says that any operation can return the code. */
const MANY = 120;

export const listErrorCodes = (): ErrorCode[] => Object.keys(errorCodes) as ErrorCode[];

export function errorPath(code: ErrorCode): string {
  return `${ERROR_CODES.path}/${code}`;
}

/** Returns the sentence that says when a code is returned. */
export function describeError(code: ErrorCode): string {
  return errorCodes[code].when;
}

/** Renders the list of error codes, by status. */
export function errorIndex(): string {
  const byStatus = Map.groupBy(listErrorCodes(), (code) => errorCodes[code].status);
  const sections = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const rows = codes.map((code) => [`[\`${code}\`](${errorPath(code)})`, errorCodes[code].when]);
      return `## ${status}\n\n${table(['Code', 'When'], rows)}`;
    });
  return `# Error codes

Every error response has a \`code\`. Each code has a page with what to do about it and the operations that return it.
[Errors and retries](/docs/errors) explains the format and how to retry. New versions can add codes: treat an unknown
code like the first code of its status in these tables.

${sections.join('\n\n')}
`;
}

/** Renders the page of an error code. */
export function errorPage(document: ContractDocument, code: ErrorCode): string {
  const { status, when, action } = errorCodes[code];
  const generic = listErrorCodes().find((one) => errorCodes[one].status === status)!;
  const parts = [
    `# ${code}`,
    `Status ${status}. ${when}`,
    generic === code
      ? `This is the generic code of ${status}: treat an unknown code with this status like it.`
      : `A client that does not know this code can treat it like [\`${generic}\`](${errorPath(generic)}).`,
    `## What to do\n\n${resolveLinks(action, linkFrom(GUIDE, findPagePath))}`,
    formatOperations(document, code),
    formatExample(document, code),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function formatOperations(document: ContractDocument, code: ErrorCode): string {
  const entries = listOperations(document).filter(({ operation }) => returnsCode(document, operation, code));
  const links = entries.map(formatLink).join('\n');
  const isGeneral = entries.length === 0 || entries.length >= MANY;
  return `## Operations\n\n${isGeneral ? 'Any operation can return this code.' : links}`;
}

function formatLink({ method, path, operation }: OperationEntry): string {
  return `- [${operation.summary}](${OPERATIONS.path}/${operation.operationId}): \`${method} ${path}\``;
}

/** Renders the example of the code in the contract, if it has one. */
function formatExample(document: ContractDocument, code: ErrorCode): string {
  for (const response of Object.values(document.components.responses!)) {
    const { content } = response as Operation['responses'][string] & { content?: Record<string, object> };
    const example = firstExample(document, content?.['application/json']);
    if (readCode(example) === code) return `## Example\n\n${fenced('json', JSON.stringify(example, null, 2))}`;
  }
  return '';
}

/** Lists the codes that an operation returns, in addition to the generic code of each status. */
export function listSpecificCodes(document: ContractDocument, operation: Operation): ErrorCode[] {
  return listErrorCodes().filter((code) => {
    const generic = listErrorCodes().find((one) => errorCodes[one].status === errorCodes[code].status);
    return generic !== code && returnsCode(document, operation, code);
  });
}

/**
 * Reports whether an operation returns a code: the operation's own texts name the code, a property of the contract
 * implies it, or it is the example of a response.
 */
function returnsCode(document: ContractDocument, operation: Operation, code: ErrorCode): boolean {
  if (impliedCodes(document, operation).includes(code)) return true;
  const mention = `\`${code}\``;
  return collectTexts(document, operation).some((text) => text.includes(mention));
}

function impliedCodes(document: ContractDocument, operation: Operation): (ErrorCode | undefined)[] {
  const { requestBody, responses, parameters = [] } = operation;
  const names = parameters.map((given) => resolve(document, given).name);
  const examples = Object.values(responses).map((given) => {
    return readCode(firstExample(document, resolve(document, given).content?.['application/json']));
  });
  return [
    ...examples,
    operation['x-scope'] ? 'insufficient_scope' : undefined,
    operation['x-module'] ? 'module_not_enabled' : undefined,
    operation['x-recent-sign-in'] ? 'recent_sign_in_required' : undefined,
    requestBody ? 'unsupported_media_type' : undefined,
    names.includes('Idempotency-Key') ? 'idempotency_key_reused' : undefined,
  ];
}

function readCode(example: unknown): ErrorCode | undefined {
  return (example as { error?: { code: ErrorCode } } | undefined)?.error?.code;
}

const textsByOperation = new WeakMap<Operation, string[]>();

/** Collects the descriptions of an operation, its parameters, its request and its own responses. */
function collectTexts(document: ContractDocument, operation: Operation): string[] {
  const known = textsByOperation.get(operation);
  if (known) return known;
  const { description, parameters = [], requestBody, responses } = operation;
  const texts = [description, ...parameters.map((given) => resolve(document, given).description ?? '')];
  const seen = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('$ref' in node) {
      const ref = node.$ref as string;
      if (!ref.startsWith('#/components/schemas/') || seen.has(ref)) return;
      seen.add(ref);
      return visit(resolve(document, { $ref: ref }));
    }
    if ('description' in node && typeof node.description === 'string') texts.push(node.description);
    Object.values(node).forEach(visit);
  };
  visit(requestBody);
  // Shared responses also describe codes of other operations.
  for (const response of Object.values(responses)) if (!('$ref' in response)) texts.push(response.description);
  textsByOperation.set(operation, texts);
  return texts;
}
