import type { Html } from '../../../http/html/html.ts';

const HOME = '/console';
/** Pages that exist only once, whichever company an admin looks at. */
const OWN = /^\/console\/(confirm|companies)(\/|$)/;

interface Element {
  type: unknown;
  props: Record<string, unknown>;
}

const isElement = (node: unknown): node is Element => typeof node === 'object' && node !== null && 'props' in node;

/**
 * Changes HTML of the console so that its addresses lead to the pages of a managed company, and removes the forms that
 * would change something.
 * @param base the address of the pages of the company
 */
export function moveLinks(content: Html, base: string): Html {
  const kept = withoutForms(content) as Html;
  moveNode(kept, base);
  return kept;
}

function moveNode(node: unknown, base: string): void {
  if (Array.isArray(node)) node.forEach((one) => moveNode(one, base));
  if (!isElement(node)) return;
  const { props } = node;
  for (const [name, value] of Object.entries(props)) {
    if (name !== 'value' && name !== 'children') props[name] = moveAddress(value, base);
  }
  props.children = withoutForms(props.children);
  moveNode(props.children, base);
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
