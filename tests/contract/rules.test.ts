/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { checkResponse } from '../support/contract-checker.ts';

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  'x-extensible-enum'?: string[];
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}

interface Operation {
  operationId: string;
  parameters?: { $ref?: string }[];
  requestBody?: object;
  responses: Record<string, { $ref?: string }>;
}

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object> & { schemas: Record<string, Schema> };
};
const { paths, components } = contract;
const { schemas } = components;
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const everySchema = schemasOf(contract, '');

/** Schemas of response objects. Request objects are closed, except for the one that another system sends. */
const answers = Object.entries(schemas).filter(
  ([name, schema]) => schema.properties && schema.additionalProperties !== false && name !== 'GoPhishEventInput',
);

test('a response field is always present, and null if it has no value', () => {
  // A whole list has the same fields as before pages and changes were introduced.
  const isOfPages = (name: string, property: string) =>
    name.endsWith('Response') && ['page', 'removed', 'syncedUntil'].includes(property);
  const optional = answers.flatMap(([name, { properties, required = [] }]) =>
    Object.keys(properties!)
      .filter((property) => !required.includes(property) && !isOfPages(name, property))
      .map((property) => `${name}.${property}`),
  );
  expect(optional).toEqual([]);
});

/** Resources with an ETag, by the path parameter of their changes. */
const TAGGED = [
  'campaignId',
  'learnerId',
  'groupId',
  'courseId',
  'policyId',
  'policyTemplateId',
  'roleId',
  'simulationId',
  'simulationTemplateId',
];

test('resources with an ETag accept If-None-Match for reads and If-Match for changes', () => {
  const tagged = operations.filter(({ responses }) => responses['304']?.$ref);
  const ids = [
    'BoardReportSchedule',
    'Company',
    'CompanyBranding',
    'CompanyFeatures',
    'CourseContent',
    ...TAGGED.map((id) => id[0]!.toUpperCase() + id.slice(1, -2)),
  ];
  expect(tagged.map(({ operationId }) => operationId).toSorted()).toEqual(ids.map((id) => `get${id}`).toSorted());
  // A change of sessions does not change the learner, a test message not the simulation, and a check of content and
  // a preview change nothing, so these take no ETag.
  const changes = Object.entries(paths).flatMap(([path, item]) =>
    TAGGED.some((id) => path.includes(`{${id}}`)) && !/\/(sessions|test-messages|check|preview-change)/.test(path)
      ? Object.entries(item).filter(([method]) => method !== 'get')
      : [],
  );
  expect(changes.length).toBeGreaterThan(TAGGED.length);
  const without = changes.filter(([, { parameters = [], responses }]) => {
    return !('412' in responses) || !parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'));
  });
  expect(without.map(([, { operationId }]) => operationId)).toEqual([]);
});

test('no boolean has a const or enum, for which Java and C# generators emit code that does not compile', () => {
  const booleans = Object.values(schemas).flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})]);
  expect(booleans.filter(({ type, ...rest }) => type === 'boolean' && ('const' in rest || 'enum' in rest))).toEqual([]);
});

/** Lists that are JSON only, because a field next to them says where to continue. */
const JSON_ALONE = ['listEvents'];

test('each list is also available as CSV and JSON lines; JSON comes first, for generators', () => {
  const answer = ({ responses }: Operation) => (responses as { 200: { content?: Record<string, Media> } })[200];
  const lists = operations.filter((operation) => holdsList(answer(operation).content?.['application/json']?.schema));
  expect(lists.length).toBeGreaterThan(20);
  const types = lists.map((operation) => [operation.operationId, ...Object.keys(answer(operation).content!)]);
  const other = types.filter(([, ...found]) => found.join() !== 'application/json,text/csv,application/jsonl');
  expect(other.map(([operationId]) => operationId)).toEqual(JSON_ALONE);
});

/** Suffixes that generators append to an operation's name, for its body, responses, errors and the like. */
const OF_AN_OPERATION =
  /^(Request|Response|Params|Parameters|Query|Path|Headers|(JSON)?(Request)?Body|Data|Errors?|Result|Responses|Success|Variables|Args|Options|Mutation\w*|\d+)?$/;

test('no schema has a name that generators derive from an operation', () => {
  const collisions = Object.keys(schemas).filter((name) =>
    operations.some(({ operationId }) => {
      const stem = operationId[0]!.toUpperCase() + operationId.slice(1);
      return name.startsWith(stem) && OF_AN_OPERATION.test(name.slice(stem.length));
    }),
  );
  expect(collisions).toEqual([]);
});

test('request schemas are called ...Input, because typescript-fetch calls parameters ...Request', () => {
  expect(Object.keys(schemas).filter((name) => name.endsWith('Request'))).toEqual([]);
});

