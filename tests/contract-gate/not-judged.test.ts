import { changed, copiedPair } from './support/pairs.ts';

type Edit = (contract: any) => void;

const operation = (contract: any) => contract.paths['/books'].get;
const book = (contract: any) => contract.components.schemas.NewBook;
const cover = (contract: any) => contract.paths['/covers'].post.requestBody.content['multipart/form-data'];
const flows = (contract: any) => contract.components.securitySchemes.oauth.flows;
const where = '#/components/schemas/NewBook';
const text = { type: 'string' };
const own = ['createBook'];
const pets = (c: any) => {
  Object.assign(c.components.schemas, { Cat: { type: 'object' }, Dog: { type: 'object' } });
  const oneOf = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  book(c).properties.isbn = { oneOf, discriminator: { propertyName: 'kind' } };
};

/** A keyword that differs, where, and in which operations. */
const pairs: [title: string, edit: Edit, keyword: string, pointer: string, operations: string[], prepare?: Edit][] = [
  [
    'patternProperties',
    (c) => (book(c).patternProperties = { '^x': text }),
    'patternProperties',
    `${where}/patternProperties`,
    own,
  ],
  ['a condition', (c) => (book(c).if = { required: ['isbn'] }), 'if', `${where}/if`, own],
  ['a keyword that nobody knows', (c) => (book(c).maxWords = 5), 'maxWords', `${where}/maxWords`, own],
  [
    'a keyword that goes',
    (c) => delete book(c).maxWords,
    'maxWords',
    `${where}/maxWords`,
    own,
    (c) => (book(c).maxWords = 5),
  ],
  [
    'another schema that is not allowed',
    (c) => (book(c).properties.isbn.not = { maxLength: 3 }),
    'not',
    `${where}/properties/isbn/not`,
    own,
    (c) => (book(c).properties.isbn.not = { maxLength: 2 }),
  ],
  [
    'another target of a reference in a condition',
    (c) => (c.components.schemas.Code.maxLength = 5),
    'if',
    `${where}/properties/isbn/if`,
    own,
    (c) => {
      c.components.schemas.Code = text;
      book(c).properties.isbn.if = { $ref: '#/components/schemas/Code' };
    },
  ],
  [
    'one of two schemas that a dynamic reference can lead to',
    (c) => (book(c).$defs.One.maxLength = 5),
    '$dynamicRef',
    `${where}/properties/isbn/$dynamicRef`,
    own,
    (c) => {
      book(c).$defs = { One: { $dynamicAnchor: 'leaf', ...text }, Other: { $dynamicAnchor: 'leaf', type: 'integer' } };
      book(c).properties.isbn = { $dynamicRef: '#leaf' };
    },
  ],
  [
    'a default of a discriminator',
    (c) => (book(c).properties.isbn.discriminator.defaultMapping = 'Cat'),
    'defaultMapping',
    `${where}/properties/isbn/discriminator/defaultMapping`,
    own,
    pets,
  ],
  [
    'a node of XML',
    (c) => (book(c).properties.isbn.xml = { nodeType: 'cdata' }),
    'xml',
    `${where}/properties/isbn/xml`,
    own,
    (c) => (c.paths['/books'].post.requestBody.content['application/xml'] = { schema: { $ref: where } }),
  ],
  [
    'a callback',
    (c) => (operation(c).callbacks = { onDone: {} }),
    'callbacks',
    '#/paths/~1books/get/callbacks',
    ['listBooks'],
  ],
  [
    'a schema that only a callback has',
    (c) => (c.components.schemas.Done.maxLength = 5),
    'callbacks',
    '#/paths/~1books/get/callbacks',
    ['listBooks'],
    (c) => {
      c.components.schemas.Done = text;
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Done' } } };
      operation(c).callbacks = { onDone: { '{$url}': { post: { requestBody: { content }, responses: {} } } } };
    },
  ],
  [
    'servers of an operation',
    (c) => (operation(c).servers = [{ url: '/v3' }]),
    'servers',
    '#/paths/~1books/get/servers',
    ['listBooks'],
  ],
  [
    'servers of a path',
    (c) => (c.paths['/covers'].servers = [{ url: '/v3' }]),
    'servers',
    '#/paths/~1covers/servers',
    ['uploadCover'],
  ],
  ['a method of 3.2', (c) => (c.paths['/covers'].query = {}), 'query', '#/paths/~1covers/query', []],
  [
    'a path that goes with a method of 3.2',
    (c) => delete c.paths['/q'],
    'query',
    '#/paths/~1q/query',
    [],
    (c) => (c.paths['/q'] = { query: {} }),
  ],
  [
    'another method',
    (c) => (c.paths['/covers'].additionalOperations = { COPY: {} }),
    'additionalOperations',
    '#/paths/~1covers/additionalOperations',
    [],
  ],
  [
    'links',
    (c) => (operation(c).responses[200].links = { next: { operationId: 'getBook' } }),
    'links',
    '#/paths/~1books/get/responses/200/links',
    ['listBooks'],
  ],
  ...['itemSchema', 'prefixEncoding', 'itemEncoding'].map((keyword): (typeof pairs)[number] => [
    keyword,
    (c) => (cover(c)[keyword] = {}),
    keyword,
    `#/paths/~1covers/post/requestBody/content/multipart~1form-data/${keyword}`,
    ['uploadCover'],
  ]),
  ['another address of the document', (c) => (c.$self = 'https://library.example/'), '$self', '#/$self', []],
  [
    'another dialect',
    (c) => (c.jsonSchemaDialect = 'https://x.example/'),
    'jsonSchemaDialect',
    '#/jsonSchemaDialect',
    [],
  ],
  ['a parent of a tag', (c) => (c.tags[0].parent = 'All'), 'parent', '#/tags/0/parent', []],
  ['a kind of a tag', (c) => (c.tags[0].kind = 'nav'), 'kind', '#/tags/0/kind', []],
  [
    'a flow of 3.2',
    (c) => (flows(c).deviceAuthorization = {}),
    'deviceAuthorization',
    '#/components/securitySchemes/oauth/flows/deviceAuthorization',
    ['uploadCover'],
  ],
  [
    'a query string as a whole',
    (c) => operation(c).parameters.push({ name: 'q', in: 'querystring', content: { 'text/plain': { schema: text } } }),
    'in',
    '#/paths/~1books/get/parameters/5/in',
    ['listBooks'],
  ],
];

