import htm from 'htm';
import { h, type VNode } from 'preact';
import { render as renderNode } from 'preact-render-to-string';

/** Its types are those of a CommonJS module, which it is not here. */
const library = htm as unknown as (typeof htm)['default'];

/** Elements, or parts of a page. Only `html` makes it. */
export type Html = VNode | VNode[];

/**
 * Makes HTML of a template: html`<p>Hello ${name}</p>`. Each value is escaped, in text and in attributes; other HTML, lists
 * of it, and nothing (null, false) may stand between the braces. The template is HTML with one addition: `<br />` closes
 * itself.
 *
 * NOTE: a value is never an address of elsewhere. `href=${x}` may hold `javascript:`; only our own addresses belong there.
 */
export const html: (texts: TemplateStringsArray, ...values: unknown[]) => Html = library.bind(createElement);

/** The library keeps elements without values, and would show the same one twice. 3 turns that off. */
function createElement(this: unknown[], type: string, props: object | null, ...children: unknown[]): VNode {
  this[0] = 3;
  return h(type, props, ...children);
}

/** The text of HTML. */
export function render(node: Html): string {
  return Array.isArray(node) ? node.map((one) => renderNode(one)).join('') : renderNode(node);
}
