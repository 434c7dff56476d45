import { keyWith } from '../../support/scoped-keys.ts';
import { callWith, inDays } from './key-calls.ts';

test.each([
  [29, true],
  [31, false],
])('the responses to a key that expires in %i days have Api-Key-Expires: %s', async (days, isTold) => {
  const expiresAt = inDays(days);
  const key = await keyWith('tenant', ['company:read'], { expiresAt });
  for (const path of ['/company', '/learners', '/company?nonsense=1']) {
    const { headers } = await callWith(key, 'GET', path);
    expect(headers.get('api-key-expires')).toBe(isTold ? expiresAt.toISOString() : null);
  }
});
