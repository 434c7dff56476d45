/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  'x-mcp'?: { description?: string };
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

// Shared schemas are tested in full for one operation that uses them. These tests show that the other
// operations use the same schemas.

const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};
const { schemas } = components;
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const bodies = operations.flatMap(({ requestBody }) =>
  Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
);

/** Every schema that applies to a request, with its location. */
const sent = new Map<string, Schema>();
bodies.forEach((body) => visit(body, ''));

function visit(schema: Schema, place: string): void {
  const name = schema.$ref?.split('/').pop();
  if (name) return sent.has(name) ? undefined : visit(schemas[name]!, name);
  sent.set(place, schema);
  if (schema.items) visit(schema.items, `${place}[]`);
  for (const [key, property] of Object.entries(schema.properties ?? {})) visit(property, `${place}.${key}`);
}

const isIn =
  (type: string) =>
  ({ 1: schema }: [string, Schema]) =>
    [schema.type].flat().includes(type);
const placesOf = (found: [string, Schema][]) => found.map(([place]) => place).toSorted();

test('every request object is closed, except the one that another system sends', () => {
  const objects = [...sent].filter(isIn('object'));
  expect(objects.length).toBeGreaterThan(30);
  expect(placesOf(objects.filter(([, schema]) => schema.additionalProperties !== false))).toEqual([
    'GoPhishEventInput',
  ]);
});

const ID = '#/components/schemas/Id';
const idLists = [...sent].filter(isIn('array')).filter(([, { items }]) => items?.$ref === ID);

test('every list of ids in a request has the same schema with at most 10,000 distinct ids', () => {
  expect(placesOf(idLists)).toEqual([
    'AddedGroupIds',
    'AdminIds',
    'AssignmentIds',
    'CampaignIdList',
    'CourseIds',
    'EventIds',
    'GroupIds',
    'GroupIdsFilter',
    'LearnerIds',
    'ManagerIds',
    'MemberGroupIds',
    'PolicyIds',
    'PolicyTemplateIds',
    'RemovedGroupIds',
    'SimulationIdsFilter',
    'SimulationTemplateIds',
    'TemplateCompanyIds',
  ]);
  for (const [place, { type, items, ...bounds }] of idLists) {
    // A campaign has up to ten conditions with four lists each.
    const maxItems = place === 'CampaignIdList' ? 200 : 10_000;
    expect({ type, items, ...bounds }).toMatchObject({
      type: 'array',
      items: { $ref: ID },
      maxItems,
      uniqueItems: true,
    });
  }
});

test('only lists that replace values or filter can be empty; every other list of ids needs at least one', () => {
  expect(placesOf(idLists.filter(([, { minItems }]) => minItems !== 1))).toEqual([
    'GroupIds',
    'GroupIdsFilter',
    'ManagerIds',
    'SimulationIdsFilter',
    'TemplateCompanyIds',
  ]);
});

test('a list of ids is required, unless omitting it has a meaning', () => {
  const optional = [...sent].flatMap(([place, { properties = {}, required = [] }]) =>
    Object.entries(properties)
      .filter(([name, { $ref }]) => idLists.some(([list]) => $ref?.endsWith(`/${list}`)) && !required.includes(name))
      .map(([name]) => `${place}.${name}`),
  );
  expect(optional.toSorted()).toEqual([
    ...['failedSimulationIds', 'groupIds', 'learnerIds', 'managerIds'].map((name) => `CampaignConditionInput.${name}`),
    'CreateGroupInput.managerIds',
    'CreateLearnerInput.groupIds',
    'CreatePolicyTemplateInput.companies',
    'CreateSimulationInput.templateIds',
    'CreateWebhookEndpointInput.groupIds',
    'CreateWebhookEndpointInput.simulationIds',
    'LearnerCreationItem.groupIds',
    'LearnerUpdateItem.addGroupIds',
    'LearnerUpdateItem.groupIds',
    'LearnerUpdateItem.removeGroupIds',
    'MoveGroupMembershipInput.learnerIds',
    'RedeliverWebhooksInput.eventIds',
    'SimulationRecipientsInput.groupIds',
    'SimulationRecipientsInput.learnerIds',
    'UpdateLearnerInput.groupIds',
    'UpdatePolicyTemplateInput.companies',
    'UpdateSimulationInput.templateIds',
    'UpdateWebhookEndpointInput.groupIds',
    'UpdateWebhookEndpointInput.simulationIds',
  ]);
});

