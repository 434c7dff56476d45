import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const parameter = (contract: any, index: number) => contract.paths['/books'].get.parameters[index];
const newBook = (contract: any) => contract.components.schemas.NewBook;
const book = (contract: any) => contract.components.schemas.Book;
const where = '#/components/schemas/NewBook/properties';

expectBreaks([
  [
    'a default added to an optional parameter',
    (c) => (parameter(c, 1).schema.default = 20),
    'default-added',
    '#/paths/~1books/get/parameters/1/schema/default',
    ['listBooks'],
    (c) => delete parameter(c, 1).schema.default,
  ],
  [
    'a default added to an optional property',
    (c) => (newBook(c).properties.isbn.default = 'none'),
    'default-added',
    `${where}/isbn/default`,
    ['createBook'],
  ],
  [
    'a default added to a component of an optional property',
    (c) => (c.components.schemas.Code.default = '0'),
    'default-added',
    '#/components/schemas/Code/default',
    ['createBook'],
    (c) => {
      c.components.schemas.Code = { type: 'string' };
      newBook(c).properties.isbn = { $ref: '#/components/schemas/Code' };
    },
  ],
  [
    'a default added to an optional body',
    (c) => (c.components.schemas.Note.default = ''),
    'default-added',
    '#/components/schemas/Note/default',
    ['updateShelf'],
    (c) => {
      c.components.schemas.Note = { type: 'string' };
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } };
      c.paths['/shelves'].patch.requestBody = { content };
    },
  ],
]);

expectNoBreak([
  ['a default added to a required property', (c) => (newBook(c).properties.title.default = 'Untitled')],
  ['a default added to the items of a list', (c) => (newBook(c).properties.tags.items.default = 'new')],
  ['a default added to a response property', (c) => (c.components.schemas.Shelf.properties.name.default = 'none')],
  ['a default added to a read-only property', (c) => (book(c).properties.id.default = '0')],
  [
    'a new parameter with a default',
    (c) =>
      c.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string', default: 'id' } }),
  ],
  ['a new property with a default', (c) => (newBook(c).properties.year = { type: 'integer', default: 2000 })],
]);
