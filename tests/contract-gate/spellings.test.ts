import { expectBreaks, expectNoBreak, type Harmless } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Builds both directions of a change between two equivalent schemas, used in requests and responses. */
const same = (title: string, one: object, other: object): Harmless[] => {
  const edit = (schema: object) => (c: any) => {
    schemas(c).Book.properties.pages = schema;
  };
  return [
    [title, edit(other), edit(one)],
    [`${title}, the other way round,`, edit(one), edit(other)],
  ];
};
const pattern = (one: string, other: string) =>
  same(`the pattern ${one} as ${other}`, { type: 'string', pattern: one }, { type: 'string', pattern: other });

expectNoBreak([
  ...same('null as a list of one type', { type: 'null' }, { type: ['null'] }),
  ...same('null as a constant', { type: 'null' }, { const: null }),
  ...same('null as the only value', { type: 'null' }, { enum: [null] }),
  ...same('a nullable string', { type: ['string', 'null'] }, { oneOf: [{ type: 'string' }, { const: null }] }),
  ...same('nullable outside OpenAPI 3.0', { type: ['string', 'null'] }, { type: 'string', nullable: true }),
  ...same(
    'a nullable reference',
    { oneOf: [ref('Genre'), { type: 'null' }] },
    { allOf: [ref('Genre')], nullable: true },
  ),
  ...same(
    'a property described by two parts',
    { type: 'object', properties: { a: { type: 'string', minLength: 1, maxLength: 9 } } },
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string', minLength: 1, description: 'One.' } } },
        { properties: { a: { type: ['string', 'null'], maxLength: 9 } } },
      ],
    },
  ),
  ...same('a constant without its type', { type: 'string', const: 'a' }, { enum: ['a'] }),
  ...same('both values of a boolean', { type: 'boolean' }, { enum: [true, false] }),
  ...same('an enum with only one type', { type: ['string', 'integer'], enum: ['a'] }, { type: 'string', enum: ['a'] }),
  ...same('a multiple of 1 of an integer', { type: 'integer' }, { type: 'integer', multipleOf: 1 }),
  ...same('a number that is an integer', { type: 'integer', multipleOf: 5 }, { type: 'number', multipleOf: 5 }),
  ...same('a fractional bound of an integer', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 0.5 }),
  ...same('a limit for another type', { type: 'string' }, { type: 'string', maximum: 5, maxItems: 2 }),
  ...same('a schema that rejects everything', { type: 'array', items: false }, { type: 'array', items: { not: {} } }),
  ...same('base64', { type: 'string', format: 'byte' }, { type: 'string', contentEncoding: 'base64' }),
  ...same('an anyOf that accepts everything', {}, { anyOf: [{ type: 'string' }, {}] }),
  ...same(
    'exclusive bounds of OpenAPI 3.0',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ),
  ...pattern('^[0-9]+$', String.raw`^\d+$`),
  ...pattern('^[0-9]{1,}$', '^[0-9]+$'),
  ...pattern('^[a-zA-Z0-9_]$', String.raw`^\w$`),
  ...pattern('^[A-Z0-9]{2,2}$', String.raw`^[\dA-Z]{2}$`),
  ...pattern('^[abc]$', '^[a-c]$'),
  ...pattern(String.raw`^a\/b[.]c\-d$`, String.raw`^a/b\.c-d$`),
  ...pattern('^(a|b)$', '^(?:a|b)$'),
  ...pattern('^[^0-9]$', String.raw`^\D$`),
  ['unused definitions', (c) => (schemas(c).Book.$defs = { Unused: { type: 'string', maxLength: 5 } })],
  [
    'an inlined definition',
    (c) => {
      schemas(c).Book.properties.pages = schemas(c).Book.$defs.Pages;
      delete schemas(c).Book.$defs;
    },
    (c) => {
      schemas(c).Book.$defs = { Pages: { type: 'integer', maximum: 9 } };
      schemas(c).Book.properties.pages = { $ref: '#/components/schemas/Book/$defs/Pages' };
    },
  ],
  [
    'a reference with encoded braces',
    (c) =>
      (schemas(c).Book.properties.pages.$ref = schemas(c)
        .Book.properties.pages.$ref.replace('{', '%7B')
        .replace('}', '%7D')),
    (c) => (schemas(c).Book.properties.pages = { $ref: '#/paths/~1books~1{bookId}/parameters/0/schema' }),
  ],
]);

expectBreaks([
  [
    'a changed definition',
    (c) => (schemas(c).NewBook.$defs.Code.maxLength = 5),
    'schema-constraint-changed',
    '#/components/schemas/NewBook/$defs/Code/maxLength',
    ['createBook'],
    (c) => {
      schemas(c).NewBook.$defs = { Code: { type: 'string' } };
      schemas(c).NewBook.properties.isbn = { $ref: '#/components/schemas/NewBook/$defs/Code' };
    },
  ],
  [
    'a change to a schema referenced in another operation',
    (c) => (c.paths['/books'].get.parameters[1].schema.maximum = 50),
    'schema-constraint-changed',
    '#/paths/~1books/get/parameters/1/schema/maximum',
    ['createBook', 'listBooks'],
    (c) => (schemas(c).NewBook.properties.copies = { $ref: '#/paths/~1books/get/parameters/1/schema' }),
  ],
  [
    'a property that no longer accepts any value',
    (c) => (schemas(c).NewBook.properties.isbn = false),
    'schema-type-changed',
    '#/components/schemas/NewBook/properties/isbn',
    ['createBook'],
  ],
  [
    'a removed property named constructor',
    (c) => delete schemas(c).NewBook.properties.constructor,
    'property-removed',
    '#/components/schemas/NewBook/properties/constructor',
    ['createBook'],
    (c) => Object.assign(schemas(c).NewBook.properties, { constructor: { type: 'string' } }),
  ],
  [
    'a dynamic reference to a narrower schema',
    (c) => (schemas(c).NewBook.$defs.Leaf.maxLength = 5),
    'schema-constraint-changed',
    '#/components/schemas/NewBook/$defs/Leaf/maxLength',
    ['createBook'],
    (c) => {
      schemas(c).NewBook.$defs = { Leaf: { $dynamicAnchor: 'leaf', type: 'string' } };
      schemas(c).NewBook.properties.isbn = { $dynamicRef: '#leaf' };
    },
  ],
]);

expectNoBreak([
  [
    'new properties named like inherited ones',
    (c) =>
      (schemas(c).NewBook.properties = JSON.parse(
        JSON.stringify(schemas(c).NewBook.properties).replace(
          '{',
          '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"},',
        ),
      )),
  ],
  [
    'OpenAPI 3.1 in place of 3.0',
    (c) => {
      c.openapi = '3.1.1';
      schemas(c).Author.properties = {
        name: { type: ['string', 'null'] },
        born: { type: 'integer', exclusiveMinimum: 0 },
        friend: { oneOf: [ref('Genre'), { type: 'null' }] },
        photo: { type: 'string', contentMediaType: 'application/octet-stream' },
      };
    },
    (c) => {
      c.openapi = '3.0.3';
      schemas(c).Author.properties = {
        name: { type: 'string', nullable: true },
        born: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        friend: { allOf: [ref('Genre')], nullable: true },
        photo: { type: 'string', format: 'binary' },
      };
    },
  ],
]);
