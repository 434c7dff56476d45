import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, programs } from './check.ts';

interface Parameter {
  $ref?: string;
  required?: boolean;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, Parameter>;
    schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }>;
  };
}

/**
 * Copies a program of a client whose functions take their arguments by position. The program's comment
 * `omitted: listPolicies` becomes an absent argument for each optional parameter of that operation, and
 * `omitted: Learner` one for each optional property of that schema, so programs survive additions to the contract.
 */
export async function copyPositional(program: string, target: string, absent: string): Promise<void> {
  const document = JSON.parse(await readFile(contract, 'utf8')) as Document;
  const source = await readFile(join(programs, program), 'utf8');
  const complete = source.replaceAll(/\/\* omitted: (\w+) \*\//g, (_, name: string) =>
    Array<string>(countOptional(document, name)).fill(absent).join(', '),
  );
  await writeFile(target, complete);
}

function countOptional({ paths, components }: Document, name: string): number {
  const operation = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!operation) {
    const { properties = {}, required = [] } = components.schemas[name]!;
    return Object.keys(properties).length - required.length;
  }
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : components.parameters[parameter.$ref.split('/').at(-1)!]!,
  );
  return parameters.filter(({ required }) => required !== true).length;
}
