import { type Html, html } from '../../../../http/html/html.ts';

/**
 * The width of every picture, in its own units. It is about that of a phone, so that letters are as large there as they
 * say; the style sheet lets pictures grow to a third more.
 */
export const WIDTH = 360;

/**
 * A picture as SVG in the page: it takes its colours from the style sheet, for light and dark, and asks for no style of
 * its own, which the page's policy would refuse.
 * @param label what is read to those who do not see it; the table beside the picture has the figures
 */
export function canvas(height: number, label: string, content: unknown): Html {
  return html`<svg class="chart" role="img" aria-label=${label} viewBox=${`0 0 ${WIDTH} ${height}`}>${content}</svg>`;
}

/** A text that fits beside others: SVG breaks no lines. */
export function cut(text: string, maxLength: number): string {
  const letters = Array.from(text);
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength - 1).join('')}…`;
}

/** A number in a path or a position, short. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
