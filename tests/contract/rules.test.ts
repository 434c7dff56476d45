import { readFileSync } from 'node:fs';

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}

const { schemas } = (
  JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as { components: { schemas: Record<string, Schema> } }
).components;

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
