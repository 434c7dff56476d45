/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectExamplesToRun, isInstalled, writePrograms } from './example-programs.ts';

/** Runs the examples in its arguments one after the other: starting Python for each takes 0.12 CPU seconds. */
const RUN = `import contextlib, os, runpy, sys
code = 0
for name in sys.argv[1:]:
    try:
        with open(os.devnull, 'w') as nowhere, contextlib.redirect_stdout(nowhere):
            runpy.run_path(f'{name}.py', run_name='__main__')
    except BaseException as error:
        code = 1
        print(f'failed: {name}: {error}', file=sys.stderr)
sys.exit(code)
`;

test('the Python example of every operation runs on the demo, if Python is installed', async () => {
  if (!(await isInstalled('python3', '--version'))) {
    process.stderr.write('skipped: python3 is not on the path\n');
    return;
  }
  await expectExamplesToRun({
    fence: 'python',
    prepare: async (folder, examples) => {
      await writeFile(join(folder, 'run.py'), RUN);
      await writePrograms(folder, examples, ({ operationId }) => `${operationId}.py`);
    },
    command: (examples) => ['python3', 'run.py', ...examples.map(({ operationId }) => operationId)],
    maxExamples: Infinity,
  });
});
