/** Returns a small contract with one of everything; each pair of the suite changes one thing in it. */
export function libraryContract(): any {
  return copied(contract);
}

/** Copies a value as JSON; inside Jest, a structured clone consists of another realm's objects. */
export function copied(value: unknown): any {
  return JSON.parse(JSON.stringify(value));
}

const json = (schema: object) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (schema: object) => ({ description: 'An answer.', content: json(schema) });
const problem = { $ref: '#/components/responses/Problem' };

const contract = {
  openapi: '3.1.1',
  info: { title: 'Library', version: '1.4.0', description: 'Books.' },
  servers: [{ url: '/v1', description: 'Here.' }],
  security: [{ key: [] }],
  tags: [{ name: 'Books' }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        tags: ['Books'],
        summary: 'List books',
        'x-mcp': { cluster: 'read', tool: 'list_books' },
        parameters: [
          { name: 'genre', in: 'query', schema: ref('Genre') },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          {
            name: 'old',
            in: 'query',
            deprecated: true,
            'x-deprecation': { since: '2026-01-10', sunset: '2026-07-10', use: 'genre' },
            schema: { type: 'boolean' },
          },
        ],
        responses: {
          200: {
            ...answer({ type: 'array', items: ref('Book') }),
            headers: {
              'X-Total': { required: true, schema: { type: 'integer' } },
              'RateLimit-Limit': { schema: { type: 'integer' } },
            },
          },
          400: problem,
          default: problem,
        },
      },
      post: {
        operationId: 'createBook',
        tags: ['Books'],
        'x-mcp': { cluster: 'write', absent: true },
        requestBody: {
          required: true,
          content: { ...json(ref('NewBook')), 'text/csv': { schema: { type: 'string' } } },
        },
        responses: { 201: answer(ref('Book')), 400: problem },
      },
    },
    '/books/{bookId}': {
      parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getBook',
        'x-mcp': { cluster: 'read', tool: 'get_book' },
        responses: {
          200: { description: 'It.', content: { ...json(ref('Book')), 'text/csv': { schema: { type: 'string' } } } },
          404: problem,
        },
      },
      put: {
        operationId: 'replaceBook',
        requestBody: { content: json(ref('Book')) },
        responses: { 200: answer(ref('Book')) },
      },
    },
    '/shelves': {
      get: {
        operationId: 'listShelves',
        'x-account-kinds': ['msp', 'distributor'],
        'x-module': 'shelves',
        responses: { 200: answer(ref('Shelf')) },
      },
      patch: {
        operationId: 'updateShelf',
        requestBody: { required: true, content: json(ref('ShelfUpdate')) },
        responses: { 200: answer(ref('Shelf')) },
      },
    },
    '/covers': {
      post: {
        operationId: 'uploadCover',
        security: [{ key: [] }, { oauth: ['covers'] }],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: { file: { type: 'string', format: 'binary' }, caption: { type: 'string' } },
              },
              encoding: { file: { contentType: 'image/png, image/jpeg' } },
            },
          },
        },
        responses: { 204: { description: 'Stored.' } },
      },
    },
    '/health': {
      get: {
        operationId: 'getHealth',
        security: [],
        responses: { 200: answer({ type: 'object', properties: { status: { const: 'ok' } } }) },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', bearerFormat: 'key' },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { covers: 'Covers', all: 'All' } },
        },
      },
      unused: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    responses: { Problem: { description: 'A failure.', content: json(ref('ProblemBody')) } },
    schemas: {
      Genre: { type: 'string', enum: ['novel', 'essay'] },
      Lending: { type: 'string', description: 'How it is lent. More kinds might be added.', enum: ['home', 'hall'] },
      Book: {
        type: 'object',
        required: ['id', 'title', 'genre', 'author'],
        properties: {
          id: { type: 'string', readOnly: true },
          title: { type: 'string', minLength: 1, maxLength: 200 },
          genre: ref('Genre'),
          lending: ref('Lending'),
          author: ref('Author'),
          editor: { oneOf: [ref('Author'), { type: 'null' }] },
          pages: { type: 'integer' },
          note: { type: ['string', 'null'] },
          legacy: {
            type: 'string',
            deprecated: true,
            'x-deprecation': { since: '2026-01-10', sunset: '2026-07-10', use: 'note' },
          },
        },
      },
      Author: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, born: { type: 'integer' } },
      },
      NewBook: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200 },
          genre: ref('Genre'),
          copies: { type: 'integer', minimum: 0, default: 1 },
          tags: { type: 'array', maxItems: 10, items: { type: 'string', pattern: '^[a-z]+$' } },
          isbn: { type: 'string' },
        },
      },
      Shelf: {
        type: 'object',
        required: ['name', 'parts', 'kind'],
        properties: {
          name: { type: 'string', format: 'uuid' },
          kind: { oneOf: [{ type: 'string', maxLength: 20 }, { type: 'integer' }] },
          parts: { type: 'array', items: ref('Shelf') },
        },
      },
      ShelfUpdate: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          place: { oneOf: [{ type: 'string', maxLength: 20 }, { type: 'integer' }] },
          rows: { type: 'array', items: { type: 'number' } },
        },
      },
      ProblemBody: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', enum: ['bad', 'gone'] } },
      },
      Unused: { type: 'object' },
    },
  },
};
