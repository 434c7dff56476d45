/** What spreadsheets take for the beginning of a formula; the last four are full-width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const SPECIAL = /[",\r\n]/;

/** A line of RFC 4180. Null is empty, and what is no text is JSON. A text never is a formula: it gets a `'` before it. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value.replace(FORMULA, "'$&") : JSON.stringify(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
