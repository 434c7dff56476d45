import { versionPattern, visibleLines, visibleText } from '../../generated/operations.ts';

export const LANGUAGE_TAG = 'must be a language tag such as en or de-CH';
export const VISIBLE = 'must have a visible character and no control, bidirectional or invisible characters';
export const COUNTRY_CODE = 'must be an ISO 3166-1 country code such as DE or GB';
export const CALENDAR_DATE = 'must be a date such as 2026-03-31, from the year 1000 to 2999';
export const TIME_ZONE = 'must be an IANA time zone such as Europe/Berlin or UTC';

/** Messages for the patterns of the contract. A test compares this list with the contract. */
export const patternMessages: Record<string, string> = {
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$': 'must be an id of this service, a UUID',
  '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{64})$':
    'must be an id of this service, a UUID, or the 64 characters in the link of a message',
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$': LANGUAGE_TAG,
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$|^[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?$':
    LANGUAGE_TAG,
  '^[A-Z]{2}$': COUNTRY_CODE,
  '^[A-Za-z0-9_+/-]+$': TIME_ZONE,
  '^[12][0-9]{3}-': CALENDAR_DATE,
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'must be a time of day such as 09:00',
  '^[^\\x00]*$': 'must not contain null characters',
  '^[12][0-9]{3}-[0-9-]+T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$':
    'must be a time such as 2026-03-31T08:00:00Z, from the year 1000 to 2999',
  '^[ -~]*$': 'must have only printable ASCII characters',
  '^[!-~]+$': 'must have only visible ASCII characters',
  '^[0-9A-Za-z:.,%"\\[\\] _-]+$': 'must be an IP address',
  '^[0-9a-fA-F:.]+(/[0-9]{1,3})?$': 'must be a network such as 198.51.100.0/24 or an IP address',
  '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$':
    'must be 1 to 255 visible ASCII characters, with or without double quotes around them',
  '^[A-Za-z0-9_-]+$': 'must have only letters, digits, hyphens and underscores',
  '^[A-Za-z0-9][A-Za-z0-9._:-]*$': 'must begin with a letter or digit, and have only letters, digits and . _ : -',
  '^#[0-9A-Fa-f]{6}$': 'must be a colour such as #1d4ed8',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64 without line breaks',
  '^[0-9.]+$': 'must be an RFC 3463 status code such as 5.1.1',
  '^[^\\x00-\\x20\\x7f@]+@[^\\x00-\\x20\\x7f@]+$': 'must be an e-mail address such as ada@example.org',
  '^(course\\.yaml|(en|de|fr)/(questions\\.yaml|[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*\\.md))$':
    'must be course.yaml, or a file in the folder of a language, such as en/questions.yaml or en/01-passwords.md',
  [visibleLines]: `${VISIBLE} except tabs and line breaks`,
  '^[a-z0-9]+([._-][a-z0-9]+)*$':
    'must be lower-case letters and digits, with single dots, hyphens or underscores between them',
  [versionPattern]: 'must be a version such as 1.2.0',
  [visibleText]: VISIBLE,
};

const formatMessages: Record<string, string> = {
  email: 'must be an e-mail address such as ada@example.org',
  date: 'must be a date such as 2026-03-31',
  'date-time': 'must be a time such as 2026-03-31T08:00:00Z',
  uuid: 'must be a UUID',
};

const TYPES: Record<string, string> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
const UNITS: Record<string, [one: string, many: string]> = {
  characters: ['character', 'characters'],
  items: ['item', 'items'],
  properties: ['field', 'fields'],
};

/**
 * Patterns of messages from AJV and express-openapi-validator, each with the message that clients read instead. The
 * first match counts.
 */
const REPHRASED: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/^must match pattern "(.*)"$/, (pattern) => patternMessages[pattern] ?? 'has an invalid format'],
  [/^must match format "(.*)"$/, (format) => formatMessages[format] ?? 'has an invalid format'],
  [/^must be ((?:array|boolean|integer|null|number|object|string)(?:,\w+)*)$/, formatTypes],
  [/^must NOT have (fewer|more) than (\d+) (characters|items|properties)$/, formatSize],
  [/^must be (<=|>=) (.+)$/, (sign, bound) => `must be ${sign === '<=' ? 'at most' : 'at least'} ${bound}`],
  [/^must be equal to one of the allowed values: (.+)$/, formatChoice],
  [/^must be equal to one of the allowed values$/, () => 'must be one of the allowed values'],
  [/^must have required property /, () => 'is required'],
  [/^must NOT have (additional|unevaluated) properties$/, () => 'is not a known field; remove it or correct its name'],
  [
    /items ## (\d+) and (\d+) are identical/,
    (last, first) => `must not have the same item twice, as ${first} and ${last}`,
  ],
  [/^Unknown query parameter /, () => 'is not a parameter of this operation; remove it or correct its name'],
  [/^Empty value found for query parameter /, () => 'must not be empty; give it a value or leave it out'],
  [/must be url encoded/, () => 'must have its reserved characters percent-encoded'],
];

/** Rephrases a validator's message as a predicate whose subject is the field. Returns unknown messages unchanged. */
export function formatValidationError(field: string, message: string): string {
  if (field === 'query/companyId' && message.startsWith('Unknown query parameter')) {
    return 'is not a parameter of this operation, which acts for the company of the key';
  }
  for (const [pattern, rephrase] of REPHRASED) {
    const match = pattern.exec(message);
    if (match) return rephrase(...match.slice(1));
  }
  return message;
}

function formatTypes(types: string): string {
  return `must be ${types
    .split(',')
    .map((type) => TYPES[type] ?? type)
    .join(' or ')}`;
}

function formatSize(comparison: string, bound: string, unit: string): string {
  const [one, many] = UNITS[unit]!;
  return `must have at ${comparison === 'fewer' ? 'least' : 'most'} ${bound} ${bound === '1' ? one : many}`;
}

function formatChoice(values: string): string {
  return values.includes(',') ? `must be one of ${values}` : `must be ${values}`;
}
