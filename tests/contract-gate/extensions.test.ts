import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const operation = (contract: any, path: string) => contract.paths[path].get;
const tool = (contract: any, path: string) => operation(contract, path)['x-mcp'];
const deprecation = (contract: any) => operation(contract, '/books').parameters[4]['x-deprecation'];

/** One tool of two operations, told apart by an argument. */
const shared = (contract: any) => {
  Object.assign(tool(contract, '/books'), { tool: 'read', select: { what: 'all' } });
  Object.assign(tool(contract, '/books/{bookId}'), { tool: 'read', select: { what: 'one' } });
};

expectBreaks([
  [
    'a renamed tool',
    (c) => (tool(c, '/books').tool = 'find_books'),
    'tool-renamed',
    '#/paths/~1books/get/x-mcp/tool',
    ['listBooks'],
  ],
  [
    'a tool that goes',
    (c) => (operation(c, '/books')['x-mcp'] = { cluster: 'read', absent: true }),
    'tool-removed',
    '#/paths/~1books/get/x-mcp/tool',
    ['listBooks'],
  ],
  [
    'a selection that a tool no longer takes',
    (c) => delete tool(c, '/books').tool,
    'tool-removed',
    '#/paths/~1books/get/x-mcp/tool',
    ['listBooks'],
    shared,
  ],
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
  ['a new tool', (c) => (operation(c, '/shelves')['x-mcp'] = { cluster: 'read', tool: 'list_shelves' })],
  ['another description of a tool', (c) => (tool(c, '/books').description = 'Every book.')],
  [
    'a selection more',
    (c) => (operation(c, '/shelves')['x-mcp'] = { cluster: 'read', tool: 'read', select: { what: 'shelves' } }),
    shared,
  ],
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
