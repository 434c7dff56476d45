import { changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any) => contract.paths['/books'].get;
const body = (contract: any) => contract.paths['/books'].post.requestBody;
const answers = (contract: any) => operation(contract).responses;
const cover = (contract: any) => contract.paths['/covers'].post.requestBody.content['multipart/form-data'];
const coverWhere = '#/paths/~1covers/post/requestBody/content/multipart~1form-data';
const flow = (contract: any) => contract.components.securitySchemes.oauth.flows.clientCredentials;
const flowWhere = '#/components/securitySchemes/oauth/flows/clientCredentials';
const text = () => ({ type: 'string' });

/** Declares a server in one of two regions. */
const regions = (contract: any) => {
  const variables = { region: { enum: ['eu', 'us'], default: 'eu' }, port: { default: '443' } };
  contract.servers = [{ url: 'https://{region}.example:{port}', variables }];
};
const variables = (contract: any) => contract.servers[0].variables;

/** Adds a list of tags and an object of facts to the form of covers. */
const parts = (contract: any) => {
  cover(contract).schema.properties.tags = { type: 'array', items: text() };
  cover(contract).schema.properties.facts = { type: 'object' };
};

expectBreaks([
  [
    'a removed value of a server variable',
    (c) => variables(c).region.enum.pop(),
    'server-variable-changed',
    '#/servers/0/variables/region/enum',
    [],
    regions,
  ],
  [
    'an enum for a server variable without one',
    (c) => (variables(c).port.enum = ['443']),
    'server-variable-changed',
    '#/servers/0/variables/port/enum',
    [],
    regions,
  ],
  [
    'another default of a server variable',
    (c) => (variables(c).region.default = 'us'),
    'server-variable-changed',
    '#/servers/0/variables/region/default',
    [],
    regions,
  ],
  [
    'a removed server variable',
    (c) => delete variables(c).port,
    'server-variable-changed',
    '#/servers/0/variables/port',
    [],
    regions,
  ],
  [
    'a removed OAuth flow',
    (c) => delete c.components.securitySchemes.oauth.flows.clientCredentials,
    'oauth-flow-removed',
    flowWhere,
    ['uploadCover'],
  ],
  [
    'another token URL',
    (c) => (flow(c).tokenUrl = 'https://id.example/v2/token'),
    'oauth-url-changed',
    `${flowWhere}/tokenUrl`,
    ['uploadCover'],
  ],
  [
    'a removed OAuth scope',
    (c) => delete flow(c).scopes.all,
    'oauth-scope-removed',
    `${flowWhere}/scopes/all`,
    ['uploadCover'],
  ],
  [
    'another encoding of a request text',
    (c) => (c.components.schemas.NewBook.properties.isbn.contentEncoding = 'base64'),
    'content-encoding-changed',
    '#/components/schemas/NewBook/properties/isbn/contentEncoding',
    ['createBook'],
  ],
  [
    'another encoding of a response text',
    (c) => delete c.components.schemas.Shelf.properties.name.contentEncoding,
    'content-encoding-changed',
    '#/components/schemas/Shelf/properties/name/contentEncoding',
    ['listShelves', 'updateShelf'],
    (c) => (c.components.schemas.Shelf.properties.name.contentEncoding = 'base64'),
  ],
  [
    'another content type of a text',
    (c) => (c.components.schemas.NewBook.properties.isbn.contentMediaType = 'text/html'),
    'content-encoding-changed',
    '#/components/schemas/NewBook/properties/isbn/contentMediaType',
    ['createBook'],
  ],
  [
    'another style of a form part',
    (c) => (cover(c).encoding.tags = { style: 'pipeDelimited' }),
    'part-serialization-changed',
    coverWhere,
    ['uploadCover'],
    parts,
  ],
  [
    'a style for a form part that was JSON',
    (c) => (cover(c).encoding.facts = { style: 'deepObject' }),
    'part-serialization-changed',
    coverWhere,
    ['uploadCover'],
    parts,
  ],
  [
    'a required header of a form part',
    (c) => (cover(c).encoding.file.headers = { 'X-Width': { required: true, schema: text() } }),
    'part-header-became-required',
    `${coverWhere}/encoding/file/headers/X-Width`,
    ['uploadCover'],
  ],
  [
    'a media type range that becomes a single type',
    (c) => (body(c).content = { 'application/json': body(c).content['application/*'] }),
    'media-type-removed',
    '#/paths/~1books/post/requestBody/content/application~1*',
    ['createBook'],
    (c) => (body(c).content = { 'application/*': body(c).content['application/json'] }),
  ],
  [
    'a response of any content type',
    (c) => (answers(c)[200].content = { '*/*': answers(c)[200].content['application/json'] }),
    'media-type-removed',
    '#/paths/~1books/get/responses/200/content/application~1json',
    ['listBooks'],
  ],
  [
    'a narrower schema of a media type range',
    (c) => {
      body(c).content = { '*/*': { schema: { ...c.components.schemas.NewBook, required: ['title', 'isbn'] } } };
    },
    'required-properties-added',
    '#/paths/~1books/post/requestBody/content/*~1*/schema/required',
    ['createBook'],
    (c) => delete body(c).content['text/csv'],
  ],
  [
    'reserved characters that are no longer allowed',
    (c) => (operation(c).parameters[1].allowReserved = false),
    'parameter-serialization-changed',
    '#/paths/~1books/get/parameters/1/allowReserved',
    ['listBooks'],
    (c) => (operation(c).parameters[1].allowReserved = true),
  ],
]);

