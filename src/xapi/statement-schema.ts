/**
 * JSON schema of a statement in xAPI 1.0.3 (https://github.com/adlnet/xAPI-Spec, part 2), with the formats of
 * `statement-formats.ts`. Apart from extensions, a statement must not contain other fields.
 */
const text = { type: 'string' };
const iri = { type: 'string', format: 'iri' };
const uuid = { type: 'string', format: 'statement-uuid' };
const moment = { type: 'string', format: 'moment' };
const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const languageMap = ref('languageMap');
const extensions = ref('extensions');

/** Fields that identify an actor. */
const IDENTIFIERS = ['mbox', 'mbox_sha1sum', 'openid', 'account'];
const needs = (name: string) => ({ required: [name] });
const hasIdentifier = { anyOf: IDENTIFIERS.map(needs) };
const hasOneIdentifier = { oneOf: IDENTIFIERS.map(needs) };

function object(properties: object, required: string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** Builds a schema that applies `then` to objects of a type, and `otherwise` to all others. */
function ofType(objectType: string, then: object, otherwise: object) {
  return {
    type: 'object',
    if: { properties: { objectType: { const: objectType } }, required: ['objectType'] },
    then,
    else: otherwise,
  };
}

const person = {
  name: text,
  mbox: { type: 'string', format: 'mailto' },
  mbox_sha1sum: { type: 'string', pattern: '^[0-9a-fA-F]{40}$' },
  openid: iri,
  account: object({ homePage: iri, name: text }, ['homePage', 'name']),
};

const COMPONENTS = ['choices', 'scale', 'source', 'target', 'steps'];
const components = { type: 'array', items: object({ id: text, description: languageMap }, ['id']) };

/** Fields that statements and SubStatements have in common. */
const core = {
  actor: ref('actor'),
  verb: object({ id: iri, display: languageMap }, ['id']),
  result: ref('result'),
  context: ref('context'),
  timestamp: moment,
  attachments: { type: 'array', items: ref('attachment') },
};
const CORE_REQUIRED = ['actor', 'verb', 'object'];

/** Forbids a revision and a platform unless the statement is about an activity. */
const aboutOthers = {
  if: {
    properties: { object: { not: { properties: { objectType: { const: 'Activity' } } } } },
    required: ['object'],
  },
  then: { properties: { context: { properties: { revision: false, platform: false } } } },
};

const VOIDED = 'http://adlnet.gov/expapi/verbs/voided';

/** Requires that a voiding statement refers to another statement. */
const voiding = {
  if: { properties: { verb: { properties: { id: { const: VOIDED } }, required: ['id'] } } },
  then: { properties: { object: { properties: { objectType: { const: 'StatementRef' } }, required: ['objectType'] } } },
};

const definitions = {
  languageMap: { type: 'object', propertyNames: { format: 'language' }, additionalProperties: text },
  extensions: { type: 'object', propertyNames: { format: 'iri' } },
  agent: { ...object({ objectType: { const: 'Agent' }, ...person }), ...hasOneIdentifier },
  group: {
    ...object({ objectType: { const: 'Group' }, ...person, member: { type: 'array', items: ref('agent') } }),
    if: hasIdentifier,
    then: hasOneIdentifier,
    else: { required: ['member'] },
  },
  actor: ofType('Group', ref('group'), ref('agent')),
  authority: ofType(
    'Group',
    { ...ref('group'), not: hasIdentifier, properties: { member: { minItems: 2, maxItems: 2 } } },
    ref('agent'),
  ),
  definition: {
    ...object({
      name: languageMap,
      description: languageMap,
      type: iri,
      moreInfo: iri,
      extensions,
      interactionType: {
        enum: [
          ...['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching'],
          ...['performance', 'sequencing', 'likert', 'numeric', 'other'],
        ],
      },
      correctResponsesPattern: { type: 'array', items: text },
      ...Object.fromEntries(COMPONENTS.map((name) => [name, components])),
    }),
    dependencies: Object.fromEntries(
      ['correctResponsesPattern', ...COMPONENTS].map((name) => [name, ['interactionType']]),
    ),
  },
  activity: object({ objectType: { const: 'Activity' }, id: iri, definition: ref('definition') }, ['id']),
  statementRef: object({ objectType: { const: 'StatementRef' }, id: uuid }, ['objectType', 'id']),
  simpleObject: ofType(
    'Agent',
    ref('agent'),
    ofType('Group', ref('group'), ofType('StatementRef', ref('statementRef'), ref('activity'))),
  ),
  subStatement: {
    ...object({ objectType: { const: 'SubStatement' }, ...core, object: ref('simpleObject') }, CORE_REQUIRED),
    allOf: [aboutOthers, voiding],
  },
  result: object({
    score: object({
      scaled: { type: 'number', minimum: -1, maximum: 1 },
      raw: { type: 'number', minimum: { $data: '1/min' }, maximum: { $data: '1/max' } },
      min: { type: 'number' },
      max: { type: 'number', exclusiveMinimum: { $data: '1/min' } },
    }),
    success: { type: 'boolean' },
    completion: { type: 'boolean' },
    response: text,
    duration: { type: 'string', format: 'iso-duration' },
    extensions,
  }),
  activities: {
    if: { type: 'array' },
    then: { items: ref('activity') },
    else: ref('activity'),
  },
  context: object({
    registration: uuid,
    instructor: ref('actor'),
    team: { ...ref('group'), required: ['objectType'] },
    contextActivities: object(
      Object.fromEntries(['parent', 'grouping', 'category', 'other'].map((name) => [name, ref('activities')])),
    ),
    revision: text,
    platform: text,
    language: { type: 'string', format: 'language' },
    statement: ref('statementRef'),
    extensions,
  }),
  // The attached file itself would need a multipart body, which is not supported.
  attachment: object(
    {
      usageType: iri,
      display: languageMap,
      description: languageMap,
      contentType: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+' },
      length: { type: 'integer', minimum: 0 },
      sha2: { type: 'string', pattern: '^[0-9a-fA-F]{56,128}$' },
      fileUrl: iri,
    },
    ['usageType', 'display', 'contentType', 'length', 'sha2', 'fileUrl'],
  ),
};

export const statementSchema = {
  ...object(
    {
      id: uuid,
      ...core,
      object: ofType('SubStatement', ref('subStatement'), ref('simpleObject')),
      stored: moment,
      authority: ref('authority'),
      version: { type: 'string', pattern: '^1\\.0(\\.[0-9]+)?$' },
    },
    CORE_REQUIRED,
  ),
  allOf: [aboutOthers, voiding],
  definitions,
};
