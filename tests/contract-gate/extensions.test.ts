import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any, path: string) => contract.paths[path].get;
const deprecation = (contract: any) => operation(contract, '/books').parameters[4]['x-deprecation'];

expectBreaks([
  [
    'an operation with fewer account kinds',
    (c) => operation(c, '/shelves')['x-account-kinds'].pop(),
    'account-kinds-narrowed',
    '#/paths/~1shelves/get/x-account-kinds',
    ['listShelves'],
  ],
  [
    'an operation that becomes restricted to account kinds',
    (c) => (operation(c, '/books')['x-account-kinds'] = ['msp']),
    'account-kinds-narrowed',
    '#/paths/~1books/get/x-account-kinds',
    ['listBooks'],
  ],
  [
    'another scope',
    (c) => (operation(c, '/books')['x-scope'] = 'books:write'),
    'scope-changed',
    '#/paths/~1books/get/x-scope',
    ['listBooks'],
    (c) => (operation(c, '/books')['x-scope'] = 'books:read'),
  ],
  [
    'a newly required module',
    (c) => (operation(c, '/books')['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1books/get/x-module',
    ['listBooks'],
  ],
  [
    'another required module',
    (c) => (operation(c, '/shelves')['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1shelves/get/x-module',
    ['listShelves'],
  ],
  [
    'a parameter with a newly required module',
    (c) => (operation(c, '/books').parameters[1]['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1books/get/parameters/1/x-module',
    ['listBooks'],
  ],
  [
    'an earlier sunset',
    (c) => (deprecation(c).sunset = '2026-03-01'),
    'sunset-brought-forward',
    '#/paths/~1books/get/parameters/4/x-deprecation/sunset',
    ['listBooks'],
  ],
]);

expectNoBreak([
  ['an operation with more account kinds', (c) => operation(c, '/shelves')['x-account-kinds'].push('tenant')],
  ['another order of account kinds', (c) => operation(c, '/shelves')['x-account-kinds'].reverse()],
  ['an operation without restriction of account kinds', (c) => delete operation(c, '/shelves')['x-account-kinds']],
  ['a scope that was not declared before', (c) => (operation(c, '/books')['x-scope'] = 'books:read')],
  ['a module that is no longer required', (c) => delete operation(c, '/shelves')['x-module']],
  [
    'a new parameter that requires a module',
    (c) =>
      operation(c, '/books').parameters.unshift({
        name: 'shelfId',
        in: 'query',
        'x-module': 'shelves',
        schema: { type: 'string' },
      }),
  ],
  [
    'a parameter that no longer requires a module',
    (c) => delete operation(c, '/books').parameters[1]['x-module'],
    (c) => (operation(c, '/books').parameters[1]['x-module'] = 'books'),
  ],
  ['a later sunset', (c) => (deprecation(c).sunset = '2027-01-01')],
  [
    'a deprecated property',
    (c) =>
      Object.assign(c.components.schemas.Book.properties.pages, {
        deprecated: true,
        'x-deprecation': { since: '2026-11-01', sunset: '2027-05-01', use: 'nothing' },
      }),
  ],
]);
