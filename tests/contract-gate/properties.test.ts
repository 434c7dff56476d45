import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { compare } from '../../contract-gate/src/compare.ts';
import { copied, libraryContract } from './support/library-contract.ts';

const types = ['string', 'integer', 'number', 'boolean'];

/**
 * A schema of any depth that the contracts of the service could contain; named schemas refer to each other and to
 * themselves.
 */
const { schema } = fc.letrec<{ schema: any }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('A', 'B').map((name) => ({ $ref: `#/components/schemas/${name}` })),
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom(...types),
          fc.constantFrom(...types).map((type) => [type, 'null']),
        ),
        description: fc.string(),
        minimum: fc.integer({ min: 0, max: 5 }),
        maxLength: fc.integer({ min: 1, max: 99 }),
        enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', null), { minLength: 1 }),
        default: fc.constantFrom('a', 1, null),
        readOnly: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat(9) }, { requiredKeys: ['type'] }),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'description', 'default'), tie('schema'), {
          minKeys: 1,
          noNullPrototype: true,
        }),
        isClosed: fc.boolean(),
        isRequired: fc.boolean(),
      })
      .map(({ properties, isClosed, isRequired }) => ({
        type: 'object',
        properties,
        ...(isRequired && { required: Object.keys(properties) }),
        ...(isClosed && { additionalProperties: false }),
      })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    tie('schema').map((one) => ({ oneOf: [one, { type: 'null' }] })),
    tie('schema').map((one) => ({ allOf: [one, { description: 'The same.' }] })),
  ),
}));

const named = fc
  .record({ properties: fc.dictionary(fc.constantFrom('x', 'y', 'z'), schema, { noNullPrototype: true }) })
  .map(({ properties }) => ({
    type: 'object',
    properties,
  }));

/** The library's contract with random schemas in its parameters, bodies and responses. */
const contract = fc
  .record({ A: named, B: named, query: schema, body: schema, answer: schema, header: schema })
  .map(({ A, B, query, body, answer, header }) => {
    const made = libraryContract();
    Object.assign(made.components.schemas, { A, B });
    made.paths['/books'].get.parameters.push({ name: 'by', in: 'query', schema: query });
    made.paths['/books'].post.requestBody.content['application/x-made'] = { schema: body };
    const answers = made.paths['/books'].post.responses;
    answers[202] = {
      description: '',
      headers: { 'X-By': { schema: header } },
      content: { 'application/json': { schema: answer } },
    };
    return copied(made);
  });

const runs = { numRuns: 40 };
const identical = { breaking: [], compatible: [], notJudged: [], words: 0 };

test('any contract equals itself', () => {
  fc.assert(
    fc.property(contract, (one) => expect(compare(one, copied(one))).toEqual(identical)),
    runs,
  );
});

test('any contract equals itself with another order of keys', () => {
  const property = fc.property(contract, fc.integer(), (one, seed) =>
    expect(compare(one, reordered(one, seed))).toEqual(identical),
  );
  fc.assert(property, runs);
});

type Addition = (contract: any, schema: any) => void;

/** Additions that are always compatible; each has its own location, so that they can be combined. */
const additions: Record<string, Addition> = {
  'an optional parameter': (c, of) => c.paths['/books'].get.parameters.push({ name: 'extra', in: 'query', schema: of }),
  'an optional header': (c, of) =>
    (c.paths['/shelves'].get.parameters = [{ name: 'X-Extra', in: 'header', schema: of }]),
  'an optional property of a body': (c, of) => (c.components.schemas.NewBook.properties.extra = of),
  'a property of an answer': (c, of) => (c.components.schemas.Author.properties.extra = of),
  'a property of both': (c, of) => (c.components.schemas.Book.properties.extra = of),
  'an operation': (c, of) =>
    (c.paths['/extra'] = {
      get: {
        operationId: 'getExtra',
        responses: { 200: { description: '', content: { 'application/json': { schema: of } } } },
      },
    }),
  'a status': (c, of) =>
    (c.paths['/health'].get.responses[503] = { description: '', content: { 'application/json': { schema: of } } }),
  'a response header': (c, of) => (c.paths['/books'].get.responses[200].headers['X-Extra'] = { schema: of }),
  'a content type to send': (c, of) =>
    (c.paths['/books'].post.requestBody.content['application/x-extra'] = { schema: of }),
  'a content type to read': (c, of) =>
    (c.paths['/books/{bookId}'].get.responses[200].content['application/x-extra'] = { schema: of }),
  'a schema': (c, of) => (c.components.schemas.Extra = of),
  'a way to authenticate': (c) => c.paths['/covers'].post.security.push({ oauth: ['all'] }),
  'a deprecation': (c) =>
    Object.assign(c.paths['/shelves'].patch, {
      deprecated: true,
      'x-deprecation': { since: '2026-01-01', sunset: '2027-01-01' },
    }),
};

test('optional additions never break clients and are always reported', () => {
  const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(additions)), { minLength: 1 });
  const property = fc.property(contract, chosen, schema, (base, names, of) => {
    const head = copied(base);
    for (const name of names) additions[name]!(head, copied(of));
    const { breaking, compatible } = compare(base, head);
    expect(breaking).toEqual([]);
    if (names.some((name) => name !== 'a schema')) expect(compatible).not.toEqual([]);
  });
  fc.assert(property, runs);
});

test("the service's own contract equals itself", async () => {
  const own = await readFile(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8');
  expect(compare(JSON.parse(own), reordered(JSON.parse(own), 1))).toEqual(identical);
});

function reordered(value: any, seed: number): any {
  if (Array.isArray(value)) return value.map((one) => reordered(one, seed));
  if (!value || typeof value !== 'object') return value;
  const keys = Object.keys(value).toSorted((one, other) => hash(one, seed) - hash(other, seed));
  return Object.fromEntries(keys.map((key) => [key, reordered(value[key], seed)]));
}

function hash(text: string, seed: number): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, Math.abs(seed % 1_000_003));
}
