// Our own rules for Redocly (redocly.yaml). They check how api/ announces deprecations, which bodies need an example,
// that patterns mean the same everywhere, which operations need a recent sign-in, and which are open to managers. They
// reject keywords that the contract gate (make contract-diff) does not judge.
import { type ObjectKind, judgedKeywords, unjudgedKeywords } from '../../contract-gate/src/keywords.ts';
import { problemOfPattern } from './portable-pattern.ts';

interface Context {
  report(problem: { message: string; location: Location }): void;
  location: Location;
  /** Key of the node in its parent. */
  key: string | number;
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
  const kinds = (Object.keys(judgedKeywords) as ObjectKind[]).filter((kind) => !(kind in FLOWS));
  const judged = () => ({
    ...Object.fromEntries(kinds.map((kind) => [kind, { enter: checkKeywords(kind) }])),
    ...Object.fromEntries(FLOWS.OAuth2Flow.map((flow) => [flow, { enter: checkKeywords('OAuth2Flow') }])),
    Schema: { enter: checkSchema },
  });
  const extensible = () => ({ Schema: { enter: checkExtensible } });
  const bodyExample = () => ({ MediaType: { enter: checkExample } });
  const recentSignIn = () => ({ Operation: { enter: checkRecentSignIn } });
  const managers = () => ({ Operation: { enter: checkManagers } });
  const portablePattern = () => ({ Schema: { enter: checkPattern } });
  const rules = {
    ...{ 'body-example': bodyExample, deprecation, judged, extensible },
    ...{ 'portable-pattern': portablePattern, 'recent-sign-in': recentSignIn },
    managers,
  };
  return { id: 'contract', rules: { oas3: rules } };
}

/** Other media types in which a list is returned; the example of the JSON list also covers them. */
const SHAPES: unknown[] = ['text/csv', 'application/jsonl'];

function checkExample(node: Node, context: Context): void {
  if ('examples' in node || SHAPES.includes(context.key)) return;
  context.report({ message: 'A body needs an example.', location: context.location });
}

/** Redocly's names of objects that the gate treats as one kind. */
const FLOWS = { OAuth2Flow: ['ImplicitFlow', 'PasswordFlow', 'ClientCredentials', 'AuthorizationCode'] };

/** Rejects keywords that contract-gate/ does not judge. */
function checkKeywords(kind: ObjectKind) {
  return (node: Node, context: Context): void => {
    for (const keyword of unjudgedKeywords(kind, node))
      report(context, keyword, `make contract-diff does not judge ${keyword} here; use another keyword.`);
  };
}

const checkSchemaKeywords = checkKeywords('Schema');

function checkSchema(node: Node, context: Context): void {
  checkSchemaKeywords(node, context);
  for (const [keyword, schemas] of Object.entries({ ...getSchemaMaps(node), '': { items: node.items } }))
    for (const [name, schema] of Object.entries(schemas ?? {}))
      if (schema === false) {
        const holder = keyword === '' ? context.location : context.location.child(keyword);
        context.report({ message: FALSE_SCHEMA, location: holder.child(name).key() });
      }
}

const FALSE_SCHEMA = 'make contract-diff does not judge the schema false; remove it.';

function getSchemaMaps({ properties, oneOf, anyOf, allOf }: Node): Record<string, object | undefined> {
  return { properties, oneOf, anyOf, allOf } as Record<string, object | undefined>;
}

/** Checks an open list of values: clients must accept any string, and know the listed values. */
function checkExtensible(node: Node, context: Context): void {
  const values = node['x-extensible-enum'];
  if (values === undefined) return;
  const isList = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
  if (!isList || new Set(values).size < values.length)
    report(context, 'x-extensible-enum', 'x-extensible-enum must be a list of different strings.');
  if ('enum' in node)
    report(context, 'x-extensible-enum', 'x-extensible-enum replaces enum; a schema cannot have both.');
  if (![node.type].flat().includes('string'))
    report(context, 'x-extensible-enum', 'x-extensible-enum needs `type: string`.');
}

/** Tags of operations that decide who can do what. Their changes always need a recent sign-in. */
const TAGS_OF_ACCESS: unknown[] = ['API keys', 'Roles', 'Identity providers'];
/** Changes of access that need no recent sign-in: they end the access of an application, or no person makes them. */
const EXEMPT: unknown[] = ['endConnection', 'revokeLeakedKeys'];

function checkRecentSignIn(node: Node, context: Context): void {
  const value = node['x-recent-sign-in'];
  if (value !== undefined && value !== true)
    report(context, 'x-recent-sign-in', 'x-recent-sign-in must be true; leave it out otherwise.');
  if (value === true && node.security !== undefined)
    report(context, 'x-recent-sign-in', 'x-recent-sign-in needs an operation that admins can call.');
  const isOfAccess = [node.tags].flat().some((tag) => TAGS_OF_ACCESS.includes(tag));
  const { cluster } = (node['x-mcp'] ?? {}) as Node;
  if (isOfAccess && cluster !== 'read' && value === undefined && !EXEMPT.includes(node.operationId))
    context.report({ message: 'A change of access needs x-recent-sign-in: true.', location: context.location });
}

/** Checks the operations that admins with the role manager can call. */
function checkManagers(node: Node, context: Context): void {
  const value = node['x-managers'];
  if (value === undefined) return;
  if (value !== true) report(context, 'x-managers', 'x-managers must be true; leave it out otherwise.');
  const { cluster } = (node['x-mcp'] ?? {}) as Node;
  if (cluster !== 'read' || node.security !== undefined)
    report(context, 'x-managers', 'x-managers needs a read that admins can call.');
}

function checkPattern({ pattern }: Node, context: Context): void {
  const problem = typeof pattern === 'string' ? problemOfPattern(pattern) : undefined;
  if (problem) report(context, 'pattern', problem);
}

function checkParameter(node: Node, context: Context): void {
  if (node.deprecated === true && node.in !== 'query' && node.in !== 'header') {
    report(context, 'deprecated', 'Of the parameters, only query parameters and headers can be deprecated.');
  }
  checkDeprecation(node, context);
}

/** Rejects `deprecated` next to a reference, because tools differ in which keywords they read there. */
function checkReference(node: Node, context: Context): void {
  if ('deprecated' in node) report(context, 'deprecated', 'A deprecated part cannot be a reference; write it out.');
}

function checkDeprecation(node: Node, context: Context): void {
  const notice = node['x-deprecation'];
  if (notice === undefined) {
    if (node.deprecated === true) {
      report(context, 'deprecated', 'A deprecated part needs x-deprecation with since, sunset and use.');
    }
    return;
  }
  if (node.deprecated !== true) report(context, 'x-deprecation', 'x-deprecation needs `deprecated: true`.');
  const problem = findProblem(notice);
  if (problem) report(context, 'x-deprecation', problem);
}

function findProblem(notice: unknown): string | undefined {
  const { since, sunset, use } = (notice ?? {}) as Node;
  const unknown = Object.keys((notice ?? {}) as Node).find((name) => !FIELDS.includes(name));
  if (unknown) return `x-deprecation has no field ${unknown}; its fields are ${FIELDS.join(', ')}.`;
  if (!isDate(since)) return 'x-deprecation.since must be a date such as 2026-11-22.';
  if (!isDate(sunset)) return 'x-deprecation.sunset must be a date such as 2027-11-22.';
  if (typeof use !== 'string' || !use.trim()) return 'x-deprecation.use must name the replacement.';
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
