import { readFileSync } from 'node:fs';

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}

const { components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
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
  expect(optional).toEqual(['ErrorDetail.details']);
});

test('no two components have one name: some generators make types of one namespace of all but examples', () => {
  const names = Object.entries(components).flatMap(([kind, named]) => (kind === 'examples' ? [] : Object.keys(named)));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no boolean is held to one value: generators for Java and C# make an enumeration of it that does not compile', () => {
  const booleans = Object.values(schemas).flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})]);
  expect(booleans.filter(({ type, ...rest }) => type === 'boolean' && ('const' in rest || 'enum' in rest))).toEqual([]);
});
