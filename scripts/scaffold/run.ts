// Writes the skeleton of a new operation of a resource: contract, handler, statement, test and its registration.
//   node scripts/scaffold/run.ts archiveGroup POST /groups/{groupId}/archive
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { operations } from '../../generated/operations.ts';
import { CommandError, runCommand, UsageError } from '../../src/commands/command.ts';
import { bundleContract, contractFiles } from '../generate/generated-files.ts';
import { addPath, addToRoot } from './contract.ts';
import { addHandler, addStatement, register, testOf } from './code.ts';
import { kebab, type NewOperation } from './operation.ts';

const USAGE = 'Usage: make scaffold ARGS="archiveGroup POST /groups/{groupId}/archive"';
const root = join(import.meta.dirname, '../..');

await runCommand(async () => {
  const operation = readArguments(process.argv.slice(2));
  const { resource, singular, operationId } = operation;
  const room = `src/resources/${resource}/${singular}`;
  const test = `tests/resources/${resource}/${kebab(operationId)}.test.ts`;
  if (existsSync(join(root, test))) throw new CommandError(`${test} is there already.`);
  const contract = readFileSync(join(root, 'api/openapi.yaml'), 'utf8');
  const changes: [path: string, change: (text: string) => string, left: string][] = [
    ['api/openapi.yaml', (text) => addToRoot(text, operation), 'nothing, when the path stands where it should'],
    [
      `api/${resource}.yaml`,
      (text) => addPath(text, contract, operation),
      'its words, its body, what it answers, its tool',
    ],
    [`${room}-handlers.ts`, (text) => addHandler(text, operation), 'the rules that have an if in them'],
    [`${room}-repository.ts`, (text) => addStatement(text, operation), 'the statement'],
    ['src/operations/operations.ts', (text) => register(text, operation), 'nothing'],
  ];
  // All texts are made before one is written, so that a refusal leaves no half of them.
  const texts = changes.map(([path, change]) => change(readIfThere(path)));
  for (const [index, [path]] of changes.entries()) await write(path, texts[index]!);
  await write(test, testOf(operation));
  const bundle = await bundleContract();
  for (const { path, content } of contractFiles) await writeFile(join(root, path), await content(bundle));
  const rest = changes.map(([path, , left]) => `  ${path.padEnd(48)} ${left}`);
  console.log(`${operationId} has its places. Left to write:\n${rest.join('\n')}`);
  console.log(`  ${test.padEnd(48)} what it promises; it fails until the statement is there`);
});

function readArguments(args: string[]): NewOperation {
  if (args.length !== 3) throw new UsageError(USAGE);
  const [operationId, verb, path] = args as [string, string, string];
  if (!/^[a-z]+([A-Z][a-z0-9]*)+$/.test(operationId))
    throw new UsageError(`The name ${operationId} must be a verb and a noun such as archiveGroup.`);
  if (operationId in operations) throw new UsageError(`There is an operation ${operationId} already.`);
  const method = verb.toLowerCase();
  if (!['get', 'put', 'post', 'patch', 'delete'].includes(method))
    throw new UsageError(`The method ${verb} must be GET, POST, PUT, PATCH or DELETE.`);
  if (!/^(\/([a-z]+(-[a-z]+)*|\{[a-z][A-Za-z]*Id\}))+$/.test(path))
    throw new UsageError(`The path ${path} must be like /groups/{groupId}/archive.`);
  const taken = Object.entries(operations).find(([, one]) => one.path === path && one.method === method);
  if (taken) throw new UsageError(`${verb} ${path} is ${taken[0]} already.`);
  const resource = path.split('/')[1]!;
  const folder = join(root, 'src/resources', resource);
  const handlers = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith('-handlers.ts'));
  if (!handlers || !existsSync(join(root, `api/${resource}.yaml`))) {
    throw new CommandError(
      `There is no resource ${resource}: begin it with api/${resource}.yaml and the folder src/resources/${resource}.`,
    );
  }
  const pathIds = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return { operationId, method, path, resource, singular: handlers.slice(0, -'-handlers.ts'.length), pathIds };
}

/** A resource may have no repository of its name yet. */
function readIfThere(path: string): string {
  const target = join(root, path);
  return existsSync(target) ? readFileSync(target, 'utf8') : '';
}

async function write(path: string, text: string): Promise<void> {
  const filepath = join(root, path);
  const formatted = await format(text, { ...(await resolveConfig(filepath)), filepath });
  await writeFile(filepath, formatted);
}
