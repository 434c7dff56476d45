import htm from 'htm';
import { h, type VNode } from 'preact';
import { render as renderNode } from 'preact-render-to-string';

/** The template function of htm. The types describe htm's CommonJS module, but the service loads its ES module. */
const library = htm as unknown as (typeof htm)['default'];

/** Elements of a page. Only `html` creates them. */
export type Html = VNode | VNode[];

/**
 * Builds HTML from a template: html`<p>Hello ${name}</p>`. Each value is escaped, in text and in attributes. A value
 * can also be other HTML, a list of it, or nothing (null, false). The template is HTML with one addition: `<br />`
 * closes itself.
 *
 * NOTE: use only URLs of this service in `href=${x}`. Escaping does not stop `javascript:`.
 */
export const html: (texts: TemplateStringsArray, ...values: unknown[]) => Html = library.bind(createElement);

/**
 * Creates an element. htm would cache elements without values and reuse the same objects; 3 disables the cache.
 */
function createElement(this: unknown[], type: string, props: object | null, ...children: unknown[]): VNode {
  this[0] = 3;
  return h(type, props, ...children);
}

/** Renders HTML as text. */
export function render(node: Html): string {
  return Array.isArray(node) ? node.map((one) => renderNode(one)).join('') : renderNode(node);
}