test('null is added where a schema is referenced, because oneOf components become empty classes', () => {
  expect(Object.keys(schemas).filter((name) => schemas[name]!.oneOf)).toEqual([]);
});

test('no enum contains null, for which zod and Rust clients do not compile', () => {
  expect(everySchema.filter(([, schema]) => schema.enum?.includes(null)).map(([place]) => place)).toEqual([]);
});

test('every number has the format double, because Go and Rust otherwise use seven digits', () => {
  const numbers = everySchema.filter(([, { type }]) => [type].flat().includes('number'));
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.filter(([, { format }]) => format !== 'double').map(([place]) => place)).toEqual([]);
});

test("no description contains the end of a comment, which breaks openapi-generator's Go client", () => {
  expect(JSON.stringify(contract)).not.toContain('*/');
});

test("the key has no bearerFormat, with which openapi-generator's Python client fails mypy", () => {
  expect(JSON.stringify(components.securitySchemes)).not.toContain('bearerFormat');
});

/** Response enums that never grow, by their meaning or because requests use them. This list can only shrink. */
const CLOSED = [
  'CourseGrade',
  'HealthStatus',
  'RateLimitState',
  'ReadinessStatus',
  'RiskScoreLevel',
  'SignatureIntervalUnit',
  'SignatureType',
];

test('values that can grow are extensible in responses, because closed types reject new values', () => {
  const answered = reachedFrom(operations.map(({ responses }) => responses));
  expect([...answered].filter((name) => schemas[name]!.enum).toSorted()).toEqual(CLOSED);
});

test('request values are closed, so that clients reject others at compile time', () => {
  const sent = reachedFrom(operations.map(({ parameters, requestBody }) => ({ parameters, requestBody })));
  expect([...sent].filter((name) => schemas[name]!['x-extensible-enum'])).toEqual([]);
  const open = everySchema.filter(([, schema]) => schema['x-extensible-enum']);
  expect(open.map(([place]) => place.replace('/components/schemas/', '')).filter((name) => !schemas[name])).toEqual([]);
});

test('the description of an extensible value says that more values might be added', () => {
  const open = Object.entries(schemas).filter(([, schema]) => schema['x-extensible-enum']);
  expect(open.length).toBeGreaterThan(0);
  for (const [name, { type, description }] of open) {
    expect({ name, type, description }).toEqual({
      name,
      type: 'string',
      description: expect.stringMatching(/More\s(codes|kinds|values)\smight\sbe\sadded/),
    });
  }
});

test('the contract check rejects error codes that the contract lacks', () => {
  const answer = (code: string) => JSON.stringify({ error: { code, message: 'No.', details: [] } });
  const check = (code: string) => checkResponse('GET', '/v1/learners', 403, 'application/json', answer(code));
  expect(check('forbidden')).toBeUndefined();
  expect(check('brand_new')).toContain('must be equal to one of the allowed values');
});

interface Media {
  schema: Schema & { $ref?: string };
}

/** Reports whether a response's data is a list, or has one named `rows`, `entries` or `events`. */
function holdsList(schema: (Schema & { $ref?: string }) | undefined): boolean {
  const resolved = (given: (Schema & { $ref?: string }) | undefined) =>
    given?.$ref === undefined ? given : schemas[given.$ref.split('/').pop()!];
  const data = resolved(resolved(schema)?.properties?.data);
  return data?.type === 'array' || ['rows', 'entries', 'events'].some((name) => name in (data?.properties ?? {}));
}

/** Returns the names of the referenced schemas, including those referenced by others. */
function reachedFrom(given: unknown): Set<string> {
  const reached = new Set<string>();
  const visit = (node: unknown): void => {
    if (!(node instanceof Object)) return;
    const { $ref } = node as { $ref?: string };
    const [, , kind, name] = $ref?.split('/') ?? [];
    if (name === undefined) return Object.values(node).forEach(visit);
    if (kind === 'schemas' && reached.has(name)) return;
    if (kind === 'schemas') reached.add(name);
    visit((components[kind!] as Record<string, unknown>)[name]);
  };
  visit(given);
  return reached;
}

/** Returns every object with a type or a oneOf, with its location. */
function schemasOf(node: object, place: string): [place: string, schema: Schema][] {
  const children = Object.entries(node).filter(([key, child]) => child instanceof Object && !/^examples?$/.test(key));
  const below = children.flatMap(([key, child]) => schemasOf(child as object, `${place}/${key}`));
  const { type, oneOf } = node as Schema;
  return typeof type === 'string' || Array.isArray(type) || Array.isArray(oneOf) ? [[place, node], ...below] : below;
}
