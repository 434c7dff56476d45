/** @jest-environment node */
import { listAttributeChanges, readPatch } from '../../src/scim/patch.ts';

const patchOf = (path: string) => ({ Operations: [{ op: 'add', path, value: 'x' }] });
const AT_LENGTH = 2000;

test('a path is read with its schema URN, filter and sub-attribute', () => {
  const urn = 'urn:ietf:params:scim:schemas:core:2.0:User:';
  expect(readPatch(patchOf(`${urn}emails[type eq "work"].value`))).toEqual([
    {
      op: 'add',
      attribute: 'emails.value',
      filter: { kind: 'compare', attribute: 'type', operator: 'eq', value: 'work' },
      value: 'x',
      isPath: true,
    },
  ]);
});

test.each(['a b', 'a[b', '[a]'])('%s is not a valid path', (path) => {
  expect(() => readPatch(patchOf(path))).toThrow('path');
});

test('a path over 2,000 characters is rejected, and a longer attribute name is ignored', () => {
  expect(readPatch(patchOf('a'.repeat(AT_LENGTH)))).toHaveLength(1);
  expect(() => readPatch(patchOf('a'.repeat(AT_LENGTH + 1)))).toThrow('path');
  expect(() => readPatch(patchOf(`members[value eq "${'a'.repeat(9_000_000)}"]`))).toThrow('path');
  expect(listAttributeChanges({ ['a'.repeat(AT_LENGTH + 1)]: 1 }, 'add')).toEqual([]);
});

test('a body of unreadable attribute names is read in under 500 ms', () => {
  const name = `urn:${'a:'.repeat(AT_LENGTH / 2 - 3)}!`;
  const names = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${name}${index}`, 1]));
  const begun = performance.now();
  expect(listAttributeChanges(names, 'add')).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(500);
});
