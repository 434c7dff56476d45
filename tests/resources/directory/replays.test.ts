import { replay } from './replay.ts';

// Okta asks for answers within 600 ms, too: no time is measured here.
test.each([
  ["Entra's documentation", 'entra.yaml'],
  ["Okta's suite of the specification", 'okta-spec.yaml'],
  ["Okta's suite of changes", 'okta-crud.yaml'],
])('what %s sends is answered as it asks', async (_, file) => {
  expect(await replay(file)).toEqual([]);
});
