import { versionPattern, visibleLines, visibleText } from '../contract/contract.ts';

const LANGUAGE_TAG = 'must be a language tag such as en or de-CH';

/** Messages for the patterns of the contract. A test compares this list with the contract. */
export const patternMessages: Record<string, string> = {
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$': 'must be an id of this service, a UUID',
  '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{64})$':
    'must be an id of this service, a UUID, or the 64 characters in a link of a message',
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$': LANGUAGE_TAG,
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$|^[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?$':
    LANGUAGE_TAG,
  '^[12][0-9]{3}-': 'must be a day such as 2026-03-31, of the years 1000 to 2999',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'must be a time of day such as 09:00',
  '^[^\\x00]*$': 'must not contain null characters',
  '^[12][0-9]{3}-[0-9-]+T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$':
    'must be a moment such as 2026-03-31T08:00:00Z, of the years 1000 to 2999',
  '^[ -~]*$': 'must hold printable ASCII characters alone',
  '^[!-~]+$': 'must hold visible ASCII characters alone',
  '^[0-9A-Za-z:.,%"\\[\\] _-]+$': 'must be an IP address',
  '^[0-9a-fA-F:.]+(/[0-9]{1,3})?$': 'must be a network such as 198.51.100.0/24, or an IP address',
  '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$':
    'must be 1 to 255 visible ASCII characters, with or without quotes around them',
  '^[A-Za-z0-9_-]+$': 'must hold letters, digits, hyphens and underscores alone',
  [visibleLines]:
    'must have a visible character, and no control, bidirectional or invisible ones but tabs and line breaks',
  '^[a-z0-9]+([._-][a-z0-9]+)*$':
    'must be small letters and digits, with single dots, hyphens or underscores between them',
  [versionPattern]: 'must be a version such as 1.2.0',
  [visibleText]: 'must have a visible character, and no control, bidirectional or invisible ones',
};

/** Returns the validator's message, or a more readable one. */
export function formatValidationError(field: string, message: string): string {
  if (field === 'query/companyId' && message.startsWith('Unknown query parameter')) {
    return 'is no parameter of this operation, which acts for the company of the key';
  }
  const twins = /items ## (\d+) and (\d+) are identical/.exec(message);
  if (twins) return `must not hold an item twice, as ${twins[2]} and ${twins[1]} do`;
  const pattern = /^must match pattern "(.*)"$/.exec(message)?.[1];
  return (pattern !== undefined && patternMessages[pattern]) || message;
}