/** Ids that other systems assign. */
const FOREIGN_IDS = new Set(['externalLearnerId', 'externalId', 'eventId', 'messageId', 'clientId']);

test('a field that ends in Ids is a list of ids, and a field that ends in Id is an id', () => {
  const named = [...sent].flatMap(([, { properties = {} }]) => Object.entries(properties));
  const lists = named.filter(([name]) => name.endsWith('Ids'));
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter(([, { $ref }]) => !idLists.some(([list]) => $ref?.endsWith(`/${list}`)))).toEqual([]);
  const ids = named.filter(([name]) => name.endsWith('Id') && !FOREIGN_IDS.has(name));
  expect(ids.filter(([, { $ref, oneOf }]) => ($ref ?? oneOf?.[0]?.$ref) !== ID)).toEqual([]);
});

/** The schemas of strings that people enter; tests of an operation that uses them cover each in full. */
const PEOPLES = [
  'PersonName',
  'GroupName',
  'PolicyName',
  'PolicyCategory',
  'ExternalLearnerId',
  'Email',
  'LocaleInput',
];
const TEXTS = [
  ...PEOPLES,
  'LastName',
  'Country',
  'LearnerTimeZone',
  'RowLocale',
  'RowText',
  'EventId',
  'ExternalSimulationId',
  'PolicySignatureNote',
  'RequestTime',
];

test('every string in a request is an id, an enum, or has the bounds of a shared string schema', () => {
  const bounds = ({ pattern, format, minLength, maxLength }: Schema) => ({ pattern, format, minLength, maxLength });
  const shared = TEXTS.map((name) => bounds(schemas[name]!));
  const own = [...sent]
    .filter(isIn('string'))
    .filter(([place, schema]) => place !== 'Id' && !schema.enum)
    .filter(([, schema]) => !shared.some((text) => isDeepStrictEqual(text, bounds(schema))));
  expect(placesOf(own)).toEqual([
    'CourseContentFileInput.text',
    'CourseContentPath',
    'ExternalCampaignId',
    'GoPhishEventInput.details',
    'GoPhishEventInput.email',
    'GoPhishEventInput.message',
    'LearnerKey.email',
    'MailBounceInput.address',
    'MailBounceInput.diagnostic',
    'MailBounceInput.messageId',
    'MailBounceInput.status',
    'PdfDocument',
    'ProviderClientSecret',
    'ProviderIssuer',
    'ReportMessageInput.messageId',
    'ReportMessageInput.token',
    'RequestDate',
    'SamlMetadata',
    'SamlMetadataUrl',
    'SenderDomain',
    'SignatureSettingsInput.startDate',
    'SimulationEvidence.address',
    'SimulationEvidence.messageId',
    'SimulationEvidence.userAgent',
    'SimulationTemplateText',
    'SimulationTemplateWordsInput.html',
    'SimulationTemplateWordsInput.senderMailbox',
    'TimeZone',
    'UpdateCompanyBrandingInput.color',
    'UpdateCompanyBrandingInput.logo',
    'UpdateCompanyBrandingInput.name',
    'UpdateSimulationSettingsInput.scannerNetworks[]',
    'WebhookUrl',
    'WorkingHours.from',
    'WorkingHours.to',
    'ZipFile',
  ]);
});

test('parameters with the same name and location are identical everywhere', () => {
  const byName = new Map<string, Set<string>>();
  for (const given of operations.flatMap(({ parameters = [] }) => parameters)) {
    const parameter = given.$ref ? components.parameters[given.$ref.split('/').pop()!]! : given;
    const place = `${parameter.in} ${parameter.name}`;
    // A tool can lack a parameter, because its size is limited.
    const mcp = { ...parameter['x-mcp'], description: undefined, absent: undefined };
    const form = JSON.stringify({ mcp, ...parameter, description: undefined, examples: undefined, 'x-mcp': undefined });
    byName.set(place, (byName.get(place) ?? new Set()).add(form));
  }
  expect(byName.size).toBeGreaterThan(15);
  // Examples differ by operation: passkeys belong to admins who have finished the setup. The outcome of a simulation is
  // different from that of a policy.
  expect([...byName].filter(([, different]) => different.size > 1).map(([place]) => place)).toEqual(['query outcome']);
});
