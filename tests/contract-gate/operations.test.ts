import { type Breaking, changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any, path = '/books', method = 'get') => contract.paths[path][method];
const where = '#/paths/~1books/get';
const everyone = ['createBook', 'getBook', 'listBooks', 'listShelves', 'replaceBook', 'updateShelf'];

expectBreaks([
  ['another tag', (c) => (operation(c).tags = ['Lists']), 'tag-changed', `${where}/tags`, ['listBooks']],
  ['another first tag', (c) => operation(c).tags.unshift('Lists'), 'tag-changed', `${where}/tags`, ['listBooks']],
  [
    'a removed tag of several',
    (c) => operation(c).tags.pop(),
    'tag-changed',
    `${where}/tags`,
    ['listBooks'],
    (c) => operation(c).tags.push('Lists'),
  ],
  [
    'a first tag',
    (c) => (operation(c, '/shelves').tags = ['Shelves']),
    'tag-changed',
    '#/paths/~1shelves/get/tags',
    ['listShelves'],
  ],

  [
    'a removed operation',
    (c) => delete c.paths['/shelves'].patch,
    'operation-removed',
    '#/paths/~1shelves/patch',
    ['updateShelf'],
  ],
  ['a removed path', (c) => delete c.paths['/health'], 'operation-removed', '#/paths/~1health/get', ['getHealth']],
  [
    'a moved operation',
    (c) => {
      c.paths['/alive'] = c.paths['/health'];
      delete c.paths['/health'];
    },
    'operation-removed',
    '#/paths/~1health/get',
    ['getHealth'],
  ],
  [
    'another method',
    (c) => {
      c.paths['/covers'].put = c.paths['/covers'].post;
      delete c.paths['/covers'].post;
    },
    'operation-removed',
    '#/paths/~1covers/post',
    ['uploadCover'],
  ],
  [
    'another operationId',
    (c) => (operation(c).operationId = 'findBooks'),
    'operation-id-changed',
    `${where}/operationId`,
    ['findBooks'],
  ],
  ['another server', (c) => (c.servers[0].url = '/v2'), 'server-removed', '#/servers/0/url', []],
  [
    'a newly required key',
    (c) => delete operation(c, '/health').security,
    'security-requirement-changed',
    '#/paths/~1health/get',
    ['getHealth'],
  ],
  [
    'a removed alternative of authentication',
    (c) => operation(c, '/covers', 'post').security.pop(),
    'security-requirement-changed',
    '#/paths/~1covers/post/security/1',
    ['uploadCover'],
  ],
  [
    'an additional scope',
    (c) => operation(c, '/covers', 'post').security[1].oauth.push('all'),
    'security-requirement-changed',
    '#/paths/~1covers/post/security/1/oauth',
    ['uploadCover'],
  ],
  [
    'a second credential in addition to the first',
    (c) => (operation(c, '/covers', 'post').security[0].oauth = []),
    'security-requirement-changed',
    '#/paths/~1covers/post/security/0',
    ['uploadCover'],
  ],
  [
    'authentication that becomes mandatory',
    (c) => operation(c).security.pop(),
    'security-requirement-changed',
    `${where}/security/1`,
    ['listBooks'],
    (c) => (operation(c).security = [{ key: [] }, {}]),
  ],
  [
    'another scheme',
    (c) => (c.components.securitySchemes.key.scheme = 'basic'),
    'security-scheme-changed',
    '#/components/securitySchemes/key/scheme',
    [...everyone, 'uploadCover'],
  ],
  [
    'a renamed schema',
    (c) => rename(c, 'Author', 'Writer'),
    'schema-renamed',
    '#/components/schemas/Author',
    ['createBook', 'getBook', 'listBooks', 'replaceBook'],
  ],
  [
    'an inlined schema',
    (c) => {
      c.components.schemas.Book.properties.lending = c.components.schemas.Lending;
      delete c.components.schemas.Lending;
    },
    'schema-removed',
    '#/components/schemas/Lending',
    ['createBook', 'getBook', 'listBooks', 'replaceBook'],
  ],
]);

expectBreaks([
  ...[
    [{ scheme: 'basic' }, 'another name and another meaning'] as const,
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, 'the name and the meaning of an unused one'] as const,
  ].flatMap(([definition, title]): Breaking[] => {
    const edit = (c: any) => Object.assign(renameScheme(c, 'key', 'tenantKey'), definition);
    const rule = 'security-requirement-changed';
    return [
      [`a scheme with ${title}`, edit, rule, '#/security/0', everyone],
      [`a scheme with ${title}`, edit, rule, '#/paths/~1covers/post/security/0', ['uploadCover']],
    ];
  }),
  [
    'a scheme whose name another scheme takes over',
    (c) => renameScheme(c, 'oauth', 'key'),
    'security-scheme-changed',
    '#/components/securitySchemes/key/type',
    [...everyone, 'uploadCover'],
    (c) => (operation(c, '/covers', 'post').security = [{ key: [] }]),
  ],
]);

