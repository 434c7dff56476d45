/** Marks a file as UTF-8 for Excel, which otherwise reads names in the code page of its machine. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A sign with which spreadsheets begin a formula, at the beginning of a text or behind what an import can take for the end
 * of a cell: Excel in German, French and other languages separates cells by semicolons, and looks for none between quotes
 * that do not surround such a cell. White space, invisible characters and quotes before the sign are skipped, as imports
 * skip them. The signs beside the four of ASCII are their full-width and small forms.
 */
const FORMULA = /(^|[;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
/** The same in JSON, where a text begins behind its quote. */
const FORMULA_INSIDE = /([;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** What programs take for the end of a cell or of a line, and white space that they may strip. */
const NEEDS_QUOTES = /[",;|\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/;

/**
 * Formats a line of RFC 4180. Null is empty, and what is no text is JSON. No text becomes a formula in a spreadsheet: a sign
 * that would begin one has a `'` before it. A text that is a number, such as `-5`, stays one.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string' ? withoutFormulas(value) : JSON.stringify(value).replace(FORMULA_INSIDE, "$1$2'$3");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  // Programs that strip control characters before a cell must not bring a formula to light.
  return text.replace(FORMULA, "$1$2'$3").replace(/^[\t\r\n]/, "'$&");
}
