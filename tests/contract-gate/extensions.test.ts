import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any, path: string) => contract.paths[path].get;
const deprecation = (contract: any) => operation(contract, '/books').parameters[4]['x-deprecation'];

expectBreaks([
  [
    'an operation for fewer account kinds',
    (c) => operation(c, '/shelves')['x-account-kinds'].pop(),
    'account-kinds-narrowed',
    '#/paths/~1shelves/get/x-account-kinds',
    ['listShelves'],
  ],
  [
    'an operation that is no longer for all account kinds',
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
    'a module that is needed',
    (c) => (operation(c, '/books')['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1books/get/x-module',
    ['listBooks'],
  ],
  [
    'another module',
    (c) => (operation(c, '/shelves')['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1shelves/get/x-module',
    ['listShelves'],
  ],
  [
    'a module that a parameter needs',
    (c) => (operation(c, '/books').parameters[1]['x-module'] = 'books'),
    'module-needed',
    '#/paths/~1books/get/parameters/1/x-module',
    ['listBooks'],
  ],
  [
    'a sunset brought forward',
    (c) => (deprecation(c).sunset = '2026-03-01'),
    'sunset-brought-forward',
    '#/paths/~1books/get/parameters/4/x-deprecation/sunset',
    ['listBooks'],
  ],
]);

expectNoBreak([
  ['an operation for more account kinds', (c) => operation(c, '/shelves')['x-account-kinds'].push('tenant')],
  ['account kinds in another order', (c) => operation(c, '/shelves')['x-account-kinds'].reverse()],
  ['an operation for all account kinds', (c) => delete operation(c, '/shelves')['x-account-kinds']],
  ['a scope where none was told', (c) => (operation(c, '/books')['x-scope'] = 'books:read')],
  ['a module that is no longer needed', (c) => delete operation(c, '/shelves')['x-module']],
  [
    'a parameter that needs a module, and is new',
    (c) =>
      operation(c, '/books').parameters.unshift({
        name: 'shelfId',
        in: 'query',
        'x-module': 'shelves',
        schema: { type: 'string' },
      }),
  ],
  [
    'a module that a parameter no longer needs',
    (c) => delete operation(c, '/books').parameters[1]['x-module'],
    (c) => (operation(c, '/books').parameters[1]['x-module'] = 'books'),
  ],
  ['a sunset put off', (c) => (deprecation(c).sunset = '2027-01-01')],
  [
    'a property that is deprecated',
    (c) =>
      Object.assign(c.components.schemas.Book.properties.pages, {
        deprecated: true,
        'x-deprecation': { since: '2026-11-01', sunset: '2027-05-01', use: 'nothing' },
      }),
  ],
]);
