import type { KeyedOperationId } from '../../../contract/contract.ts';
import type { Html } from '../../../http/html/html.ts';
import type { ChildPages } from '../../shared/page-context.ts';
import { isReadOfChild } from '../admin.ts';

const HOME = '/console';
/** Pattern of links to the documentation of an operation. */
const DOCUMENTATION = /^\/docs\/operations\/(\w+)$/;
/** Pages that do not depend on the company that an admin is viewing. */
const OWN = /^\/console\/(confirm|companies)(\/|$)/;

interface Element {
  type: unknown;
  props: Record<string, unknown>;
}

const isElement = (node: unknown): node is Element => typeof node === 'object' && node !== null && 'props' in node;

/**
 * Rewrites console HTML so that its links lead to the pages of a managed company, and the API calls that it shows read
 * that company. Removes forms that would change something.
 */
export function moveLinks(content: Html, child: ChildPages): Html {
  const kept = withoutForms(content) as Html;
  moveNode(kept, child);
  return kept;
}

function moveNode(node: unknown, child: ChildPages): void {
  if (Array.isArray(node)) node.forEach((one) => moveNode(one, child));
  if (!isElement(node)) return;
  const { props } = node;
  const [, operationId] = typeof props.href === 'string' ? (DOCUMENTATION.exec(props.href) ?? []) : [];
  if (operationId !== undefined && isReadOfChild(operationId as KeyedOperationId)) addCompany(props.children, child.id);
  for (const [name, value] of Object.entries(props)) {
    if (name !== 'value' && name !== 'children') props[name] = moveAddress(value, child.path);
  }
  props.children = withoutForms(props.children);
  moveNode(props.children, child);
}

/** Adds the managed company to the text of an API call, unless the page has already added it. */
function addCompany(code: unknown, companyId: string): void {
  if (!isElement(code) || typeof code.props.children !== 'string' || code.props.children.includes('companyId=')) return;
  const call = code.props.children;
  code.props.children = `${call}${call.includes('?') ? '&' : '?'}companyId=${companyId}`;
}

function withoutForms(children: unknown): unknown {
  if (Array.isArray(children)) return children.map(withoutForms);
  return isElement(children) && isChange(children) ? null : children;
}

/** Reports whether an element is a form that changes something. */
function isChange({ type, props: { method, action } }: Element): boolean {
  return type === 'form' && method === 'post' && !(typeof action === 'string' && OWN.test(action));
}

function moveAddress(value: unknown, base: string): unknown {
  if (typeof value !== 'string' || !value.startsWith(HOME) || OWN.test(value)) return value;
  const rest = value.slice(HOME.length);
  return rest === '' || /^[/?#]/.test(rest) ? base + rest : value;
}
