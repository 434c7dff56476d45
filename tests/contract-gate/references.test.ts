import { judge } from '../../contract-gate/src/accepted-breaks.ts';
import { changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const where = '#/components/schemas';
const readers = ['createBook', 'getBook', 'listBooks', 'replaceBook'];

/** Adds a schema for any string, which a genre can use instead of the widely used schema. */
const other = (c: any) => (schemas(c).Text = { type: 'string' });

expectBreaks([
  [
    'another schema of a request property, reported at the property',
    (c) => (schemas(c).NewBook.properties.genre = ref('Lending')),
    'enum-values-removed',
    `${where}/NewBook/properties/genre`,
    ['createBook'],
  ],
  [
    'another schema of a response property',
    (c) => (schemas(c).Book.properties.genre = ref('Text')),
    'enum-values-added',
    `${where}/Book/properties/genre`,
    readers,
    other,
  ],
  [
    'an inlined schema in place of a shared one',
    (c) => (schemas(c).NewBook.properties.genre = { type: 'string', enum: ['novel'] }),
    'enum-values-removed',
    `${where}/NewBook/properties/genre/enum`,
    ['createBook'],
  ],
  [
    'a reference in place of an inlined schema',
    (c) => (schemas(c).NewBook.properties.isbn = ref('Genre')),
    'enum-values-removed',
    `${where}/NewBook/properties/isbn`,
    ['createBook'],
  ],
  [
    'another schema of list items',
    (c) => (c.paths['/books'].get.responses[200].content['application/json'].schema.items = ref('Author')),
    'required-properties-removed',
    '#/paths/~1books/get/responses/200/content/application~1json/schema/items',
    ['listBooks'],
    (c) => (schemas(c).Author = { ...schemas(c).Book, required: ['id', 'genre', 'author'] }),
  ],
  [
    'another recursive schema',
    (c) => (schemas(c).Shelf.properties.first = ref('Box')),
    'schema-constraint-changed',
    `${where}/Shelf/properties/first`,
    ['listShelves', 'updateShelf'],
    (c) => {
      const box = { type: 'object', properties: { size: { type: 'integer', maximum: 9 }, box: ref('Box') } };
      schemas(c).Box = box;
      schemas(c).Case = { ...box, properties: { size: { type: 'integer', maximum: 5 }, box: ref('Case') } };
      schemas(c).Shelf.properties.first = ref('Case');
      schemas(c).Shelf.properties.second = ref('Case');
    },
  ],
  [
    'another recursive schema',
    () => undefined,
    'schema-constraint-changed',
    `${where}/Box/properties/size/maximum`,
    ['listShelves', 'updateShelf'],
  ],
  [
    'another response of one status of an operation',
    (c) => (c.paths['/books'].get.responses[400] = { $ref: '#/components/responses/Trouble' }),
    'schema-type-changed',
    '#/paths/~1books/get/responses/400',
    ['listBooks'],
    (c) => {
      const json = { schema: { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] } };
      c.components.responses.Trouble = { description: '', content: { 'application/json': json } };
      schemas(c).ProblemBody = { ...json.schema, properties: { code: { type: 'boolean' } } };
    },
  ],
]);

expectNoBreak([
  [
    'a reference to an equal schema',
    (c) => (schemas(c).NewBook.properties.isbn = ref('Isbn')),
    (c) => (schemas(c).Isbn = { type: 'string' }),
  ],
  [
    'a schema that is inlined but still used elsewhere',
    (c) => (schemas(c).NewBook.properties.genre = schemas(c).Genre),
  ],
]);

test('a renamed and changed schema is reported once', () => {
  const { breaking } = changed((c) => {
    schemas(c).Sort = { type: 'string', enum: ['novel'] };
    delete schemas(c).Genre;
    for (const name of ['Book', 'NewBook']) schemas(c)[name].properties.genre = ref('Sort');
    c.paths['/books'].get.parameters[0].schema = ref('Sort');
  });
  expect(breaking).toMatchObject([
    { rule: 'schema-removed', pointer: `${where}/Genre` },
    { rule: 'enum-values-removed', pointer: `${where}/Sort/enum` },
  ]);
});

test('an accepted break at one location accepts none at another', () => {
  const { breaking } = changed(
    (c) => {
      for (const name of ['Book', 'Shelf']) schemas(c)[name].properties.genre = ref('Text');
    },
    (c) => {
      other(c);
      schemas(c).Shelf.properties.genre = ref('Genre');
    },
  );
  expect(breaking.map(({ pointer }) => pointer)).toEqual([
    `${where}/Book/properties/genre`,
    `${where}/Shelf/properties/genre`,
  ]);
  const { rule, pointer, what } = breaking[0]!;
  const words = { reason: 'Genres are free.', date: '2026-11-22', noDeprecation: 'Nobody was hit.' };
  const { accepted, refused } = judge(breaking, [{ rule, pointer, what, ...words }], words.date);
  expect([...accepted.keys()]).toEqual([breaking[0]]);
  expect(refused).toEqual([]);
});

test('schemas that refer to each other many times are compared in under five seconds', () => {
  const names = Array.from({ length: 12 }, (_one, index) => `Level${index}`);
  const nest = (c: any) => {
    for (const [index, name] of names.entries()) {
      const next = index + 1 < names.length ? { ...ref(names[index + 1]!), readOnly: false } : { type: 'string' };
      schemas(c)[name] = { type: 'object', properties: { one: next, two: next, three: next } };
    }
    schemas(c).NewBook.properties.isbn = ref('Level0');
  };
  const start = performance.now();
  const { breaking } = changed((c) => (schemas(c).Level11.properties.one.maxLength = 5), nest);
  expect(breaking).toMatchObject([{ pointer: `${where}/Level11/properties/one/maxLength` }]);
  expect(performance.now() - start).toBeLessThan(5_000);
});
