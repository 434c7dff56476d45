/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Example, expectExamplesToRun, isInstalled, writePrograms } from './example-programs.ts';

/** Runs the examples in its arguments one after the other, because a virtual machine for each takes minutes. */
const RUN = `class Run {
    public static void main(String[] names) {
        var failed = false;
        for (var name : names) {
            try {
                var main = Class.forName(name).getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
            } catch (Exception error) {
                failed = true;
                var id = name.substring(0, 1).toLowerCase() + name.substring(1);
                System.err.println("failed: " + id + ": " + error.getCause());
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
`;

test('the Java example of every operation runs on the demo, if a JDK is installed', async () => {
  if (!(await isInstalled('javac', '-version'))) {
    process.stderr.write('skipped: javac is not on the path\n');
    return;
  }
  await expectExamplesToRun({
    fence: 'java',
    prepare: async (folder, examples) => {
      await writePrograms(folder, examples, (example) => `${getClass(example)}.java`);
      await writeFile(join(folder, 'Run.java'), RUN);
      const files = examples.map((example) => `${getClass(example)}.java`);
      await promisify(execFile)('javac', ['-d', 'classes', 'Run.java', ...files], { cwd: folder });
    },
    command: (examples) => ['java', '-cp', 'classes', 'Run', ...examples.map(getClass)],
    maxExamples: Infinity,
  });
});

function getClass({ operationId }: Example): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}
