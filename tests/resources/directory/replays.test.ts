import { replay } from './replay.ts';

// Okta's suite also requires responses within 600 ms. These tests measure no time.
test.each([
  ["Entra's documentation", 'entra.yaml'],
  ["Okta's suite of the specification", 'okta-spec.yaml'],
  ["Okta's suite of changes", 'okta-crud.yaml'],
])('the requests of %s get the expected responses', async (_, file) => {
  expect(await replay(file)).toEqual([]);
});
