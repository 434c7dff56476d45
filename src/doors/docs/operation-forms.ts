import escapeHtml from 'escape-html';
import { type ContractDocument, type OperationEntry, operationsOf } from './document.ts';
import { OPERATIONS } from './pages.ts';

/** The operations by resource, each of which the script of the reference fills with a form, as HTML. */
export function operationForms(document: ContractDocument): string {
  const all = operationsOf(document);
  const sections = document.tags.map(({ name, description }) => {
    const ofTag = all.filter(({ operation }) => operation.tags.includes(name));
    return `<section>\n<h2>${escapeHtml(name)}</h2>\n<p>${escapeHtml(description)}</p>\n${ofTag.map(form).join('')}</section>\n`;
  });
  return sections.join('');
}

function form({ method, path, operation }: OperationEntry): string {
  const { operationId, summary, deprecated } = operation;
  const title = `${escapeHtml(summary)}${deprecated ? ' (deprecated)' : ''}`;
  return `<details id="operation-${operationId}" data-operation="${operationId}">
<summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> ${title}</summary>
<p><a href="${OPERATIONS.path}/${operationId}">Parameters, fields and errors of this operation</a></p>
</details>
`;
}