expectNoBreak([
  ['an additional value of a server variable', (c) => variables(c).region.enum.push('ap'), regions],
  ['a server variable that accepts any value', (c) => delete variables(c).region.enum, regions],
  ['an implicit default server', (c) => delete c.servers, (c) => (c.servers = [{ url: '/' }])],
  ['an additional OAuth scope', (c) => (flow(c).scopes.one = 'One')],
  ['another description of a scope', (c) => (flow(c).scopes.all = 'Everything')],
  [
    'an additional OAuth flow',
    (c) => (c.components.securitySchemes.oauth.flows.password = { tokenUrl: 'https://id.example', scopes: {} }),
  ],
  ['an explicit refresh URL equal to the token URL', (c) => (flow(c).refreshUrl = flow(c).tokenUrl)],
  ['another case of a scheme', (c) => (c.components.securitySchemes.key.scheme = 'Bearer')],
  ['the default style of a form part', (c) => (cover(c).encoding.tags = { style: 'form', explode: true }), parts],
  ['an optional header of a form part', (c) => (cover(c).encoding.file.headers = { 'X-Width': { schema: text() } })],
  [
    'any content type in place of one',
    (c) => (body(c).content['*/*'] = body(c).content['application/json']) && delete body(c).content['application/json'],
  ],
  [
    'a media type range in place of one type',
    (c) =>
      (body(c).content['application/*'] = body(c).content['application/json']) &&
      delete body(c).content['application/json'],
  ],
  [
    'one content type of a response in place of a range',
    (c) => (answers(c)[200].content = { 'application/json': answers(c)[200].content['*/*'] }),
    (c) => (answers(c)[200].content = { '*/*': answers(c)[200].content['application/json'] }),
  ],
  [
    'a range in place of an error status',
    (c) => {
      answers(c)['4XX'] = answers(c)[400];
      delete answers(c)[400];
    },
  ],
  ['an error status covered by default', (c) => delete answers(c)[400]],
  [
    'another case of a status range',
    (c) => {
      answers(c)['5xx'] = answers(c)['5XX'];
      delete answers(c)['5XX'];
    },
    (c) => (answers(c)['5XX'] = answers(c).default),
  ],
  ['explode of a single value', (c) => (operation(c).parameters[1].explode = false)],
  ['newly allowed reserved characters', (c) => (operation(c).parameters[1].allowReserved = true)],
  [
    'a removed header that is a credential',
    (c) => operation(c).parameters.pop(),
    (c) => operation(c).parameters.push({ name: 'Authorization', in: 'header', required: true, schema: text() }),
  ],
  [
    'a finer step of a decimal fraction',
    (c) => (c.components.schemas.ShelfUpdate.properties.rows.items.multipleOf = 0.01),
    (c) => (c.components.schemas.ShelfUpdate.properties.rows.items.multipleOf = 0.1),
  ],
  [
    'a wider format of a request number',
    (c) => (c.components.schemas.NewBook.properties.copies.format = 'int64'),
    (c) => (c.components.schemas.NewBook.properties.copies.format = 'int32'),
  ],
]);

test('SDK breaks name their policy, which can be turned off', () => {
  const edit = (c: any) => {
    operation(c).operationId = 'findBooks';
    operation(c).tags = ['Lists'];
    operation(c).parameters.splice(1, 1);
  };
  const found = (sdkPolicy?: boolean) =>
    changed(edit, undefined, { sdkPolicy }).breaking.map(({ rule, policy }) => ({ rule, policy }));
  const removed = { rule: 'parameter-removed', policy: null };
  const names = ['operation-id-changed', 'tag-changed'].map((rule) => ({ rule, policy: 'sdk' }));
  expect(found()).toEqual(expect.arrayContaining([removed, ...names]));
  expect(found(false)).toEqual([removed]);
});
