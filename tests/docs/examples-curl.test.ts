/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { expectExamplesToRun } from './example-programs.ts';

test('the curl example of every operation runs on the demo', async () => {
  await expectExamplesToRun({
    fence: 'sh',
    prepare: async () => undefined,
    command: ([example]) => ['sh', '-euc', example!.code],
    maxExamples: 1,
  });
});
