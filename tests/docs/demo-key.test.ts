/** @jest-environment-options {"DOCS_DEMO_KEY": "sk_demotenant00_f4c3593d961f7506043b4c016be38f50d7b95912a549117ea19d8770faf8bf878a0b47b4"} */
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { read } from './docs-support.ts';

test('the reference and the examples of the overview have the demo key', async () => {
  expect((await read('/docs/reference')).text).toContain(`data-key="${demoKeys.tenant}"`);
  for (const path of ['/docs', '/docs.md']) expect((await read(path)).text).toContain(`export KEY=${demoKeys.tenant}`);
});

test('path parameters of the reference start with ids of the demo', async () => {
  const { text } = await read('/docs/reference');
  expect(text).toMatch(/<input id="getLearner-path-learnerId"[^>]* value="[0-9a-f-]{36}"/);
});
