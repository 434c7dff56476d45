/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectExamplesToRun, writePrograms } from './example-programs.ts';

/** Imports the examples in its arguments one after the other, because a process for each takes minutes. */
const RUN = `console.log = () => undefined;
for (const name of process.argv.slice(2)) {
  try {
    await import(\`./\${name}.ts\`);
  } catch (error) {
    process.exitCode = 1;
    console.error(\`failed: \${name}: \${error}\`);
  }
}
`;

test('the TypeScript example of every operation runs on the demo', async () => {
  await expectExamplesToRun({
    fence: 'ts',
    prepare: async (folder, examples) => {
      await installClient(folder);
      await writeFile(join(folder, 'run.js'), RUN);
      await writePrograms(folder, examples, ({ operationId }) => `${operationId}.ts`);
    },
    command: (examples) => [process.execPath, 'run.js', ...examples.map(({ operationId }) => operationId)],
    maxExamples: Infinity,
  });
});

/** Puts the client of this repository where an installed package would be. */
async function installClient(folder: string): Promise<void> {
  const client = join(folder, 'node_modules/security-awareness-sdk');
  await mkdir(client, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  await writeFile(join(client, 'index.js'), `export * from '${pathToFileURL('sdk/src/index.ts').href}';\n`);
}
