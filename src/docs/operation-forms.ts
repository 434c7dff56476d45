import escapeHtml from 'escape-html';
import { type ContractDocument, type OperationEntry, listOperations, resolve, type Schema } from './document.ts';
import { firstExample } from './markdown-parts.ts';
import { renderMarkdown } from './markdown.ts';
import { OPERATIONS } from './pages.ts';
import { formatType } from './schema-table.ts';

/**
 * Renders the operations of the interactive reference, by resource. Each operation is a closed `<details>` with a form.
 * `assets/reference.js` sends the forms; it has no code for individual operations. A control states its part of the
 * request in `data-in` (`path`, `query`, `header`, `body` or `file`) and `data-name`. Controls have no `name`, so a
 * browser cannot put their values into a URL.
 */
export function operationForms(document: ContractDocument, options: { isDemo: boolean }): string {
  const all = listOperations(document);
  const sections = document.tags.map(({ name, description }) => {
    const forms = all
      .filter(({ operation }) => operation.tags.includes(name))
      .map((entry) => operationForm(document, entry, options));
    return forms.length === 0
      ? ''
      : `<section data-tag="${escapeHtml(name)}">\n<h2 tabindex="-1">${escapeHtml(name)}</h2>\n<p>${escapeHtml(description)}</p>\n${forms.join('')}</section>\n`;
  });
  return sections.join('');
}

/** Lists the names of all response headers in the contract, in lower case and sorted. */
export function responseHeaders(document: ContractDocument): string[] {
  const names = listOperations(document).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((given) => Object.keys(resolve(document, given).headers ?? {})),
  );
  return [...new Set(['content-type', ...names.map((name) => name.toLowerCase())])].sort();
}

function operationForm(document: ContractDocument, entry: OperationEntry, { isDemo }: { isDemo: boolean }): string {
  const { method, path, operation } = entry;
  const { operationId, summary, description, deprecated } = operation;
  const title = `${escapeHtml(summary)}${deprecated ? ' (deprecated)' : ''}`;
  const controls = [...parameterFields(document, entry, isDemo), ...bodyFields(document, entry)];
  return `<details data-operation="${operationId}">
<summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> <span>${title}</span></summary>
${toHtml(description)}<p><a href="${OPERATIONS.path}/${operationId}">Fields, errors and examples</a></p>
<form data-method="${method}" data-path="${escapeHtml(path)}">
${controls.map((control) => fieldHtml(operationId, control)).join('')}<button>Send</button>
</form>
<p class="status" role="status"></p>
<div class="answer" hidden></div>
</details>
`;
}

interface Field {
  in: string;
  name: string;
  label: string;
  /** The hint as HTML. */
  hint: string;
  control:
    | { kind: 'text'; value: string; required: boolean }
    | { kind: 'choice'; values: readonly string[]; required: boolean }
    | { kind: 'json'; examples: Record<string, unknown> }
    | { kind: 'file'; accept: string };
}

function parameterFields(document: ContractDocument, { operation }: OperationEntry, isDemo: boolean): Field[] {
  const fields = (operation.parameters ?? []).map((given): Field => {
    const parameter = resolve(document, given);
    const { name, required = false, description = '' } = parameter;
    // Examples of path parameters are ids of the demo.
    const example = isDemo && parameter.in === 'path' ? firstExample(document, parameter) : undefined;
    const values = listChoices(resolve(document, parameter.schema));
    return {
      in: parameter.in,
      name,
      label: `${name} (${parameter.in}${required ? ', required' : ''}${parameter.deprecated ? ', deprecated' : ''})`,
      hint: toHtml(`${formatType(document, parameter.schema)}. ${description}`),
      control: values
        ? { kind: 'choice', values, required }
        : { kind: 'text', value: typeof example === 'string' ? example : '', required },
    };
  });
  return [...fields, ...signatureFields(document, operation), ...formatFields(document, operation)];
}

/** Lists the allowed values; undefined if the value is free text. */
function listChoices({ type, enum: values }: Schema): string[] | undefined {
  if (type === 'boolean') return ['true', 'false'];
  return values?.map(String);
}

