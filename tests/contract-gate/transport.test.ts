import { changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any) => contract.paths['/books'].get;
const body = (contract: any) => contract.paths['/books'].post.requestBody;
const answers = (contract: any) => operation(contract).responses;
const cover = (contract: any) => contract.paths['/covers'].post.requestBody.content['multipart/form-data'];
const coverWhere = '#/paths/~1covers/post/requestBody/content/multipart~1form-data';
const flow = (contract: any) => contract.components.securitySchemes.oauth.flows.clientCredentials;
const flowWhere = '#/components/securitySchemes/oauth/flows/clientCredentials';
const text = () => ({ type: 'string' });

/** A server in one of two regions. */
const regions = (contract: any) => {
  const variables = { region: { enum: ['eu', 'us'], default: 'eu' }, port: { default: '443' } };
  contract.servers = [{ url: 'https://{region}.example:{port}', variables }];
};
const variables = (contract: any) => contract.servers[0].variables;

/** Covers with a list of tags and an object of facts. */
const parts = (contract: any) => {
  cover(contract).schema.properties.tags = { type: 'array', items: text() };
  cover(contract).schema.properties.facts = { type: 'object' };
};

expectBreaks([
  [
    'a value of a server variable that goes',
    (c) => variables(c).region.enum.pop(),
    'server-variable-changed',
    '#/servers/0/variables/region/enum',
    [],
    regions,
  ],
  [
    'values of a server variable that took any',
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
    'a server variable that goes',
    (c) => delete variables(c).port,
    'server-variable-changed',
    '#/servers/0/variables/port',
    [],
    regions,
  ],
  [
    'a flow that goes',
    (c) => delete c.components.securitySchemes.oauth.flows.clientCredentials,
    'oauth-flow-removed',
    flowWhere,
    ['uploadCover'],
  ],
  [
    'another address of tokens',
    (c) => (flow(c).tokenUrl = 'https://id.example/v2/token'),
    'oauth-url-changed',
    `${flowWhere}/tokenUrl`,
    ['uploadCover'],
  ],
  [
    'a scope that goes',
    (c) => delete flow(c).scopes.all,
    'oauth-scope-removed',
    `${flowWhere}/scopes/all`,
    ['uploadCover'],
  ],
  [
    'another encoding of a text to send',
    (c) => (c.components.schemas.NewBook.properties.isbn.contentEncoding = 'base64'),
    'content-encoding-changed',
    '#/components/schemas/NewBook/properties/isbn/contentEncoding',
    ['createBook'],
  ],
  [
    'another encoding of a text to read',
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
    'another style of a part',
    (c) => (cover(c).encoding.tags = { style: 'pipeDelimited' }),
    'part-serialization-changed',
    coverWhere,
    ['uploadCover'],
    parts,
  ],
  [
    'a style of a part that was JSON',
    (c) => (cover(c).encoding.facts = { style: 'deepObject' }),
    'part-serialization-changed',
    coverWhere,
    ['uploadCover'],
    parts,
  ],
  [
    'a header that a part needs',
    (c) => (cover(c).encoding.file.headers = { 'X-Width': { required: true, schema: text() } }),
    'part-header-became-required',
    `${coverWhere}/encoding/file/headers/X-Width`,
    ['uploadCover'],
  ],
  [
    'a range of content types that becomes one',
    (c) => (body(c).content = { 'application/json': body(c).content['application/*'] }),
    'media-type-removed',
    '#/paths/~1books/post/requestBody/content/application~1*',
    ['createBook'],
    (c) => (body(c).content = { 'application/*': body(c).content['application/json'] }),
  ],
  [
    'an answer of any content type',
    (c) => (answers(c)[200].content = { '*/*': answers(c)[200].content['application/json'] }),
    'media-type-removed',
    '#/paths/~1books/get/responses/200/content/application~1json',
    ['listBooks'],
  ],
  [
    'a narrower schema behind a range of content types',
    (c) => {
      body(c).content = { '*/*': { schema: { ...c.components.schemas.NewBook, required: ['title', 'isbn'] } } };
    },
    'required-properties-added',
    '#/paths/~1books/post/requestBody/content/*~1*/schema/required',
    ['createBook'],
    (c) => delete body(c).content['text/csv'],
  ],
  [
    'a reserved character that is no longer allowed',
    (c) => (operation(c).parameters[1].allowReserved = false),
    'parameter-serialization-changed',
    '#/paths/~1books/get/parameters/1/allowReserved',
    ['listBooks'],
    (c) => (operation(c).parameters[1].allowReserved = true),
  ],
]);

expectNoBreak([
  ['a value of a server variable more', (c) => variables(c).region.enum.push('ap'), regions],
  ['a server variable that takes any value', (c) => delete variables(c).region.enum, regions],
  ['the server that is meant without any', (c) => delete c.servers, (c) => (c.servers = [{ url: '/' }])],
  ['a scope more', (c) => (flow(c).scopes.one = 'One')],
  ['another description of a scope', (c) => (flow(c).scopes.all = 'Everything')],
  [
    'a flow more',
    (c) => (c.components.securitySchemes.oauth.flows.password = { tokenUrl: 'https://id.example', scopes: {} }),
  ],
  ['the address of tokens for refreshes', (c) => (flow(c).refreshUrl = flow(c).tokenUrl)],
  ['a scheme in other letters', (c) => (c.components.securitySchemes.key.scheme = 'Bearer')],
  ['a style of a part that is the default', (c) => (cover(c).encoding.tags = { style: 'form', explode: true }), parts],
  ['an optional header of a part', (c) => (cover(c).encoding.file.headers = { 'X-Width': { schema: text() } })],
  [
    'any content type in place of one',
    (c) => (body(c).content['*/*'] = body(c).content['application/json']) && delete body(c).content['application/json'],
  ],
  [
    'a range of content types in place of one',
    (c) =>
      (body(c).content['application/*'] = body(c).content['application/json']) &&
      delete body(c).content['application/json'],
  ],
  [
    'one content type of an answer in place of a range',
    (c) => (answers(c)[200].content = { 'application/json': answers(c)[200].content['*/*'] }),
    (c) => (answers(c)[200].content = { '*/*': answers(c)[200].content['application/json'] }),
  ],
  [
    'a status of a failure in its range',
    (c) => {
      answers(c)['4XX'] = answers(c)[400];
      delete answers(c)[400];
    },
  ],
  ['a status of a failure that is among the others', (c) => delete answers(c)[400]],
  [
    'a range of statuses in other letters',
    (c) => {
      answers(c)['5xx'] = answers(c)['5XX'];
      delete answers(c)['5XX'];
    },
    (c) => (answers(c)['5XX'] = answers(c).default),
  ],
  ['explode of one value', (c) => (operation(c).parameters[1].explode = false)],
  ['reserved characters that are allowed', (c) => (operation(c).parameters[1].allowReserved = true)],
  [
    'a header that is described as a credential',
    (c) => operation(c).parameters.pop(),
    (c) => operation(c).parameters.push({ name: 'Authorization', in: 'header', required: true, schema: text() }),
  ],
  [
    'a finer step of a decimal fraction',
    (c) => (c.components.schemas.ShelfUpdate.properties.rows.items.multipleOf = 0.01),
    (c) => (c.components.schemas.ShelfUpdate.properties.rows.items.multipleOf = 0.1),
  ],
  [
    'a wider format of a number to send',
    (c) => (c.components.schemas.NewBook.properties.copies.format = 'int64'),
    (c) => (c.components.schemas.NewBook.properties.copies.format = 'int32'),
  ],
]);

test('the policy about SDKs is named, and can be turned off', () => {
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
