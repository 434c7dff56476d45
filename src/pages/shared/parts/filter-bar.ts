import { type Html, html } from '../../../http/html/html.ts';
import type { SelectItem, FieldValues } from './fields.ts';

/** A field of a filter bar. */
export interface Filter {
  name: string;
  label: string;
  /** The choices of a list; a text field or a day has none. An option with the value `''` stands for everything. */
  options?: readonly SelectItem[];
  type?: 'search' | 'date';
}

export interface FilterBar {
  /** Path of the list. */
  action: string;
  /** The accessible name of the bar. */
  label: string;
  filters: readonly Filter[];
  values: FieldValues;
  apply: string;
  /**
   * The text of the link that removes all filters. It is shown while a filter is set. Undefined for a bar without such
   * a link.
   */
  reset?: string;
  /** Further fields of the form, such as the choice of columns. */
  more?: Html;
}

/** Renders the filters of a list as a form that submits by GET, so that a filtered list can be bookmarked. */
export function filterBar({ action, label, filters, values, apply, reset, more }: FilterBar): Html {
  return html`<form class="filters" method="get" action=${action} role="search" aria-label=${label}>
    ${filters.map((filter) => html`<div>${filterField(filter, values[filter.name] ?? '')}</div>`)}
    ${more && html`<div class="more">${more}</div>`}
    <div class="actions">
      <button class="quiet" type="submit">${apply}</button>
      ${reset && filters.some(({ name }) => values[name]) && html`<a href=${action}>${reset}</a>`}
    </div>
  </form>`;
}

function filterField({ name, label, options, type = 'search' }: Filter, value: string): Html {
  const id = `filter-${name}`;
  return html`<label for=${id}>${label}</label> ${
      options
        ? html`<select id=${id} name=${name}>
            ${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
          </select>`
        : html`<input id=${id} name=${name} type=${type} value=${value} autocomplete="off" />`
    }`;
}