/** Creates a header field for each security scheme that replaces the key. */
function signatureFields(document: ContractDocument, { security = [] }: OperationEntry['operation']): Field[] {
  return security
    .flatMap((scheme) => Object.keys(scheme))
    .map((scheme) => resolve<{ name: string; description: string }>(document, schemeRef(scheme)))
    .map(({ name, description }) => ({
      in: 'header',
      name,
      label: `${name} (header)`,
      hint: toHtml(description),
      control: { kind: 'text', value: '', required: false },
    }));
}

function schemeRef(name: string) {
  return { $ref: `#/components/securitySchemes/${name}` };
}

/** Creates the choice of a response format, if the operation has several formats. */
function formatFields(document: ContractDocument, { responses }: OperationEntry['operation']): Field[] {
  const values = Object.keys(resolve(document, responses['200']!).content ?? {});
  if (values.length < 2) return [];
  const hint = `<p>If empty, the response is <code>${values[0]}</code>.</p>\n`;
  return [
    {
      in: 'header',
      name: 'Accept',
      label: 'Accept (header)',
      hint,
      control: { kind: 'choice', values, required: false },
    },
  ];
}

/** Creates the field of the request body: JSON, or the one file of a multipart form. */
function bodyFields(document: ContractDocument, { operation: { requestBody } }: OperationEntry): Field[] {
  if (!requestBody) return [];
  const { 'application/json': json, 'multipart/form-data': multipart, ...others } = requestBody.content;
  if (json) {
    const examples = Object.entries(json.examples ?? {}).map(([name, given]) => {
      return [name, resolve<{ value?: unknown }>(document, given).value] as const;
    });
    const hint = requestBody.required ? '' : '<p>To send no body, clear the text.</p>\n';
    return [
      {
        in: 'body',
        name: 'application/json',
        label: 'Body (JSON)',
        hint,
        control: { kind: 'json', examples: Object.fromEntries(examples) },
      },
    ];
  }
  const part = multipart && Object.keys(resolve(document, multipart.schema).properties ?? {})[0];
  const accept = Object.keys(others).join(',');
  return part
    ? [{ in: 'file', name: part, label: `Body (${accept}, required)`, hint: '', control: { kind: 'file', accept } }]
    : [];
}

function fieldHtml(operationId: string, field: Field): string {
  const id = `${operationId}-${field.in}-${field.name.replaceAll(/\W/g, '-')}`;
  const hint = field.hint && `<div class="hint" id="${id}-hint">${field.hint}</div>\n`;
  const common = `id="${id}" data-in="${field.in}" data-name="${escapeHtml(field.name)}"${hint && ` aria-describedby="${id}-hint"`}`;
  return `<div class="field">
<label for="${id}">${escapeHtml(field.label)}</label>
${controlHtml(id, common, field.control)}
${hint}</div>
`;
}

function controlHtml(id: string, common: string, control: Field['control']): string {
  switch (control.kind) {
    case 'text':
      return `<input ${common} value="${escapeHtml(control.value)}" autocomplete="off" spellcheck="false"${required(control)}>`;
    case 'choice':
      return `<select ${common}${required(control)}><option value=""></option>${control.values.map((value) => `<option>${escapeHtml(value)}</option>`).join('')}</select>`;
    case 'file':
      return `<input type="file" ${common} accept="${control.accept}" required>`;
    case 'json':
      return jsonHtml(id, common, control.examples);
  }
}

/** Renders a text area with the first example, and a choice of examples if the operation has several. */
function jsonHtml(id: string, common: string, examples: Record<string, unknown>): string {
  const texts = Object.entries(examples).map(([name, value]) => [name, JSON.stringify(value, null, 2)] as const);
  const options = texts.map(([name, text]) => `<option value="${escapeHtml(text)}">${escapeHtml(name)}</option>`);
  const choice =
    texts.length > 1
      ? `<label for="${id}-example">Example</label>\n<select id="${id}-example" data-example="${id}" autocomplete="off">${options.join('')}</select>\n`
      : '';
  const first = texts[0]?.[1] ?? '{}';
  const rows = Math.min(first.split('\n').length + 1, 20);
  return `<textarea ${common} rows="${rows}" autocomplete="off" spellcheck="false">${escapeHtml(first)}</textarea>\n${choice}`;
}

function required(control: { required: boolean }): string {
  return control.required ? ' required' : '';
}

function toHtml(markdown: string): string {
  return renderMarkdown(markdown, (href) => href).html;
}
