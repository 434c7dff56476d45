/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Example, expectExamplesToRun, isInstalled, writePrograms } from './example-programs.ts';

test('the Go example of every operation runs on the demo, if Go is installed', async () => {
  if (!(await isInstalled('go', 'version'))) {
    process.stderr.write('skipped: go is not on the path\n');
    return;
  }
  await expectExamplesToRun({
    fence: 'go',
    prepare: build,
    command: ([example]) => ['./all', example!.operationId],
    maxExamples: 1,
  });
});

/** Builds all examples as one program, because linking a program for each takes minutes. */
async function build(folder: string, examples: readonly Example[]): Promise<void> {
  const name = ({ operationId }: Example) => operationId.toLowerCase();
  const packages = examples.map((example) => ({
    ...example,
    code: example.code.replace('package main', `package ${name(example)}`).replace('func main()', 'func Main()'),
  }));
  await writePrograms(folder, packages, (example) => `${name(example)}/main.go`);
  await writeFile(join(folder, 'go.mod'), 'module examples\n\ngo 1.21\n');
  const imports = examples.map((example) => `\t"examples/${name(example)}"`).join('\n');
  const cases = examples.map((example) => `\tcase "${example.operationId}":\n\t\t${name(example)}.Main()`).join('\n');
  const main = `package main\n\nimport (\n\t"os"\n${imports}\n)\n\nfunc main() {\n\tswitch os.Args[1] {\n${cases}\n\t}\n}\n`;
  await writeFile(join(folder, 'main.go'), main);
  // Keeps the path of the folder, which is new in each run, out of the keys of Go's build cache.
  await promisify(execFile)('go', ['build', '-trimpath', '-o', 'all', '.'], { cwd: folder });
}
