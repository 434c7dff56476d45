// Rules of our own for Redocly (redocly.yaml): what api/ must say about what is deprecated.
interface Context {
  report(problem: { message: string; location: Location }): void;
  location: Location;
}

interface Location {
  key(): Location;
  child(name: string): Location;
}

type Node = Record<string, unknown>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIELDS = ['since', 'sunset', 'use'];

export default function contractRules() {
  const deprecable = { enter: checkDeprecation };
  const deprecation = () => ({
    Operation: deprecable,
    Parameter: { enter: checkParameter },
    Header: deprecable,
    Schema: deprecable,
    ref: { enter: checkReference },
  });
  return { id: 'contract', rules: { oas3: { deprecation } } };
}

function checkParameter(node: Node, context: Context): void {
  if (node.deprecated === true && node.in !== 'query' && node.in !== 'header') {
    report(context, 'deprecated', 'Only query parameters and headers can be deprecated by themselves.');
  }
  checkDeprecation(node, context);
}

/** Of what stands beside a reference, tools read this or that, or nothing. */
function checkReference(node: Node, context: Context): void {
  if ('deprecated' in node) report(context, 'deprecated', 'What is deprecated is written out, not a reference.');
}

function checkDeprecation(node: Node, context: Context): void {
  const notice = node['x-deprecation'];
  if (notice === undefined) {
    if (node.deprecated === true) {
      report(
        context,
        'deprecated',
        'What is deprecated says since when, until when and what to use, in x-deprecation.',
      );
    }
    return;
  }
  if (node.deprecated !== true) report(context, 'x-deprecation', 'x-deprecation stands beside `deprecated: true`.');
  const problem = problemOf(notice);
  if (problem) report(context, 'x-deprecation', problem);
}

function problemOf(notice: unknown): string | undefined {
  const { since, sunset, use } = (notice ?? {}) as Node;
  const unknown = Object.keys((notice ?? {}) as Node).find((name) => !FIELDS.includes(name));
  if (unknown) return `x-deprecation has no field ${unknown}; its fields are ${FIELDS.join(', ')}.`;
  if (!isDate(since)) return 'x-deprecation.since must be a date such as 2026-11-22.';
  if (!isDate(sunset)) return 'x-deprecation.sunset must be a date such as 2027-11-22.';
  if (typeof use !== 'string' || !use.trim()) return 'x-deprecation.use must say what to use instead.';
  if (sunset < aYearAfter(since))
    return `x-deprecation.sunset must be a year after since, ${aYearAfter(since)}, or later.`;
  return undefined;
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function aYearAfter(date: string): string {
  const day = new Date(date);
  day.setUTCFullYear(day.getUTCFullYear() + 1);
  return day.toISOString().slice(0, 10);
}

function report(context: Context, field: string, message: string): void {
  context.report({ message, location: context.location.child(field).key() });
}
