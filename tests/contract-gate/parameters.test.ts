import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const list = (contract: any) => contract.paths['/books'].get;
const parameter = (contract: any, index: number) => list(contract).parameters[index];
const where = '#/paths/~1books/get/parameters';
const only = ['listBooks'];

expectBreaks([
  ['a removed parameter', (c) => list(c).parameters.splice(1, 1), 'parameter-removed', `${where}/1`, only],
  [
    'a removed parameter that was deprecated',
    (c) => list(c).parameters.splice(4, 1),
    'parameter-removed',
    `${where}/4`,
    only,
  ],
  ['a renamed query parameter', (c) => (parameter(c, 1).name = 'size'), 'parameter-removed', `${where}/1`, only],
  [
    'a new required parameter',
    (c) => list(c).parameters.push({ name: 'branch', in: 'query', required: true, schema: { type: 'string' } }),
    'parameter-became-required',
    `${where}/5`,
    only,
  ],
  [
    'a new required path-level parameter, for both operations',
    (c) =>
      c.paths['/books/{bookId}'].parameters.push({
        name: 'branch',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    'parameter-became-required',
    '#/paths/~1books~1{bookId}/parameters/1',
    ['getBook', 'replaceBook'],
  ],
  [
    'a parameter that becomes required',
    (c) => (parameter(c, 0).required = true),
    'parameter-became-required',
    `${where}/0/required`,
    only,
  ],
  [
    'a lower maximum',
    (c) => (parameter(c, 1).schema.maximum = 50),
    'schema-constraint-changed',
    `${where}/1/schema/maximum`,
    only,
  ],
  [
    'a higher minimum',
    (c) => (parameter(c, 1).schema.minimum = 2),
    'schema-constraint-changed',
    `${where}/1/schema/minimum`,
    only,
  ],
  [
    'a minimum that becomes exclusive',
    (c) => {
      const { schema } = parameter(c, 1);
      delete schema.minimum;
      schema.exclusiveMinimum = 1;
    },
    'schema-constraint-changed',
    `${where}/1/schema/minimum`,
    only,
    (c) => (parameter(c, 1).schema.type = 'number'),
  ],
  [
    'another default',
    (c) => (parameter(c, 1).schema.default = 50),
    'default-changed',
    `${where}/1/schema/default`,
    only,
  ],
  [
    'a removed default',
    (c) => delete parameter(c, 1).schema.default,
    'default-removed',
    `${where}/1/schema/default`,
    only,
  ],
  [
    'a default that becomes null',
    (c) => (parameter(c, 1).schema.default = null),
    'default-changed',
    `${where}/1/schema/default`,
    only,
  ],
  [
    'explode switched off',
    (c) => (parameter(c, 2).explode = false),
    'parameter-serialization-changed',
    `${where}/2/explode`,
    only,
  ],
  [
    'another style',
    (c) => (parameter(c, 2).style = 'pipeDelimited'),
    'parameter-serialization-changed',
    `${where}/2/style`,
    only,
    (c) => (parameter(c, 2).explode = true),
  ],
  [
    'a new format',
    (c) => (parameter(c, 2).schema.items.format = 'uuid'),
    'schema-constraint-changed',
    `${where}/2/schema/items/format`,
    only,
  ],
  [
    'a new pattern',
    (c) => (parameter(c, 3).schema.pattern = '^a'),
    'schema-constraint-changed',
    `${where}/3/schema/pattern`,
    only,
  ],
  [
    'a removed alternative of a pattern',
    (c) => (parameter(c, 3).schema.pattern = '^a'),
    'schema-constraint-changed',
    `${where}/3/schema/pattern`,
    only,
    (c) => (parameter(c, 3).schema.pattern = '^a|^b'),
  ],
  [
    'a number that becomes an integer',
    (c) => (parameter(c, 1).schema.type = 'integer'),
    'schema-type-changed',
    `${where}/1/schema/type`,
    only,
    (c) => (parameter(c, 1).schema.type = 'number'),
  ],
  [
    'a renamed path parameter, for SDK users',
    (c) => {
      const item = c.paths['/books/{bookId}'];
      delete c.paths['/books/{bookId}'];
      item.parameters[0].name = 'id';
      c.paths['/books/{id}'] = item;
    },
    'path-parameter-renamed',
    '#/paths/~1books~1{id}',
    ['getBook', 'replaceBook'],
  ],
]);

expectNoBreak([
  [
    'an additional alternative of a pattern',
    (c) => (parameter(c, 3).schema.pattern = '^a|^b'),
    (c) => (parameter(c, 3).schema.pattern = '^a'),
  ],
  [
    'a new optional parameter',
    (c) => list(c).parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } }),
  ],
  ['another order of parameters', (c) => list(c).parameters.reverse()],
  [
    'a parameter moved from the path to its operations',
    (c) => {
      const item = c.paths['/books/{bookId}'];
      for (const method of ['get', 'put']) item[method].parameters = structuredClone(item.parameters);
      delete item.parameters;
    },
  ],
  [
    'a parameter that becomes a component',
    (c) => {
      c.components.parameters = { Limit: parameter(c, 1) };
      list(c).parameters[1] = { $ref: '#/components/parameters/Limit' };
    },
  ],
  ['an explicit explode', (c) => (parameter(c, 2).explode = true)],
  ['an explicit style', (c) => (parameter(c, 2).style = 'form')],
  ['an explicit required: false', (c) => (parameter(c, 0).required = false)],
  [
    'a parameter that becomes optional',
    (c) => (parameter(c, 0).required = false),
    (c) => (parameter(c, 0).required = true),
  ],
  ['a wider range', (c) => Object.assign(parameter(c, 1).schema, { minimum: 0, maximum: 1000 })],
  ['a removed maximum', (c) => delete parameter(c, 1).schema.maximum],
  ['an integer that becomes a number', (c) => (parameter(c, 1).schema.type = 'number')],
  [
    '> 0 in place of >= 1 for integers',
    (c) => {
      const { schema } = parameter(c, 1);
      delete schema.minimum;
      schema.exclusiveMinimum = 0;
    },
  ],
  [
    '> 0 in place of >= 1 for numbers',
    (c) => {
      const { schema } = parameter(c, 1);
      delete schema.minimum;
      schema.exclusiveMinimum = 0;
    },
    (c) => (parameter(c, 1).schema.type = 'number'),
  ],
  ['another case of a header', (c) => (parameter(c, 3).name = 'x-trace')],
  ['a deprecated parameter', (c) => Object.assign(parameter(c, 3), { deprecated: true })],
  [
    'a withdrawn deprecation',
    (c) => {
      delete parameter(c, 4).deprecated;
      delete parameter(c, 4)['x-deprecation'];
    },
  ],
  ['a long new description', (c) => (parameter(c, 0).description = 'Only books of this genre. '.repeat(40))],
  ['another example', (c) => (parameter(c, 0).example = 'novel')],
]);
