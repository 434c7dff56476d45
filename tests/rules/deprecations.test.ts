import { listDeprecations, describeDeprecations } from '../../scripts/generate/deprecations.ts';
import { type Json, type JsonObject, operationsIn } from '../../contract-gate/src/index.ts';

const since = '2026-01-31';
const sunset = '2027-01-31';
const deprecated: JsonObject = { deprecated: true, 'x-deprecation': { since, sunset, use: '`new`' } };

const contractOf = (operation: JsonObject, schemas: JsonObject = {}): JsonObject => ({
  security: [{ apiKey: [] }],
  paths: { '/things': { post: { operationId: 'createThing', ...operation } } },
  components: { schemas, parameters: { Old: { name: 'X-Old', in: 'header', ...deprecated } } },
});
const found = (document: JsonObject) => listDeprecations(document, operationsIn(document)[0]!).map(({ at }) => at);
const withBody = (schema: JsonObject, mediaType = 'application/json'): JsonObject => ({
  requestBody: { content: { [mediaType]: { schema } } },
});

test('deprecated operations, parameters and headers are found with their dates', () => {
  const parameters: Json[] = [{ $ref: '#/components/parameters/Old' }, { name: 'old', in: 'query', ...deprecated }];
  const document = contractOf({ ...deprecated, parameters: [...parameters, { name: 'new', in: 'query' }] });
  expect(found(document)).toEqual(['operation', 'header/X-Old', 'query/old']);
  expect(listDeprecations(document, operationsIn(document)[0]!)[0]).toEqual({ at: 'operation', since, sunset });
});

test('deprecated body fields are found in objects, items, references and variants', () => {
  const body: JsonObject = {
    properties: {
      old: deprecated,
      people: { items: { $ref: '#/components/schemas/Person' } },
      pet: { oneOf: [{ properties: { tail: deprecated } }, { type: 'null' }] },
      name: { type: 'string' },
    },
  };
  const Person: JsonObject = {
    properties: { manager: { $ref: '#/components/schemas/Person' }, fax: { type: 'string', ...deprecated } },
  };
  const document = contractOf(withBody(body), { Person });
  expect(found(document)).toEqual(['body/old', 'body/people/[]/fax', 'body/pet/tail']);
});

test('a deprecation that no header could report is rejected: a form part, an operation without a key', () => {
  const form = contractOf(withBody({ properties: { old: deprecated } }, 'multipart/form-data'));
  expect(() => found(form)).toThrow('createThing deprecates a part of a multipart/form-data body');
  expect(() => found(contractOf({ ...deprecated, security: [] }))).toThrow('createThing needs no key');
});

test('the description of a deprecated element ends with its dates and its replacement', () => {
  const words = 'Deprecated since 2026-01-31; works at least until 2027-01-31. Use `new` instead.';
  const document = contractOf({ ...deprecated, description: 'Makes it.\n' });
  describeDeprecations(document);
  expect(document).toMatchObject({
    paths: { '/things': { post: { description: `Makes it.\n\n${words}` } } },
    components: { parameters: { Old: { description: words } } },
  });
});
