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

/** Objects of answers: requests are the closed ones, but for what another system sends as it likes. */
const answers = Object.entries(schemas).filter(
  ([name, schema]) => schema.properties && schema.additionalProperties !== false && name !== 'GoPhishEventInput',
);

test('a field of an answer is always there: without a value it is null, never left out', () => {
  // A whole list is answered as it was before there were pages and changes.
  const isOfPages = (name: string, property: string) =>
    name.endsWith('Response') && ['page', 'removed', 'syncedUntil'].includes(property);
  const optional = answers.flatMap(([name, { properties, required = [] }]) =>
    Object.keys(properties!)
      .filter((property) => !required.includes(property) && !isOfPages(name, property))
      .map((property) => `${name}.${property}`),
  );
  expect(optional).toEqual([]);
});

/** What has an ETag, by the id in the path of its changes. */
const TAGGED = [
  'learnerId',
  'groupId',
  'courseId',
  'policyId',
  'policyTemplateId',
  'simulationId',
  'simulationTemplateId',
];

test('what has an ETag is read with If-None-Match, and changed with If-Match', () => {
  const tagged = operations.filter(({ responses }) => responses['304']?.$ref);
  const ids = ['Company', 'CompanyFeatures', ...TAGGED.map((id) => id[0]!.toUpperCase() + id.slice(1, -2))];
  expect(tagged.map(({ operationId }) => operationId).toSorted()).toEqual(ids.map((id) => `get${id}`).toSorted());
  const changes = Object.entries(paths).flatMap(([path, item]) =>
    TAGGED.some((id) => path.includes(`{${id}}`)) ? Object.entries(item).filter(([method]) => method !== 'get') : [],
  );
  expect(changes.length).toBeGreaterThan(TAGGED.length);
  const without = changes.filter(([, { parameters = [], responses }]) => {
    return !('412' in responses) || !parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'));
  });
  expect(without.map(([, { operationId }]) => operationId)).toEqual([]);
});

test('no boolean is held to one value: generators for Java and C# make an enumeration of it that does not compile', () => {
  const booleans = Object.values(schemas).flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})]);
  expect(booleans.filter(({ type, ...rest }) => type === 'boolean' && ('const' in rest || 'enum' in rest))).toEqual([]);
});

/** Lists of one answer that are none in other shapes: what stands beside them says where to go on. */
const JSON_ALONE = ['listEvents'];

test('each list, and each report that is one, is answered as CSV and as lines too; JSON comes first, for generators', () => {
  const answer = ({ responses }: Operation) => (responses as { 200: { content?: Record<string, Media> } })[200];
  const lists = operations.filter((operation) => holdsList(answer(operation).content?.['application/json']?.schema));
  expect(lists.length).toBeGreaterThan(20);
  const types = lists.map((operation) => [operation.operationId, ...Object.keys(answer(operation).content!)]);
  const other = types.filter(([, ...found]) => found.join() !== 'application/json,text/csv,application/jsonl');
  expect(other.map(([operationId]) => operationId)).toEqual(JSON_ALONE);
});

/** What generators put after the name of an operation to name its body, its answers, its failures and the like. */
const OF_AN_OPERATION =
  /^(Request|Response|Params|Parameters|Query|Path|Headers|(JSON)?(Request)?Body|Data|Errors?|Result|Responses|Success|Variables|Args|Options|Mutation\w*|\d+)?$/;

test('no schema has a name that generators make of an operation', () => {
  const collisions = Object.keys(schemas).filter((name) =>
    operations.some(({ operationId }) => {
      const stem = operationId[0]!.toUpperCase() + operationId.slice(1);
      return name.startsWith(stem) && OF_AN_OPERATION.test(name.slice(stem.length));
    }),
  );
  expect(collisions).toEqual([]);
});

test('a body that is sent is called …Input: typescript-fetch calls the parameters of an operation …Request', () => {
  expect(Object.keys(schemas).filter((name) => name.endsWith('Request'))).toEqual([]);
});

