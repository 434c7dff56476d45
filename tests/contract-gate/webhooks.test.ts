import { changed, expectBreaks, expectNoBreak } from './support/pairs.ts';

const where = '#/webhooks/book.lent/post';
const sent = '#/components/schemas/Lent';
const hook = (contract: any) => contract.webhooks['book.lent'].post;
const lent = (contract: any) => contract.components.schemas.Lent;
const json = (schema: object) => ({ 'application/json': { schema } });

/** Adds a webhook with its own body, a header and two accepted statuses. */
const webhook = (contract: any) => {
  contract.components.schemas.Lent = {
    type: 'object',
    required: ['book', 'to'],
    properties: {
      book: { $ref: '#/components/schemas/Book' },
      to: { type: 'string', enum: ['reader', 'shelf'] },
      days: { type: 'integer', maximum: 30 },
    },
  };
  contract.components.schemas.Taken = { type: 'object', properties: { code: { type: 'string', maxLength: 10 } } };
  contract.webhooks = {
    'book.lent': {
      post: {
        operationId: 'onBookLent',
        tags: ['Books'],
        parameters: [{ name: 'Webhook-Id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: json({ $ref: sent }) },
        responses: {
          200: { description: 'Taken.', content: json({ $ref: '#/components/schemas/Taken' }) },
          204: { description: 'Taken.' },
        },
      },
    },
  };
};

expectBreaks([
  ['a removed webhook', (c) => delete c.webhooks, 'webhook-removed', where, ['onBookLent'], webhook],
  [
    'a removed webhook property',
    (c) => delete lent(c).properties.days,
    'property-removed',
    `${sent}/properties/days`,
    ['onBookLent'],
    webhook,
  ],
  [
    'a webhook property that becomes optional',
    (c) => lent(c).required.pop(),
    'required-properties-removed',
    `${sent}/required`,
    ['onBookLent'],
    webhook,
  ],
  [
    'a new value sent by a webhook',
    (c) => lent(c).properties.to.enum.push('binder'),
    'enum-values-added',
    `${sent}/properties/to/enum`,
    ['onBookLent'],
    webhook,
  ],
  [
    'a higher limit sent by a webhook',
    (c) => (lent(c).properties.days.maximum = 60),
    'schema-constraint-changed',
    `${sent}/properties/days/maximum`,
    ['onBookLent'],
    webhook,
  ],
  [
    'a removed content type of a webhook',
    (c) => (hook(c).requestBody.content = { 'application/cloudevents+json': { schema: { $ref: sent } } }),
    'media-type-removed',
    `${where}/requestBody/content/application~1json`,
    ['onBookLent'],
    webhook,
  ],
  [
    'a removed header of a webhook',
    (c) => hook(c).parameters.pop(),
    'response-header-removed',
    `${where}/parameters/0`,
    ['onBookLent'],
    webhook,
  ],
  [
    "a shorter limit in a receiver's response",
    (c) => (c.components.schemas.Taken.properties.code.maxLength = 5),
    'schema-constraint-changed',
    '#/components/schemas/Taken/properties/code/maxLength',
    ['onBookLent'],
    webhook,
  ],
  [
    'a status that receivers can no longer return',
    (c) => delete hook(c).responses[204],
    'webhook-answer-removed',
    `${where}/responses/204`,
    ['onBookLent'],
    webhook,
  ],
]);

expectNoBreak([
  ['a new webhook', webhook],
  ['a new webhook property', (c) => (lent(c).properties.at = { type: 'string' }), webhook],
  ['a webhook property that becomes required', (c) => lent(c).required.push('days'), webhook],
  ['a removed value of a webhook', (c) => lent(c).properties.to.enum.pop(), webhook],
  ['a lower limit sent by a webhook', (c) => (lent(c).properties.days.maximum = 10), webhook],
  [
    'an additional webhook header',
    (c) => hook(c).parameters.push({ name: 'X-Try', in: 'header', schema: {} }),
    webhook,
  ],
  ['an additional status that receivers can return', (c) => (hook(c).responses[202] = { description: '' }), webhook],
]);

test('a new webhook is reported as an addition', () => {
  const { compatible } = changed(webhook);
  expect(compatible).toMatchObject([
    { rule: 'webhook-added', pointer: where, operations: ['POST webhook book.lent (onBookLent)'] },
  ]);
});
