import { readFileSync } from 'node:fs';
import { formatValidationError, patternMessages } from '../../src/contract/validation-messages.ts';
import { visibleText } from '../../src/contract/contract.ts';

/** Collects every value of a keyword in the contract. */
function valuesOf(keyword: string, value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (key === keyword && typeof item === 'string') found.add(item);
    else valuesOf(keyword, item, found);
  }
  return found;
}

test('exactly the patterns of the contract have a message', () => {
  const patterns = valuesOf('pattern', JSON.parse(readFileSync('generated/openapi.json', 'utf8')));
  expect([...patterns].toSorted()).toEqual(Object.keys(patternMessages).toSorted());
});

test('technical validation messages are rephrased, others are not changed', () => {
  expect(formatValidationError('body/firstName', `must match pattern "${visibleText}"`)).toContain(
    'must have a visible character',
  );
  expect(formatValidationError('query/companyId', "Unknown query parameter 'companyId'")).toContain(
    'the company of the key',
  );
  expect(
    formatValidationError('body/learnerIds', 'must NOT have duplicate items (items ## 3 and 1 are identical)'),
  ).toBe('must not have the same item twice, as 1 and 3');
});

test.each([
  ["Unknown query parameter 'page'", 'is not a parameter of this operation; remove it or correct its name'],
  ["Empty value found for query parameter 'cursor'", 'must not be empty; give it a value or leave it out'],
  ["must have required property 'email'", 'is required'],
  ['must NOT have additional properties', 'is not a known field; remove it or correct its name'],
  ['must match format "email"', 'must be an e-mail address such as ada@example.org'],
  ['must match pattern "^x$"', 'has an invalid format'],
  ['must be string', 'must be a string'],
  ['must be integer,null', 'must be an integer or null'],
  ['must be boolean', 'must be true or false'],
  ['must NOT have fewer than 1 characters', 'must have at least 1 character'],
  ['must NOT have more than 200 items', 'must have at most 200 items'],
  ['must NOT have fewer than 1 properties', 'must have at least 1 field'],
  ['must be <= 200', 'must be at most 200'],
  ['must be >= 1', 'must be at least 1'],
  ['must be equal to one of the allowed values: email, qr_code', 'must be one of email, qr_code'],
  ['must be equal to one of the allowed values: true', 'must be true'],
  ['must be multiple of 5', 'must be multiple of 5'],
])('%s is rephrased for clients: %s', (message, rephrased) => {
  expect(formatValidationError('body/field', message)).toBe(rephrased);
});
