import { computeBodyLimit } from '../../scripts/generate/body-limits.ts';
import { bundleContract } from '../../scripts/generate/generated-files.ts';

const MIB = 1024 * 1024;
const id = { type: 'string', format: 'uuid' };
const closed = (properties: object) => ({ type: 'object', additionalProperties: false, properties });
const limitOf = (schema: object) =>
  computeBodyLimit({ components: { schemas: { Id: id } } }, {
    requestBody: { content: { 'application/json': { schema } } },
  } as never);

test.each<[string, object, number]>([
  ['a boolean', closed({ major: { type: 'boolean' } }), 65_536],
  ['10,000 characters, each written as two escapes', closed({ name: { type: 'string', maxLength: 10_000 } }), 180_224],
  [
    '10,000 ids',
    closed({ ids: { type: 'array', maxItems: 10_000, items: { $ref: '#/components/schemas/Id' } } }),
    585_728,
  ],
  ['the longest of several variants', { oneOf: [{ type: 'boolean' }, { type: 'string', maxLength: 5000 }] }, 90_112],
  ['an unbounded string', closed({ name: { type: 'string' } }), 10 * MIB],
  ['an unbounded list', closed({ ids: { type: 'array', items: id } }), 10 * MIB],
  ['undeclared fields', { type: 'object', properties: {} }, 10 * MIB],
])('the body limit follows from the schema: %s', (_case, schema, limit) => {
  expect(limitOf(schema)).toBe(limit);
});

test('only bulk operations on learners and facts accept bodies of more than 2 MiB', async () => {
  const document = await bundleContract();
  const operations = Object.values(document.paths as Record<string, Record<string, never>>).flatMap(Object.values);
  const large = operations.filter((operation) => (computeBodyLimit(document, operation) ?? 0) > 2 * MIB);
  expect(large.map(({ operationId }) => operationId).toSorted()).toEqual([
    'correctRecords',
    'createLearnerImport',
    'createLearners',
    'recordCourseResults',
    'recordPolicySignatures',
    'recordSimulationEvents',
    'updateLearners',
  ]);
});
