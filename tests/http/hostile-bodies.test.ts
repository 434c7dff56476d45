/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { call, expectError, fingerprintOf, send } from '../support/client.ts';
import { keys } from '../support/world.ts';

const MIB = 1024 * 1024;
const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };

/** Fills `before`…`after` with as many `item`s as 10 MiB hold. */
function filled(before: string, item: string, after: string): string {
  const count = Math.floor((10 * MIB - before.length - after.length) / (item.length + 1));
  return `${before}${Array<string>(count).fill(item).join(',')}${after}`;
}

test.each([
  ['rows without fields', filled('{"learners": [', '{}', ']}')],
  ['rows of wrong types', filled('{"learners": [', '{"email":1,"x":1}', ']}')],
  ['numbers for ids', filled('{"learners": [], "learnerIds": [', '1', ']}')],
  ['unknown fields', `{${Array.from({ length: 300_000 }, (_, index) => `"field${index}":1`).join(',')}}`],
  ['arrays in arrays', `{"learners": ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ['objects in objects, with an escape', `{"\\u0041": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ['one name of ten million letters', `{"learners": [{"email": "${'a'.repeat(9 * MIB)}"}]}`],
])('10 MiB of %s are refused with a short answer, and nothing changes', async (_case, body) => {
  const before = await fingerprintOf('tenant');
  const answer = await send('POST', '/learners/bulk', { headers, body });
  expectError(answer, 400, 'invalid_request');
  expect(answer.text.length).toBeLessThan(20_000);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('a small body is told everything that is wrong with it, field by field', async () => {
  const body = { email: 'no address', firstName: '', lastName: 7, nonsense: true };
  expectError(await call('tenant', 'POST', '/learners', { body }), 400, 'invalid_request', [
    'body/nonsense',
    'body/email',
    'body/firstName',
    'body/lastName',
  ]);
});
