import { failureMessages, nextVersion } from '../../src/resources/policies/policy-rules.ts';

describe('nextVersion', () => {
  test.each([
    ['1.0', true, false, '1.0'],
    ['1.0', true, true, '1.0'],
    ['0.0', true, true, '0.0'],
    ['3.7', true, false, '3.7'],
    ['1.0', false, false, '1.1'],
    ['1.9', false, false, '1.10'],
    ['1.0', false, true, '2.0'],
    ['3.7', false, true, '4.0'],
    ['0.0', false, false, '0.1'],
    ['0.5', false, true, '1.0'],
  ])('after %s (first %s, major %s) is %s', (current, isFirst, isMajor, expected) => {
    const [major, minor] = current.split('.').map(Number) as [number, number];
    const next = nextVersion({ major, minor }, isFirst, isMajor);
    expect(`${next.major}.${next.minor}`).toBe(expected);
  });
});

test.each(Object.entries(failureMessages))('the message of %s is a single sentence', (_code, message) => {
  expect(message).toMatch(/^[A-Z][^.]+\.$/);
});
