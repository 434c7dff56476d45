import { changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const book = (contract: any) => schemas(contract).Book;
const shelf = (contract: any) => schemas(contract).Shelf;
const answers = (contract: any, path = '/books', method = 'get') => contract.paths[path][method].responses;
const where = '#/components/schemas';
const readers = ['createBook', 'getBook', 'listBooks', 'replaceBook'];
const shelves = ['listShelves', 'updateShelf'];

/** Declares a string whose known values can grow. */
const extensible = (contract: any) =>
  (schemas(contract).Lending = { type: 'string', 'x-extensible-enum': ['home', 'hall'] });

expectBreaks([
  [
    'a response without its schema',
    (c) => delete answers(c)[200].content['application/json'].schema,
    'schema-type-changed',
    '#/paths/~1books/get/responses/200/content/application~1json/schema/type',
    ['listBooks'],
  ],
  [
    'a response without its schema',
    () => undefined,
    'schema-constraint-changed',
    '#/paths/~1books/get/responses/200/content/application~1json/schema/items',
    ['listBooks'],
  ],
  [
    'a removed response property',
    (c) => delete shelf(c).properties.kind,
    'property-removed',
    `${where}/Shelf/properties/kind`,
    shelves,
    (c) => (shelf(c).required = []),
  ],
  [
    'a response property that becomes optional',
    (c) => book(c).required.splice(3, 1),
    'required-properties-removed',
    `${where}/Book/required`,
    readers,
  ],
  [
    'a response property that becomes nullable',
    (c) => (shelf(c).properties.name.type = ['string', 'null']),
    'schema-type-changed',
    `${where}/Shelf/properties/name/type`,
    shelves,
  ],
  [
    'a component that becomes nullable',
    (c) => (book(c).properties.author = { oneOf: [book(c).properties.author, { type: 'null' }] }),
    'schema-type-changed',
    `${where}/Book/properties/author`,
    readers,
  ],
  [
    'an integer that becomes a number',
    (c) => (schemas(c).Author.properties.born.type = 'number'),
    'schema-type-changed',
    `${where}/Author/properties/born/type`,
    readers,
  ],
  [
    'a new variant',
    (c) => shelf(c).properties.kind.oneOf.push({ type: 'boolean' }),
    'schema-combinator-changed',
    `${where}/Shelf/properties/kind/oneOf/2`,
    shelves,
  ],
  [
    'a schema that becomes a union',
    (c) => {
      const { name } = shelf(c).properties;
      shelf(c).properties.name = { oneOf: [name, { type: 'integer', maximum: 9 }] };
    },
    'schema-combinator-changed',
    `${where}/Shelf/properties/name/oneOf/1`,
    shelves,
  ],
  [
    'a new error code',
    (c) => schemas(c).ProblemBody.properties.code.enum.push('full'),
    'enum-values-added',
    `${where}/ProblemBody/properties/code/enum`,
    ['createBook', 'getBook', 'listBooks'],
  ],
  [
    'an enum that becomes a string',
    (c) => delete schemas(c).ProblemBody.properties.code.enum,
    'enum-values-added',
    `${where}/ProblemBody/properties/code/enum`,
    ['createBook', 'getBook', 'listBooks'],
  ],
  [
    'a longer maximum length',
    (c) => (book(c).properties.title.maxLength = 500),
    'schema-constraint-changed',
    `${where}/Book/properties/title/maxLength`,
    readers,
  ],
  [
    'a removed format',
    (c) => delete shelf(c).properties.name.format,
    'schema-constraint-changed',
    `${where}/Shelf/properties/name/format`,
    shelves,
  ],
  [
    'a format of a recursive schema that changes, reported once',
    (c) => (shelf(c).properties.name.format = 'date'),
    'schema-constraint-changed',
    `${where}/Shelf/properties/name/format`,
    shelves,
  ],
  [
    'a property that becomes write-only',
    (c) => (shelf(c).properties.name.writeOnly = true),
    'property-became-write-only',
    `${where}/Shelf/properties/name`,
    shelves,
  ],
  [
    'another success status',
    (c) => {
      const all = answers(c, '/books', 'post');
      all[200] = all[201];
      delete all[201];
    },
    'response-removed',
    '#/paths/~1books/post/responses/201',
    ['createBook'],
  ],
  [
    'another success status',
    () => undefined,
    'success-status-added',
    '#/paths/~1books/post/responses/200',
    ['createBook'],
  ],
  [
    'an additional success status',
    (c) => (answers(c)[202] = { description: 'Later.' }),
    'success-status-added',
    '#/paths/~1books/get/responses/202',
    ['listBooks'],
  ],
  [
    'a new value of an enum whose description allows more values',
    (c) => schemas(c).Lending.enum.push('post'),
    'enum-values-added',
    `${where}/Lending/enum`,
    readers,
  ],
  [
    'a removed status',
    (c) => delete answers(c, '/books/{bookId}')[404],
    'response-removed',
    '#/paths/~1books~1{bookId}/get/responses/404',
    ['getBook'],
  ],
  [
    'a removed content type of a response',
    (c) => delete answers(c, '/books/{bookId}')[200].content['text/csv'],
    'media-type-removed',
    '#/paths/~1books~1{bookId}/get/responses/200/content/text~1csv',
    ['getBook'],
  ],
  [
    'a removed header',
    (c) => delete answers(c)[200].headers['X-Total'],
    'response-header-removed',
    '#/paths/~1books/get/responses/200/headers/X-Total',
    ['listBooks'],
  ],
  [
    'a header that becomes optional',
    (c) => (answers(c)[200].headers['X-Total'].required = false),
    'response-header-became-optional',
    '#/paths/~1books/get/responses/200/headers/X-Total',
    ['listBooks'],
  ],
  [
    'a header with another type',
    (c) => (answers(c)[200].headers['X-Total'].schema.type = 'string'),
    'schema-type-changed',
    '#/paths/~1books/get/responses/200/headers/X-Total/schema/type',
    ['listBooks'],
  ],
  [
    'an array that becomes an object',
    (c) =>
      (answers(c)[200].content['application/json'].schema = {
        type: 'object',
        properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Book' } } },
      }),
    'schema-type-changed',
    '#/paths/~1books/get/responses/200/content/application~1json/schema/type',
    ['listBooks'],
  ],
  [
    'an array that becomes an object',
    () => undefined,
    'schema-constraint-changed',
    '#/paths/~1books/get/responses/200/content/application~1json/schema/items',
    ['listBooks'],
  ],
]);

expectNoBreak([
  ['a new property', (c) => (book(c).properties.year = { type: 'integer' })],
  [
    'a new required property',
    (c) => {
      shelf(c).properties.rows = { type: 'integer' };
      shelf(c).required.push('rows');
    },
  ],
  [
    'a property that becomes required',
    (c) => schemas(c).Author.required.push('born'),
    (c) => delete c.paths['/books/{bookId}'].put,
  ],
  [
    'a response property that is no longer null',
    (c) => (shelf(c).properties.name.type = 'string'),
    (c) => (shelf(c).properties.name.type = ['string', 'null']),
  ],
  ['a removed variant of a response', (c) => shelf(c).properties.kind.oneOf.pop()],
  ['a removed code of a response', (c) => schemas(c).ProblemBody.properties.code.enum.pop()],
  ['a new value of an extensible enum', (c) => schemas(c).Lending['x-extensible-enum'].push('post'), extensible],
  [
    'a number that becomes an integer',
    (c) => (shelf(c).properties.kind.oneOf[1].type = 'integer'),
    (c) => (shelf(c).properties.kind.oneOf[1].type = 'number'),
  ],
  ['tighter limits', (c) => Object.assign(shelf(c).properties.name, { minLength: 36, maxLength: 36 })],
  [
    'another default in a response',
    (c) => (shelf(c).properties.name.default = 'x'),
    (c) => (shelf(c).properties.name.default = 'y'),
  ],
  [
    'a response that becomes open to unknown fields',
    (c) => delete schemas(c).Author.additionalProperties,
    (c) => (schemas(c).Author.additionalProperties = false),
  ],
  ['another order of an enum', (c) => schemas(c).Genre.enum.reverse()],
  ['a new status', (c) => (answers(c)[429] = { $ref: '#/components/responses/Problem' })],
  ['a new header', (c) => (answers(c)[200].headers['Retry-After'] = { schema: { type: 'integer' } })],
  ['another content type of a response', (c) => (answers(c)[200].content['text/csv'] = { schema: { type: 'string' } })],
  [
    'const in place of an enum with one value',
    (c) => (answers(c, '/health')[200].content['application/json'].schema.properties.status = { enum: ['ok'] }),
  ],
  [
    'another case of a header',
    (c) => {
      const { headers } = answers(c)[200];
      headers['x-total'] = headers['X-Total'];
      delete headers['X-Total'];
    },
  ],
  [
    'oneOf with null in place of a list of types',
    (c) => (book(c).properties.note = { oneOf: [{ type: 'string' }, { type: 'null' }] }),
  ],
  ['another order of required', (c) => book(c).required.reverse()],
  ['an inlined response', (c) => (answers(c)[400] = structuredClone(c.components.responses.Problem))],
]);

test('a property can have the name of a keyword', () => {
  const { breaking } = changed(
    (c) => schemas(c).Genre.enum.push('poem'),
    (c) => (shelf(c).properties.examples = { type: 'object', properties: { value: { $ref: `${where}/Genre` } } }),
  );
  expect(breaking[0]!.operations).toContain('GET /shelves (listShelves)');
});

test('a schema used in requests and responses is judged for each', () => {
  const wider = changed((c) => schemas(c).Genre.enum.push('poem'));
  expect(wider.breaking).toMatchObject([
    { rule: 'enum-values-added', whom: expect.stringContaining('clients that read') },
  ]);
  expect(wider.breaking[0]!.operations).not.toContain('POST /shelves (createShelf)');
  const narrower = changed((c) => schemas(c).Genre.enum.pop());
  expect(narrower.breaking).toMatchObject([
    { rule: 'enum-values-removed', whom: expect.stringContaining('callers who send') },
  ]);
  expect(narrower.breaking[0]!.operations).toEqual([
    'GET /books (listBooks)',
    'POST /books (createBook)',
    'PUT /books/{bookId} (replaceBook)',
  ]);
});
