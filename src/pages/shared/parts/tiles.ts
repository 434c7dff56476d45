import { type Html, html } from '../../../http/html/html.ts';

/** A key number: its name, its formatted value, and the path of the page with its details. */
export interface Tile {
  name: string;
  value: string;
  href?: string;
}

/** Renders the key numbers of a page. */
export function tiles(all: readonly (Tile | false | null | undefined)[]): Html {
  const shown = all.filter((tile) => !!tile);
  return html`<dl class="tiles">
    ${shown.map(
      ({ name, value, href }) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${href === undefined ? value : html`<a href=${href}>${value}</a>`}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders pairs of a name and a value. */
export function facts(all: readonly (readonly [name: string, value: Html | string] | false | null)[]): Html {
  const shown = all.filter((fact) => !!fact);
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
