import { type Html, html } from '../../../../http/html/html.ts';

/**
 * Width of every chart in its own units: about the width of a phone, so that letters have their nominal size on phones.
 * The style sheet lets pictures grow by a third.
 */
export const WIDTH = 360;

/**
 * Renders a picture as inline SVG. Its colours come from the style sheet, for light and dark. It has no inline styles,
 * which the Content-Security-Policy of the page would block.
 * @param label the text for screen readers; the table of the figure has the numbers
 */
export function canvas(height: number, label: string, content: unknown): Html {
  return html`<svg class="chart" role="img" aria-label=${label} viewBox=${`0 0 ${WIDTH} ${height}`}>${content}</svg>`;
}

/** Shortens text, because SVG does not wrap lines. */
export function cut(text: string, maxLength: number): string {
  const letters = Array.from(text);
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength - 1).join('')}…`;
}

/** Rounds a coordinate to one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
