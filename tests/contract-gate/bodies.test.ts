import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const newBook = (contract: any) => schemas(contract).NewBook;
const where = '#/components/schemas/NewBook';
const body = (contract: any, path = '/books', method = 'post') => contract.paths[path][method].requestBody;
const cover = (contract: any) => body(contract, '/covers').content['multipart/form-data'];
const only = ['createBook'];
const readOnlyId = (contract: any) => (newBook(contract).properties.id = { type: 'string', readOnly: true });

expectBreaks([
  [
    'another charset',
    (c) => {
      const { content } = body(c);
      content['text/csv; charset=iso-8859-1'] = content['text/csv'];
      delete content['text/csv'];
    },
    'media-type-removed',
    '#/paths/~1books/post/requestBody/content/text~1csv',
    only,
  ],

  [
    'a property that becomes required',
    (c) => newBook(c).required.push('isbn'),
    'required-properties-added',
    `${where}/required`,
    only,
  ],
  [
    'a new required property',
    (c) => {
      newBook(c).properties.year = { type: 'integer' };
      newBook(c).required.push('year');
    },
    'required-properties-added',
    `${where}/required`,
    only,
  ],
  [
    'a property removed from a closed body',
    (c) => delete newBook(c).properties.isbn,
    'property-removed',
    `${where}/properties/isbn`,
    only,
  ],
  [
    'a property removed from an open body',
    (c) => delete schemas(c).ShelfUpdate.properties.name,
    'property-removed',
    '#/components/schemas/ShelfUpdate/properties/name',
    ['updateShelf'],
  ],
  [
    'a body that becomes closed',
    (c) => (schemas(c).ShelfUpdate.additionalProperties = false),
    'schema-constraint-changed',
    '#/components/schemas/ShelfUpdate/additionalProperties',
    ['updateShelf'],
  ],
  [
    'a lower maximum of items',
    (c) => (newBook(c).properties.tags.maxItems = 5),
    'schema-constraint-changed',
    `${where}/properties/tags/maxItems`,
    only,
  ],
  [
    'a longer minimum length',
    (c) => (newBook(c).properties.title.minLength = 2),
    'schema-constraint-changed',
    `${where}/properties/title/minLength`,
    only,
  ],
  [
    'items that become unique',
    (c) => (newBook(c).properties.tags.uniqueItems = true),
    'schema-constraint-changed',
    `${where}/properties/tags/uniqueItems`,
    only,
  ],
  [
    'another default of a property',
    (c) => (newBook(c).properties.copies.default = 2),
    'default-changed',
    `${where}/properties/copies/default`,
    only,
  ],
  [
    'a property with another type',
    (c) => (newBook(c).properties.isbn.type = 'integer'),
    'schema-type-changed',
    `${where}/properties/isbn/type`,
    only,
  ],
  [
    'a property that is no longer nullable',
    (c) => (newBook(c).properties.isbn.type = 'string'),
    'schema-type-changed',
    `${where}/properties/isbn/type`,
    only,
    (c) => (newBook(c).properties.isbn.type = ['string', 'null']),
  ],
  [
    'a string that becomes an enum',
    (c) => (newBook(c).properties.isbn.enum = ['1']),
    'enum-values-removed',
    `${where}/properties/isbn/enum`,
    only,
  ],
  [
    'a removed variant',
    (c) => schemas(c).ShelfUpdate.properties.place.oneOf.pop(),
    'schema-combinator-changed',
    '#/components/schemas/ShelfUpdate/properties/place/oneOf/2',
    ['updateShelf'],
    (c) => schemas(c).ShelfUpdate.properties.place.oneOf.push({ type: 'boolean' }),
  ],
  [
    'a schema added to a media type',
    (c) => (body(c).content['text/csv'].schema = { type: 'string' }),
    'schema-type-changed',
    '#/paths/~1books/post/requestBody/content/text~1csv/schema/type',
    only,
    (c) => (body(c).content['text/csv'] = {}),
  ],
  [
    'a removed content type',
    (c) => delete body(c).content['text/csv'],
    'media-type-removed',
    '#/paths/~1books/post/requestBody/content/text~1csv',
    only,
  ],
  [
    'a body that becomes required',
    (c) => (body(c, '/books/{bookId}', 'put').required = true),
    'request-body-became-required',
    '#/paths/~1books~1{bookId}/put/requestBody/required',
    ['replaceBook'],
  ],
  [
    'a removed body',
    (c) => delete c.paths['/shelves'].patch.requestBody,
    'request-body-removed',
    '#/paths/~1shelves/patch/requestBody',
    ['updateShelf'],
    (c) => (c.components.schemas.ShelfUpdate = {}),
  ],
  [
    'a new required body',
    (c) =>
      (c.paths['/shelves'].get.requestBody = {
        required: true,
        content: { 'text/plain': { schema: { type: 'string' } } },
      }),
    'request-body-became-required',
    '#/paths/~1shelves/get/requestBody',
    ['listShelves'],
  ],
  [
    'a form part that becomes required',
    (c) => cover(c).schema.required.push('caption'),
    'required-properties-added',
    '#/paths/~1covers/post/requestBody/content/multipart~1form-data/schema/required',
    ['uploadCover'],
  ],
  [
    'a form part with fewer content types',
    (c) => (cover(c).encoding.file.contentType = 'image/png'),
    'part-content-type-removed',
    '#/paths/~1covers/post/requestBody/content/multipart~1form-data',
    ['uploadCover'],
  ],
  [
    'a property that becomes read-only',
    (c) => (newBook(c).properties.isbn.readOnly = true),
    'property-became-read-only',
    `${where}/properties/isbn`,
    only,
  ],
  [
    'a required property that is no longer read-only',
    (c) => delete schemas(c).Book.properties.id.readOnly,
    'required-properties-added',
    '#/components/schemas/Book/properties/id',
    ['replaceBook'],
  ],
]);

