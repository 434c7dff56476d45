import { readFileSync } from 'node:fs';

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: Record<string, object> & { schemas: Record<string, Schema> };
};
const { paths, components } = contract;
const { schemas } = components;
const everySchema = schemasOf(contract, '');

/** Objects of answers: requests are the closed ones. */
const answers = Object.entries(schemas).filter(
  ([, schema]) => schema.properties && schema.additionalProperties !== false,
);

test('a field of an answer is always there: without a value it is null, never left out', () => {
  const optional = answers.flatMap(([name, { properties, required = [] }]) =>
    Object.keys(properties!)
      .filter((property) => !required.includes(property))
      .map((property) => `${name}.${property}`),
  );
  expect(optional).toEqual([]);
});

test('no two components have one name: some generators make types of one namespace of all but examples', () => {
  const names = Object.entries(components).flatMap(([kind, named]) => (kind === 'examples' ? [] : Object.keys(named)));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no boolean is held to one value: generators for Java and C# make an enumeration of it that does not compile', () => {
  const booleans = Object.values(schemas).flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})]);
  expect(booleans.filter(({ type, ...rest }) => type === 'boolean' && ('const' in rest || 'enum' in rest))).toEqual([]);
});

/** What generators put after the name of an operation to name its body, its answers, its failures and the like. */
const OF_AN_OPERATION =
  /^(Request|Response|Params|Parameters|Query|Path|Headers|(JSON)?(Request)?Body|Data|Errors?|Result|Responses|Success|Variables|Args|Options|Mutation\w*|\d+)?$/;

test('no schema has a name that generators make of an operation', () => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  const collisions = Object.keys(schemas).filter((name) =>
    operations.some((operation) => {
      const stem = operation[0]!.toUpperCase() + operation.slice(1);
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

test('the key has no bearerFormat: the Python client of openapi-generator does not pass mypy with one', () => {
  expect(JSON.stringify(components.securitySchemes)).not.toContain('bearerFormat');
});

/** Every object that has the type of a schema, or stands for several, with its place. */
function schemasOf(node: object, place: string): [place: string, schema: Schema][] {
  const children = Object.entries(node).filter(([key, child]) => child instanceof Object && !/^examples?$/.test(key));
  const below = children.flatMap(([key, child]) => schemasOf(child as object, `${place}/${key}`));
  const { type, oneOf } = node as Schema;
  return typeof type === 'string' || Array.isArray(type) || Array.isArray(oneOf)
    ? [[place, node as Schema], ...below]
    : below;
}
