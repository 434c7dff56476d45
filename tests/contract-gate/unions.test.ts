import { expectBreaks, expectNoBreak } from './support/pairs.ts';

const schemas = (contract: any) => contract.components.schemas;
const body = (contract: any) => schemas(contract).NewBook.properties;
const answer = (contract: any) => schemas(contract).Shelf.properties;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const where = '#/components/schemas/NewBook/properties/isbn';
const only = ['createBook'];
const text = { type: 'string' };
const closed = (name: string, values: string[]) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: values }, [name]: text },
});

/** Defines animals with a discriminator. */
const animals = (discriminator: object) => (contract: any) => {
  Object.assign(schemas(contract), { Cat: closed('meow', ['cat', 'Cat']), Dog: closed('bark', ['dog', 'Dog']) });
  body(contract).isbn = { oneOf: [ref('Cat'), ref('Dog')], discriminator };
};
const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };

expectBreaks([
  [
    'a string that becomes a union of overlapping strings',
    (c) => (body(c).isbn = { oneOf: [text, { type: 'string', format: 'date' }] }),
    'schema-combinator-changed',
    `${where}/oneOf`,
    only,
  ],
  [
    'anyOf of overlapping strings that becomes oneOf',
    (c) => (body(c).isbn = { oneOf: body(c).isbn.anyOf }),
    'schema-combinator-changed',
    `${where}/oneOf`,
    only,
    (c) => (body(c).isbn = { anyOf: [text, { type: 'string', maxLength: 5 }] }),
  ],
  [
    'an object that becomes a union of objects without required properties',
    (c) => (body(c).isbn = { oneOf: [body(c).isbn, { type: 'object', properties: { other: text } }] }),
    'schema-combinator-changed',
    `${where}/oneOf`,
    only,
    (c) => (body(c).isbn = { type: 'object', properties: { one: text } }),
  ],
  [
    'an additional overlapping variant',
    (c) => body(c).isbn.oneOf.push({ type: 'number', minimum: 5 }),
    'schema-combinator-changed',
    `${where}/oneOf`,
    only,
    (c) => (body(c).isbn = { oneOf: [text, { type: 'object' }, { type: 'integer', maximum: 9 }] }),
  ],
  [
    'a union that no longer accepts null',
    (c) => body(c).isbn.oneOf.pop(),
    'schema-combinator-changed',
    `${where}/oneOf/2`,
    only,
    (c) => (body(c).isbn = { oneOf: [{ type: 'string', maxLength: 9 }, { type: 'object' }, { type: 'null' }] }),
  ],
  [
    'a response union that becomes nullable',
    (c) => answer(c).kind.oneOf.push({ const: null }),
    'schema-combinator-changed',
    '#/components/schemas/Shelf/properties/kind/oneOf/2',
    ['listShelves', 'updateShelf'],
  ],
  [
    'another mapping of a variant',
    (c) => (body(c).isbn.discriminator.mapping = { ...mapping, dog: '#/components/schemas/Cat' }),
    'discriminator-changed',
    `${where}/discriminator`,
    only,
    animals({ propertyName: 'kind', mapping }),
  ],
  [
    'a mapping in place of schema names',
    (c) => (body(c).isbn.discriminator.mapping = mapping),
    'discriminator-changed',
    `${where}/discriminator`,
    only,
    animals({ propertyName: 'kind' }),
  ],
]);

expectNoBreak([
  [
    'a nullable string with an additional variant',
    (c) => body(c).isbn.oneOf.push({ type: 'object' }),
    (c) => (body(c).isbn = { oneOf: [text, { type: 'null' }] }),
  ],
  [
    'a nullable component with an additional variant',
    (c) => body(c).isbn.oneOf.push({ type: 'integer' }),
    (c) => (body(c).isbn = { oneOf: [ref('Genre'), { type: 'null' }] }),
  ],
  [
    'null that moves into a variant',
    (c) => (body(c).isbn = { oneOf: [{ type: ['string', 'null'], maxLength: 9 }, { type: 'object' }] }),
    (c) => (body(c).isbn = { oneOf: [{ type: 'string', maxLength: 9 }, { type: 'object' }, { type: 'null' }] }),
  ],
  [
    'a list of types written as variants',
    (c) => (body(c).isbn = { oneOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] }),
    (c) => (body(c).isbn = { type: ['string', 'integer'], maxLength: 9 }),
  ],
  [
    'a flattened union',
    (c) => (body(c).isbn = { oneOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }, { type: 'object' }] }),
    (c) =>
      (body(c).isbn = {
        oneOf: [{ oneOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] }, { type: 'object' }],
      }),
  ],
  ['overlapping variants in anyOf', (c) => (body(c).isbn = { anyOf: [text, { type: 'string', format: 'date' }] })],
  [
    'an object that becomes a union distinguished by a value',
    (c) => (body(c).isbn = { oneOf: [body(c).isbn, closed('bark', ['dog'])] }),
    (c) => (body(c).isbn = closed('meow', ['cat'])),
  ],
  [
    'overlapping objects distinguished by a discriminator',
    (c) => body(c).isbn.oneOf.push(ref('Kitten')),
    (c) => {
      animals({ propertyName: 'kind', mapping })(c);
      schemas(c).Kitten = closed('meow', ['cat', 'kitten']);
    },
  ],
  [
    'an explicit mapping of schema names',
    (c) => (body(c).isbn.discriminator.mapping = { Cat: 'Cat', Dog: '#/components/schemas/Dog' }),
    animals({ propertyName: 'kind' }),
  ],
  [
    'a removed variant of a response with its mapping',
    (c) => {
      answer(c).pet.oneOf.pop();
      delete answer(c).pet.discriminator.mapping.dog;
    },
    (c) => {
      animals({ propertyName: 'kind', mapping })(c);
      answer(c).pet = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } };
    },
  ],
  [
    'reordered variants, one of them with an additional property',
    (c) => {
      const { oneOf } = body(c).isbn;
      oneOf[0].properties.more = text;
      oneOf.reverse();
    },
    (c) => (body(c).isbn = { oneOf: [closed('meow', ['cat']), closed('bark', ['dog'])] }),
  ],
]);
