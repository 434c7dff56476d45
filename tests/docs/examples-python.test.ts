/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { expectExamplesToRun, isInstalled } from './example-programs.ts';

test('the Python example of every operation runs on the demo, if Python is installed', async () => {
  if (!(await isInstalled('python3', '--version'))) {
    process.stderr.write('skipped: python3 is not on the path\n');
    return;
  }
  await expectExamplesToRun({
    fence: 'python',
    prepare: async () => undefined,
    command: ([example]) => ['python3', '-c', example!.code],
    maxExamples: 1,
  });
});
