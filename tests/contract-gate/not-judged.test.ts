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

/** A changed keyword with its location and operations. */
const pairs: [title: string, edit: Edit, keyword: string, pointer: string, operations: string[], prepare?: Edit][] = [
  [
    'patternProperties',
    (c) => (book(c).patternProperties = { '^x': text }),
    'patternProperties',
    `${where}/patternProperties`,
    own,
  ],
  ['a condition', (c) => (book(c).if = { required: ['isbn'] }), 'if', `${where}/if`, own],
  ['an unknown keyword', (c) => (book(c).maxWords = 5), 'maxWords', `${where}/maxWords`, own],
  [
    'a removed unknown keyword',
    (c) => delete book(c).maxWords,
    'maxWords',
    `${where}/maxWords`,
    own,
    (c) => (book(c).maxWords = 5),
  ],
  [
    'another negated schema',
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
    'a possible target of a dynamic reference',
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
    'a default mapping of a discriminator',
    (c) => (book(c).properties.isbn.discriminator.defaultMapping = 'Cat'),
    'defaultMapping',
    `${where}/properties/isbn/discriminator/defaultMapping`,
    own,
    pets,
  ],
  [
    'an XML node type',
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
    'a schema used only by a callback',
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
  ['a method of OpenAPI 3.2', (c) => (c.paths['/covers'].query = {}), 'query', '#/paths/~1covers/query', []],
  [
    'a removed path with a method of OpenAPI 3.2',
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
  ['another URL of the document', (c) => (c.$self = 'https://library.example/'), '$self', '#/$self', []],
  [
    'another dialect',
    (c) => (c.jsonSchemaDialect = 'https://x.example/'),
    'jsonSchemaDialect',
    '#/jsonSchemaDialect',
    [],
  ],
  ['a parent tag', (c) => (c.tags[0].parent = 'All'), 'parent', '#/tags/0/parent', []],
  ['a tag kind', (c) => (c.tags[0].kind = 'nav'), 'kind', '#/tags/0/kind', []],
  [
    'a flow of OpenAPI 3.2',
    (c) => (flows(c).deviceAuthorization = {}),
    'deviceAuthorization',
    '#/components/securitySchemes/oauth/flows/deviceAuthorization',
    ['uploadCover'],
  ],
  [
    'a whole query string as a parameter',
    (c) => operation(c).parameters.push({ name: 'q', in: 'querystring', content: { 'text/plain': { schema: text } } }),
    'in',
    '#/paths/~1books/get/parameters/5/in',
    ['listBooks'],
  ],
];

for (const [title, edit, keyword, pointer, operations, prepare] of pairs) {
  test(`${title} is reported as not judged`, () => {
    const { breaking, notJudged } = changed(edit, prepare);
    const found = notJudged.map((one) => ({ ...one, operations: one.operations.map(idOf) }));
    expect(found).toEqual([{ keyword, pointer, operations, document: expect.stringMatching(/base|head/) }]);
    expect(breaking).toEqual([]);
  });

  test(`${title} is not reported if it is unchanged`, () => {
    expect(copiedPair(edit, prepare)).toMatchObject({ breaking: [], compatible: [], notJudged: [] });
  });
}

function idOf(label: string): string {
  return /\((\w+)\)/.exec(label)![1]!;
}

/** Changes that need no judgement. */
const unnoticed: [title: string, edit: Edit, prepare?: Edit][] = [
  ['a response summary', (c) => (operation(c).responses[200].summary = 'Books')],
  ['an extension', (c) => (operation(c)['x-callbacks'] = {})],
  ['a schema extension', (c) => (book(c)['x-order'] = 1)],
  [
    'another description of a link',
    (c) => (operation(c).responses[200].links.next.description = 'On.'),
    (c) => (operation(c).responses[200].links = { next: { operationId: 'getBook' } }),
  ],
  ['an XML name without XML content', (c) => (book(c).properties.isbn.xml = { name: 'isbn' })],
  ['an unused definition', (c) => (book(c).$defs = { One: { if: {} } })],
  [
    'a new operation with a callback',
    (c) => (c.paths['/new'] = { get: { operationId: 'getNew', callbacks: { on: {} }, responses: {} } }),
  ],
  ['a new property with a condition', (c) => (book(c).properties.year = { if: { const: 1 }, then: { maximum: 5 } })],
];

for (const [title, edit, prepare] of unnoticed)
  test(`${title} is not reported as not judged`, () => {
    const { breaking, notJudged } = changed(edit, prepare);
    expect({ breaking, notJudged }).toEqual({ breaking: [], notJudged: [] });
  });