test('a renamed scheme is reported once, as a compatible change', () => {
  const { compatible } = changed((c) => renameScheme(c, 'key', 'tenantKey'));
  expect(compatible).toMatchObject([
    {
      rule: 'changed',
      what: 'Security scheme `key` was renamed to `tenantKey`.',
      pointer: '#/components/securitySchemes/tenantKey',
    },
  ]);
});

expectNoBreak([
  [
    'a new operation',
    (c) => (c.paths['/health'].head = { operationId: 'headHealth', responses: { 200: { description: '' } } }),
  ],
  [
    'a new path',
    (c) => (c.paths['/readers'] = { get: { operationId: 'listReaders', responses: { 200: { description: '' } } } }),
  ],
  ['an additional alternative of authentication', (c) => (operation(c).security = [{ key: [] }, { oauth: [] }])],
  ['an explicit security requirement', (c) => (operation(c).security = [{ key: [] }])],
  ['another order of alternatives', (c) => operation(c, '/covers', 'post').security.reverse()],
  ['authentication that is no longer required', (c) => (operation(c).security = [])],
  ['a scope that is no longer required', (c) => (operation(c, '/covers', 'post').security[1].oauth = [])],
  ['a renamed scheme', (c) => renameScheme(c, 'key', 'tenantKey')],
  [
    'a renamed and redescribed scheme',
    (c) => Object.assign(renameScheme(c, 'key', 'tenantKey'), { description: 'A key.', bearerFormat: 'text' }),
  ],
  ['a renamed scheme with scopes', (c) => renameScheme(c, 'oauth', 'tokens')],
  ['a removed unused scheme', (c) => delete c.components.securitySchemes.unused],
  ['a second server', (c) => c.servers.push({ url: 'https://library.example/v1' })],
  ['a second tag', (c) => operation(c).tags.push('Lists')],
  ['another description of a tag', (c) => (c.tags[0].description = 'All of them.')],
  [
    'changed wording',
    (c) => {
      operation(c).summary = 'All books';
      c.info.description = 'Books and shelves.';
      c.components.schemas.Book.title = 'A book';
    },
  ],
  ['another example', (c) => (c.components.schemas.Author.properties.name.examples = ['Ada'])],
  [
    'a deprecated operation',
    (c) =>
      Object.assign(operation(c), {
        deprecated: true,
        'x-deprecation': { since: '2026-11-01', sunset: '2027-05-01', use: 'nothing' },
      }),
  ],
  ['a removed unused schema', (c) => delete c.components.schemas.Unused],
  ['a new schema', (c) => (c.components.schemas.Reader = { type: 'object' })],
  [
    'a newly named schema',
    (c) => {
      c.components.schemas.Kind = c.components.schemas.Shelf.properties.kind;
      c.components.schemas.Shelf.properties.kind = { $ref: '#/components/schemas/Kind' };
    },
  ],
  ['another version', (c) => (c.info.version = '1.4.1')],
  ['another extension', (c) => (operation(c)['x-code-samples'] = [])],
]);

test('a change that operations inherit is reported once, for all of them', () => {
  const { breaking } = changed((c) => (c.security = [{ oauth: ['all'] }]));
  expect(breaking).toMatchObject([{ rule: 'security-requirement-changed', pointer: '#/security/0' }]);
  expect(breaking[0]!.operations.map((one) => /\((\w+)\)/.exec(one)![1]).toSorted()).toEqual(everyone);
});

test('a moved operation is reported with its new path', () => {
  const { breaking } = changed((c) => {
    c.paths['/alive'] = c.paths['/health'];
    delete c.paths['/health'];
  });
  expect(breaking[0]!.what).toBe('The operation moved to GET /alive.');
});

function rename(contract: any, name: string, other: string): void {
  const renamed = JSON.stringify(contract).replaceAll(
    `#/components/schemas/${name}"`,
    `#/components/schemas/${other}"`,
  );
  Object.assign(contract, JSON.parse(renamed));
  contract.components.schemas[other] = contract.components.schemas[name];
  delete contract.components.schemas[name];
}

/** Renames a security scheme and its requirements. */
function renameScheme(contract: any, from: string, to: string) {
  const { securitySchemes } = contract.components;
  securitySchemes[to] = securitySchemes[from];
  delete securitySchemes[from];
  const holders = [contract, ...Object.values<any>(contract.paths).flatMap((item) => Object.values<any>(item))];
  for (const requirement of holders.flatMap(({ security }) => security ?? []))
    if (from in requirement) {
      requirement[to] = requirement[from];
      delete requirement[from];
    }
  return securitySchemes[to];
}
