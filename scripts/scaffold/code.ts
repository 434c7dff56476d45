import { CommandError } from '../../src/commands/command.ts';
import { capitalised, type NewOperation, snake } from './operation.ts';

export function addHandler(text: string, { operationId, folder, singular, pathIds }: NewOperation): string {
  const imported = withImport(text, `${upFrom(folder)}contract/contract.ts`, 'Handler');
  const repository = `import * as repository from './${singular}-repository.ts';`;
  const ready = imported.includes(repository) ? imported : `${repository}\n${imported}`;
  const input = pathIds.length > 0 ? `{ ${pathIds.join(', ')} }` : '_input';
  return `${ready}
export const ${operationId}: Handler<'${operationId}'> = (${input}, tenant) => {
  return repository.${operationId}(${['tenant', ...pathIds].join(', ')});
};
`;
}

const IMPORTS = [
  ['contract/contract.ts', 'Schemas'],
  ['db/sql.ts', 'sql'],
  ['contract/errors.ts', 'requireFound'],
] as const;

/** Returns the path from a folder in src/resources/ to src/, or from one in tests/resources/ to tests/. */
function upFrom(folder: string): string {
  return '../'.repeat(folder.split('/').length + 1);
}

/** Adds a placeholder statement that Postgres rejects, so that nobody mistakes it for a finished one. */
export function addStatement(text: string, operation: NewOperation): string {
  const { operationId, method, folder, singular, pathIds } = operation;
  const reads = method === 'get';
  const [kind, handle] = reads ? ['query', 'TenantReader'] : ['mutation', 'TenantWriter'];
  const imports = [...IMPORTS, ['db/statement.ts', kind], ['db/tenant.ts', handle]] as const;
  const imported = imports.reduce((result, [module, name]) => withImport(result, upFrom(folder) + module, name), text);
  const answer = `${capitalised(operationId)}Outcome`;
  const declared = pathIds.map((name) => `${name}: string`);
  const params = `${operationId}Statement, { ${pathIds.join(', ')} }`;
  const throws = pathIds.length > 0 ? '/** @throws not_found */\n' : '';
  return `${imported}
type ${answer} = Schemas['${answer}'];

const ${operationId}Statement = ${kind}<${pathIds.length > 0 ? `{ ${declared.join('; ')} }` : 'object'}, ${answer}>(
  '${snake(operationId)}',
  ${statementText(operation)},
);

${throws}export async function ${operationId}(${[`tenant: ${handle}`, ...declared].join(', ')}): Promise<${answer}> {
  return requireFound(${reads ? `await tenant.queryOne(${params})` : `(await tenant.mutate(${params}))[0]`}, '${singular.replaceAll('-', ' ')}');
}
`;
}

function statementText({ operationId, resource, singular, pathIds }: NewOperation): string {
  const conditions = ['companyId', ...pathIds].map((name) => {
    return `${name === `${singular}Id` ? 'id' : snake(name)} = \${p.${name}}`;
  });
  return `(p) => sql\`
    select '${operationId} is not implemented'::uuid as id
      from ${resource.replaceAll('-', '_')} where ${conditions.join(' and ')}\``;
}

/** Adds the handler to the list, after the other handlers of its resource, unless the list has all of its module. */
export function register(
  text: string,
  { operationId, resource, folder, singular }: Pick<NewOperation, 'operationId' | 'resource' | 'folder' | 'singular'>,
): string {
  const [, name] =
    new RegExp(`import \\* as (\\w+) from '../resources/${folder}/${singular}-handlers`).exec(text) ?? [];
  if (!name)
    throw new CommandError(
      `src/operations/operations.ts creates the handlers of ${resource} differently; add this one by hand.`,
    );
  if (text.includes(`    ...${name},\n`)) return text;
  const end = text.indexOf('\n', text.lastIndexOf(`: ${name}.`)) + 1;
  return `${text.slice(0, end)}    ${operationId}: ${name}.${operationId},\n${text.slice(end)}`;
}

export function renderTest({ method, path, folder, pathIds }: NewOperation): string {
  const verb = method.toUpperCase();
  const filled = path.replace(/\{\w+\}/g, '${unknownId}');
  if (pathIds.length > 0) return testOfUnknownId(folder, verb, path, filled);
  return `import { call } from '${upFrom(folder)}support/client.ts';

describe('${verb} ${path}', () => {
  test('returns the result of the contract', async () => {
    const { status, body } = await call('tenant', '${verb}', \`${filled}\`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ id: expect.any(String) });
  });
});
`;
}

/**
 * Returns a test that an unknown id returns 404. This holds for every path, whereas the scaffold cannot know which row
 * of the test world fits.
 */
function testOfUnknownId(folder: string, verb: string, path: string, filled: string): string {
  const support = `${upFrom(folder)}support`;
  return `import { call, expectError } from '${support}/client.ts';
import { unknownId } from '${support}/world.ts';

describe('${verb} ${path}', () => {
  test('an unknown id returns 404', async () => {
    expectError(await call('tenant', '${verb}', \`${filled}\`), 404, 'not_found');
  });
});
`;
}

/** Adds an import of a name or a type unless the text has it already. */
function withImport(text: string, module: string, name: string): string {
  const statement = new RegExp(`import (type )?\\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}';`);
  const found = statement.exec(text);
  const isType = /^[A-Z]/.test(name);
  if (!found) return `import ${isType ? 'type ' : ''}{ ${name} } from '${module}';\n${text}`;
  const [whole, areTypes = '', names] = found as unknown as [string, string | undefined, string];
  const listed = names
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (listed.some((one) => one.replace(/^type /, '') === name)) return text;
  const added = isType && !areTypes ? `type ${name}` : name;
  return text.replace(whole, () => `import ${areTypes}{ ${[...listed, added].join(', ')} } from '${module}';`);
}
