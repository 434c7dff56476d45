import { readFileSync } from 'node:fs';

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}

const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: Record<string, object> & { schemas: Record<string, Schema> };
};
const { schemas } = components;

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