for (const [title, edit, keyword, pointer, operations, prepare] of pairs) {
  test(`${title} is told as not judged`, () => {
    const { breaking, notJudged } = changed(edit, prepare);
    const found = notJudged.map((one) => ({ ...one, operations: one.operations.map(idOf) }));
    expect(found).toEqual([{ keyword, pointer, operations, document: expect.stringMatching(/base|head/) }]);
    expect(breaking).toEqual([]);
  });

  test(`${title} is not told when nothing changes`, () => {
    expect(copiedPair(edit, prepare)).toMatchObject({ breaking: [], compatible: [], notJudged: [] });
  });
}

function idOf(label: string): string {
  return /\((\w+)\)/.exec(label)![1]!;
}

/** Changes that need no judgement. */
const unnoticed: [title: string, edit: Edit, prepare?: Edit][] = [
  ['a summary of a response', (c) => (operation(c).responses[200].summary = 'Books')],
  ['an extension', (c) => (operation(c)['x-callbacks'] = {})],
  ['an extension of a schema', (c) => (book(c)['x-order'] = 1)],
  [
    'another description in a link',
    (c) => (operation(c).responses[200].links.next.description = 'On.'),
    (c) => (operation(c).responses[200].links = { next: { operationId: 'getBook' } }),
  ],
  ['a node of XML where nobody sends XML', (c) => (book(c).properties.isbn.xml = { name: 'isbn' })],
  ['a definition', (c) => (book(c).$defs = { One: { if: {} } })],
  [
    'a new operation with a callback',
    (c) => (c.paths['/new'] = { get: { operationId: 'getNew', callbacks: { on: {} }, responses: {} } }),
  ],
  ['a new property with a condition', (c) => (book(c).properties.year = { if: { const: 1 }, then: { maximum: 5 } })],
];

for (const [title, edit, prepare] of unnoticed)
  test(`${title} is not told as not judged`, () => {
    const { breaking, notJudged } = changed(edit, prepare);
    expect({ breaking, notJudged }).toEqual({ breaking: [], notJudged: [] });
  });
