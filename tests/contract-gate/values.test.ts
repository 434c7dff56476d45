import { changed } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const where = '#/components/schemas';

/** Declares a string whose known values can grow. */
const extensible = (contract: any) =>
  (schemas(contract).Lending = { type: 'string', 'x-extensible-enum': ['home', 'hall'] });

test('a removed value of an extensible enum breaks senders but not readers', () => {
  const { breaking } = changed((c) => schemas(c).Lending['x-extensible-enum'].pop(), extensible);
  expect(breaking).toMatchObject([
    {
      rule: 'enum-values-removed',
      pointer: `${where}/Lending/x-extensible-enum`,
      operations: ['PUT /books/{bookId} (replaceBook)'],
    },
  ]);
});

test('a new value of an extensible enum is reported as an addition', () => {
  const { compatible } = changed((c) => schemas(c).Lending['x-extensible-enum'].push('post'), extensible);
  expect(compatible).toMatchObject([
    {
      rule: 'extensible-values-added',
      what: 'The list of known values gained "post".',
      pointer: `${where}/Lending/x-extensible-enum`,
    },
  ]);
});

test.each([
  ['integer', 'string', 'The type changed from integer to string.'],
  ['integer', 'number', 'The type was widened from integer to number.'],
  ['number', 'integer', 'The type was narrowed from number to integer.'],
  ['string', ['string', 'null'], 'The type was widened from string to string or null.'],
  [['integer', 'null'], 'string', 'The type changed from integer or null to string.'],
  ['integer', undefined, 'The type was widened from integer to any.'],
])('a type change from %j to %j is described', (before, after, what) => {
  const edit = (type: unknown) => (c: any) => (c.components.schemas.Book.properties.pages = { type });
  expect(changed(edit(after), edit(before)).breaking).toMatchObject([{ rule: 'schema-type-changed', what }]);
});
