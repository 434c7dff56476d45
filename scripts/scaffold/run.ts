// Writes the skeleton of a new operation of a resource: contract, handler, statement, test and its registration.
//   node scripts/scaffold/run.ts archiveGroup POST /groups/{groupId}/archive
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { CommandError, runCommand } from '../../src/commands/command.ts';
import { bundleContract, contractFiles } from '../generate/generated-files.ts';
import { addPath, addToRoot } from './contract.ts';
import { addHandler, addStatement, register, renderTest } from './code.ts';
import { kebab, readOperation } from './operation.ts';

const root = join(import.meta.dirname, '../..');

await runCommand(async () => {
  const operation = readOperation(process.argv.slice(2));
  const { resource, folder, singular, operationId } = operation;
  const room = `src/resources/${folder}/${singular}`;
  const test = `tests/resources/${folder}/${kebab(operationId)}.test.ts`;
  if (existsSync(join(root, test))) throw new CommandError(`${test} already exists.`);
  const contract = readFileSync(join(root, 'api/openapi.yaml'), 'utf8');
  const changes: [path: string, change: (text: string) => string, left: string][] = [
    ['api/openapi.yaml', (text) => addToRoot(text, operation), 'nothing, if the path is in the right position'],
    [
      `api/${resource}.yaml`,
      (text) => addPath(text, contract, operation),
      'the texts, the body, the response, the tool',
    ],
    [`${room}-handlers.ts`, (text) => addHandler(text, operation), 'the conditional rules'],
    [`${room}-repository.ts`, (text) => addStatement(text, operation), 'the statement'],
    ['src/operations/operations.ts', (text) => register(text, operation), 'nothing'],
  ];
  // Builds all files in memory before it writes any of them, so that an error leaves no partial result.
  const written = changes.flatMap(([path, change, left]) => {
    const [before, after] = [readIfThere(path), change(readIfThere(path))];
    return after === before ? [] : [{ path, after, left }];
  });
  for (const { path, after } of written) await write(path, after);
  await write(test, renderTest(operation));
  const bundle = await bundleContract();
  for (const { path, content } of contractFiles) await writeFile(join(root, path), await content(bundle));
  const rest = written.map(({ path, left }) => `  ${path.padEnd(48)} ${left}`);
  console.log(`Scaffolded ${operationId}. Still to write:\n${rest.join('\n')}`);
  console.log(`  ${test.padEnd(48)} its behaviour; the test fails until the statement is written`);
});

/** Returns the text of a file, or an empty string: a resource might not have a repository yet. */
function readIfThere(path: string): string {
  const target = join(root, path);
  return existsSync(target) ? readFileSync(target, 'utf8') : '';
}

async function write(path: string, text: string): Promise<void> {
  const filepath = join(root, path);
  const formatted = await format(text, { ...(await resolveConfig(filepath)), filepath });
  await writeFile(filepath, formatted);
}