expectNoBreak([
  ['a shorter maximum length of a read-only property', (c) => (newBook(c).properties.id.maxLength = 5), readOnlyId],
  ['another type of a read-only property', (c) => (newBook(c).properties.id.type = 'integer'), readOnlyId],
  ['a read-only property that becomes required', (c) => newBook(c).required.push('id'), readOnlyId],
  ['a removed read-only property', (c) => delete newBook(c).properties.id, readOnlyId],
  [
    'a change to a schema used only by a read-only property',
    (c) => (schemas(c).Stamp.maxLength = 5),
    (c) => {
      schemas(c).Stamp = { type: 'string' };
      newBook(c).properties.stamp = { readOnly: true, allOf: [{ $ref: '#/components/schemas/Stamp' }] };
    },
  ],
  [
    'an explicit charset of a content type',
    (c) => {
      const { content } = body(c);
      content['application/json; charset=utf-8'] = content['application/json'];
      delete content['application/json'];
    },
  ],
  ['a pattern that matches every string', (c) => (newBook(c).properties.tags.items.pattern = '.*')],
  ['an anchored pattern that matches every string', (c) => (newBook(c).properties.tags.items.pattern = '^[\\s\\S]*$')],
  [
    'a prefixItems entry equal to items',
    (c) => (newBook(c).properties.tags.prefixItems = [newBook(c).properties.tags.items]),
  ],

  ['a new optional property', (c) => (newBook(c).properties.year = { type: 'integer' })],
  ['a property that becomes optional', (c) => (newBook(c).required = [])],
  ['wider limits', (c) => Object.assign(newBook(c).properties.title, { maxLength: 500, minLength: 0 })],
  ['an open body', (c) => delete newBook(c).additionalProperties],
  ['an explicit additionalProperties: true', (c) => (schemas(c).ShelfUpdate.additionalProperties = true)],
  ['a property that becomes nullable', (c) => (newBook(c).properties.isbn.type = ['string', 'null'])],
  ['another variant', (c) => schemas(c).ShelfUpdate.properties.place.oneOf.push({ type: 'boolean' })],
  ['a nullable variant', (c) => (schemas(c).ShelfUpdate.properties.place.oneOf[0].type = ['string', 'null'])],
  [
    'wider variants in another order',
    (c) => {
      const { oneOf } = schemas(c).ShelfUpdate.properties.place;
      oneOf[0].maxLength = 30;
      oneOf.reverse();
    },
  ],
  [
    'a schema that becomes a union',
    (c) => (newBook(c).properties.isbn = { oneOf: [{ type: 'string' }, { type: 'integer' }] }),
  ],
  [
    'a component that becomes nullable',
    (c) => (newBook(c).properties.genre = { oneOf: [newBook(c).properties.genre, { type: 'null' }] }),
  ],
  [
    'oneOf of types in place of a list of types',
    (c) => (newBook(c).properties.isbn = { oneOf: [{ type: 'string' }, { type: 'integer' }] }),
    (c) => (newBook(c).properties.isbn = { type: ['integer', 'string'] }),
  ],
  [
    'anyOf in place of oneOf',
    (c) => {
      const { place } = schemas(c).ShelfUpdate.properties;
      place.anyOf = place.oneOf;
      delete place.oneOf;
    },
  ],
  [
    'unevaluatedProperties in place of additionalProperties',
    (c) => {
      delete newBook(c).additionalProperties;
      newBook(c).unevaluatedProperties = false;
    },
  ],
  [
    'a finer step',
    (c) => (newBook(c).properties.copies.multipleOf = 5),
    (c) => (newBook(c).properties.copies.multipleOf = 10),
  ],
  ['a removed pattern', (c) => delete newBook(c).properties.tags.items.pattern],
  ['an additional content type', (c) => (body(c).content['application/xml'] = { schema: { type: 'string' } })],
  ['a body that becomes optional', (c) => (body(c).required = false)],
  [
    'a new optional body where none was accepted',
    (c) => (c.paths['/shelves'].get.requestBody = { content: { 'text/plain': {} } }),
  ],
  [
    'a form part with more content types',
    (c) => (cover(c).encoding.file.contentType = 'image/png,image/jpeg,image/webp'),
  ],
  [
    'a body that moves to a component',
    (c) => {
      c.components.requestBodies = { NewBook: body(c) };
      c.paths['/books'].post.requestBody = { $ref: '#/components/requestBodies/NewBook' };
    },
  ],
  [
    'a body split into allOf',
    (c) => {
      const { properties, required } = schemas(c).ShelfUpdate;
      const { name, ...rest } = properties;
      schemas(c).ShelfUpdate = {
        allOf: [
          { type: 'object', properties: { name } },
          { type: 'object', properties: rest, required },
        ],
      };
    },
    (c) => (schemas(c).ShelfUpdate.required = ['name']),
  ],
]);
