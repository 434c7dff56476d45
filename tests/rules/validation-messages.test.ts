import { readFileSync } from 'node:fs';
import { formatValidationError, patternMessages } from '../../src/http/validation-messages.ts';
import { visibleText } from '../../src/contract/contract.ts';

/** Every value of a keyword anywhere in the contract. */
function valuesOf(keyword: string, value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (key === keyword && typeof item === 'string') found.add(item);
    else valuesOf(keyword, item, found);
  }
  return found;
}

test('every pattern of the contract is put in words, and no other', () => {
  const patterns = valuesOf('pattern', JSON.parse(readFileSync('generated/openapi.json', 'utf8')));
  expect([...patterns].toSorted()).toEqual(Object.keys(patternMessages).toSorted());
});

test('messages that speak to machines are said in words, others stay', () => {
  expect(formatValidationError('body/firstName', `must match pattern "${visibleText}"`)).toContain(
    'must have a visible character',
  );
  expect(formatValidationError('query/companyId', "Unknown query parameter 'companyId'")).toContain(
    'the company of the key',
  );
  expect(formatValidationError('query/nonsense', "Unknown query parameter 'nonsense'")).toBe(
    "Unknown query parameter 'nonsense'",
  );
  expect(
    formatValidationError('body/learnerIds', 'must NOT have duplicate items (items ## 3 and 1 are identical)'),
  ).toBe('must not hold an item twice, as 1 and 3 do');
});