test('null stands where a schema is referred to: a component of a reference and null is an empty class in five languages', () => {
  expect(Object.keys(schemas).filter((name) => schemas[name]!.oneOf)).toEqual([]);
});

test('null is in no enumeration: clients of zod and Rust do not compile with it', () => {
  expect(everySchema.filter(([, schema]) => schema.enum?.includes(null)).map(([place]) => place)).toEqual([]);
});

test('every number is a double: Go and Rust read one of no format with seven digits', () => {
  const numbers = everySchema.filter(([, { type }]) => [type].flat().includes('number'));
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.filter(([, { format }]) => format !== 'double').map(([place]) => place)).toEqual([]);
});

test('no text ends a comment: the Go client of openapi-generator does not compile with an Accept of any type', () => {
  expect(JSON.stringify(contract)).not.toContain('*/');
});

test('the key has no bearerFormat: the Python client of openapi-generator does not pass mypy with one', () => {
  expect(JSON.stringify(components.securitySchemes)).not.toContain('bearerFormat');
});

/** Enumerations of answers that never grow: by what they mean, or since they are sent too. This list can only shrink. */
const CLOSED = [
  'CourseGrade',
  'HealthStatus',
  'RateLimitState',
  'ReadinessStatus',
  'RiskScoreLevel',
  'SignatureIntervalUnit',
  'SignatureType',
];

test('what may get more values is text to a client that reads it: a closed type refuses the answer with a new one', () => {
  const answered = reachedFrom(operations.map(({ responses }) => responses));
  expect([...answered].filter((name) => schemas[name]!.enum).toSorted()).toEqual(CLOSED);
});

test('what a request may say is closed, so that a client does not compile with anything else', () => {
  const sent = reachedFrom(operations.map(({ parameters, requestBody }) => ({ parameters, requestBody })));
  expect([...sent].filter((name) => schemas[name]!['x-extensible-enum'])).toEqual([]);
  const open = everySchema.filter(([, schema]) => schema['x-extensible-enum']);
  expect(open.map(([place]) => place.replace('/components/schemas/', '')).filter((name) => !schemas[name])).toEqual([]);
});

test('a text with known values says that more of them may be added', () => {
  const open = Object.entries(schemas).filter(([, schema]) => schema['x-extensible-enum']);
  expect(open.length).toBeGreaterThan(0);
  for (const [name, { type, description }] of open) {
    expect({ name, type, description }).toEqual({
      name,
      type: 'string',
      description: expect.stringMatching(/(Codes|Kinds|Values)\smay\sbe\sadded/),
    });
  }
});

test('the service itself answers no code that the contract does not have', () => {
  const answer = (code: string) => JSON.stringify({ error: { code, message: 'No.', details: [] } });
  const check = (code: string) => checkResponse('GET', '/v1/learners', 403, 'application/json', answer(code));
  expect(check('forbidden')).toBeUndefined();
  expect(check('brand_new')).toContain('must be equal to one of the allowed values');
});

interface Media {
  schema: Schema & { $ref?: string };
}

/** Whether an answer's data is a list, or names one `rows`, `entries` or `events`. */
function holdsList(schema: (Schema & { $ref?: string }) | undefined): boolean {
  const resolved = (given: (Schema & { $ref?: string }) | undefined) =>
    given?.$ref === undefined ? given : schemas[given.$ref.split('/').pop()!];
  const data = resolved(resolved(schema)?.properties?.data);
  return data?.type === 'array' || ['rows', 'entries', 'events'].some((name) => name in (data?.properties ?? {}));
}

/** The names of the schemas that something refers to, and those that these refer to. */
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

/** Every object that has the type of a schema, or stands for several, with its place. */
function schemasOf(node: object, place: string): [place: string, schema: Schema][] {
  const children = Object.entries(node).filter(([key, child]) => child instanceof Object && !/^examples?$/.test(key));
  const below = children.flatMap(([key, child]) => schemasOf(child as object, `${place}/${key}`));
  const { type, oneOf } = node as Schema;
  return typeof type === 'string' || Array.isArray(type) || Array.isArray(oneOf) ? [[place, node], ...below] : below;
}
