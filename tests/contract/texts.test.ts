/** @jest-environment node */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { list, type JsonObject, object, resolve, text } from '../../contract-gate/src/index.ts';
import { bundleContract } from '../../scripts/generate/generated-files.ts';

const document = await bundleContract();
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Returns every string schema of a request body, with its location. */
function textsOf(part: unknown, place: string): [place: string, schema: JsonObject][] {
  const schema = resolve(document, part as JsonObject);
  const fields = Object.entries(object(schema.properties)).flatMap(([name, value]) =>
    textsOf(value, `${place}/${name}`),
  );
  const items = schema.items === undefined ? [] : textsOf(schema.items, `${place}[]`);
  const choices = [...list(schema.oneOf), ...list(schema.anyOf)].flatMap((choice) => textsOf(choice, place));
  const isText = [schema.type].flat().includes('string');
  return [...fields, ...items, ...choices, ...(isText ? [[place, schema] as [string, JsonObject]] : [])];
}

const texts = Object.values(object(document.paths)).flatMap((item) =>
  Object.values(object(item)).flatMap((operation) => {
    const { operationId, requestBody } = object(operation);
    const { schema } = object(object(resolve(document, requestBody ?? null).content)['application/json']);
    return schema === undefined ? [] : textsOf(schema, text(operationId));
  }),
);

const UNSEEN = {
  'a null character': '\0',
  'a line break': '\n',
  'an escape': '\u001b',
  'a right-to-left override': '\u202e',
  'an isolate': '\u2066',
  'a zero-width space': '\u200b',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
};

const PROFILE = ['department', 'jobTitle', 'country', 'location', 'timeZone', 'absentUntil'];

/**
 * Strings that `refuseTexts` checks: an invalid string rejects only its row, and a last name can be empty. A pattern
 * would be a breaking change for the gate, which does not compare patterns.
 */
const JUDGED_BY_RULE = [
  ...['createLearner/lastName', 'updateLearner/lastName'],
  ...['createLearners', 'updateLearners'].flatMap((operationId) =>
    ['email', 'firstName', 'lastName', 'externalLearnerId', 'locale', ...PROFILE].map(
      (name) => `${operationId}/learners[]/${name}`,
    ),
  ),
];
/** Cells are judged when they are mapped, and the names of columns by the handler, since a column can have no name. */
const TABLES = ['createLearnerImport/columns[]', 'createLearnerImport/rows[][]'];
const judgedByPattern = texts.filter(([place]) => ![...JUDGED_BY_RULE, ...TABLES].includes(place));
/** Field that accepts arbitrary form input, which the service discards. */
const DROPPED = 'receiveGoPhishEvent/details';

/** XML documents, which a strict parser reads. */
const DOCUMENTS = ['createIdentityProvider/metadata', 'updateIdentityProvider/metadata'];
/** Responses of mail servers, which are read and not stored. */
const RESPONSES = ['recordMailBounces/bounces[]/diagnostic'];

/** Texts of courses and simulations, which have line breaks. */
const OF_LINES = [
  ...['saveCourseContent', 'checkCourseContent'].map((operationId) => `${operationId}/files[]/text`),
  ...['createSimulationTemplate', 'updateSimulationTemplate'].flatMap((operationId) =>
    ['text', 'html', 'lesson', 'attachment/text'].map((field) => `${operationId}/content[]/${field}`),
  ),
];

test.each(Object.entries(UNSEEN))('no string in a request can contain %s', (_name, character) => {
  const letting = judgedByPattern
    .filter(([, schema]) => ajv.validate(schema, `a${character}b`))
    .map(([place]) => place);
  const lines = character === '\n' ? OF_LINES : [];
  expect(letting).toEqual(character === '\0' ? [] : [...DOCUMENTS, ...RESPONSES, ...lines, DROPPED]);
});

test.each(['José Ñandú', "Zoë O'Brien-Łuczak", '山田 太郎', 'Ravi s/o Kumar', 'J:son', 'می‌خواهم', '👩‍💻 Ada', ' Ada '])(
  '%j is a valid name',
  (name) => {
    const names = texts.filter(([place]) => /(?<!\/claims)\/(firstName|lastName|name|category|ownerName)$/.test(place));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter(([, schema]) => !ajv.validate(schema, name)).map(([place]) => place)).toEqual([]);
  },
);

test.each(['', ' ', '   ', '\u00a0', '\u3000', '\u2800', '\u3164'])(
  'invisible text (%j) is not a valid name',
  (name) => {
    const names = judgedByPattern.filter(([place]) => /\/(firstName|lastName|name)$/.test(place));
    expect(names.filter(([, schema]) => ajv.validate(schema, name)).map(([place]) => place)).toEqual([]);
  },
);
