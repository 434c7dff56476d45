import { AWARENESS_USER, ENTERPRISE_USER, GROUP, SCHEMA, USER } from './urns.ts';

interface Attribute {
  name: string;
  type: string;
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: string;
  returned: string;
  uniqueness: string;
  [characteristic: string]: unknown;
}

/** Builds an attribute with the most common characteristics. */
function attribute(name: string, description: string, others: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...others,
  };
}

const READ_ONLY = { mutability: 'readOnly' };
const reference = (description: string, referenceTypes: string[], others: Partial<Attribute> = {}) =>
  attribute('$ref', description, { type: 'reference', referenceTypes, caseExact: true, ...READ_ONLY, ...others });

const user = [
  attribute('userName', 'The name to sign in with.', { required: true, uniqueness: 'server' }),
  attribute('name', 'First and last name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The first and last name.', READ_ONLY),
      attribute('givenName', 'The first name.'),
      attribute('familyName', 'The last name.'),
    ],
  }),
  attribute('displayName', 'The name to show.'),
  attribute('emails', 'The e-mail addresses. The service stores one, with the type work.', {
    type: 'complex',
    multiValued: true,
    required: true,
    subAttributes: [
      attribute('value', 'The e-mail address.', { required: true, uniqueness: 'server' }),
      attribute('type', 'Always work.', { canonicalValues: ['work'], ...READ_ONLY }),
      attribute('primary', 'Always true.', { type: 'boolean', ...READ_ONLY }),
    ],
  }),
  attribute('title', 'The job title.'),
  attribute('addresses', 'The place of work. The service stores one, with the type work.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('country', 'The country as an ISO 3166-1 alpha-2 code. English names are accepted.'),
      attribute('locality', 'The town or office.'),
      attribute('type', 'Always work.', { canonicalValues: ['work'], ...READ_ONLY }),
      attribute('primary', 'Always true.', { type: 'boolean', ...READ_ONLY }),
    ],
  }),
  attribute('active', 'Whether the learner takes part.', { type: 'boolean' }),
  attribute('preferredLanguage', 'A language tag, such as de-CH.'),
  attribute('timezone', 'The time zone, an IANA name such as Europe/Berlin.'),
  attribute('groups', 'The groups of the user.', {
    type: 'complex',
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [
      attribute('value', 'The id of the group.', { caseExact: true, ...READ_ONLY }),
      reference('The URL of the group.', ['Group']),
      attribute('display', 'The name of the group.', READ_ONLY),
      attribute('type', 'Always direct.', { canonicalValues: ['direct'], ...READ_ONLY }),
    ],
  }),
];

const enterpriseUser = [
  attribute('employeeNumber', 'The id of the person in HR, unique in the company.', {
    caseExact: true,
    uniqueness: 'server',
  }),
  attribute('department', 'The department.'),
  attribute('manager', 'The manager, another user.', {
    type: 'complex',
    subAttributes: [
      attribute('value', 'The id of the manager.', { caseExact: true }),
      reference('The URL of the manager.', ['User']),
      attribute('displayName', 'The name of the manager.', READ_ONLY),
    ],
  }),
];

const awarenessUser = [
  attribute('absentUntil', 'The last day of the leave, such as 2026-08-21, in the time zone of the learner.'),
];

const IMMUTABLE = { mutability: 'immutable' };
const group = [
  attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
  attribute('members', 'The learners in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user.', { caseExact: true, ...IMMUTABLE }),
      reference('The URL of the user.', ['User'], IMMUTABLE),
      attribute('type', 'Always User.', { canonicalValues: ['User'], ...IMMUTABLE }),
    ],
  }),
];

const schema = (id: string, name: string, description: string, attributes: Attribute[]) => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes,
});

/** The schemas of users and groups, for discovery. */
export const schemas = [
  schema(USER, 'User', 'A learner.', user),
  schema(ENTERPRISE_USER, 'EnterpriseUser', 'The stored attributes of the enterprise extension.', enterpriseUser),
  schema(AWARENESS_USER, 'AwarenessUser', 'The attributes of a learner that no other schema has.', awarenessUser),
  schema(GROUP, 'Group', 'A group of learners.', group),
];
