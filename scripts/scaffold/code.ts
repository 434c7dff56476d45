import { CommandError } from '../../src/commands/command.ts';
import { capitalised, type NewOperation } from './operation.ts';

export function addHandler(text: string, { operationId, singular, pathIds }: NewOperation): string {
  const imported = withImport(
    withImport(text, `./${singular}-mapper.ts`, mapperOf(operationId)),
    '../../contract.ts',
    'Handler',
  );
  const repository = `import * as repository from './${singular}-repository.ts';`;
  const ready = imported.includes(repository) ? imported : `${repository}\n${imported}`;
  const input = pathIds.length > 0 ? `{ ${pathIds.join(', ')} }` : '_input';
  const call = `repository.${operationId}(${['tenant', ...pathIds].join(', ')})`;
  return `${ready}
export const ${operationId}: Handler<'${operationId}'> = async (${input}, tenant) => {
  return ${mapperOf(operationId)}(await ${call});
};
`;
}

/** A statement that is refused until it is written, so that nobody takes it for one. */
export function addStatement(text: string, { operationId, method, pathIds }: NewOperation): string {
  const handle = method === 'get' ? 'TenantReader' : 'TenantWriter';
  const ids = pathIds.map((name) => `, _${name}: string`).join('');
  return `${withImport(text, '../../db/tenant.ts', handle)}
export interface ${rowOf(operationId)} {
  id: string;
}

export function ${operationId}(_tenant: ${handle}${ids}): Promise<${rowOf(operationId)}> {
  return Promise.reject(new Error('${operationId} has no statement yet'));
}
`;
}

export function addMapper(text: string, { operationId, singular }: NewOperation): string {
  const types = withImport(text, '../../../generated/api-types.ts', 'components');
  return `${withImport(types, `./${singular}-repository.ts`, rowOf(operationId))}
export function ${mapperOf(operationId)}(row: ${rowOf(operationId)}): components['schemas']['${capitalised(operationId)}Outcome'] {
  return { id: row.id };
}
`;
}

/** The list of handlers with this one, after the others of its resource. */
export function register(text: string, { operationId, resource }: NewOperation): string {
  const [, name] = new RegExp(`import \\* as (\\w+) from './resources/${resource}/`).exec(text) ?? [];
  if (!name)
    throw new CommandError(`src/operations.ts makes the handlers of ${resource}: this one is written by hand.`);
  const end = text.indexOf('\n', text.lastIndexOf(`: ${name}.`)) + 1;
  return `${text.slice(0, end)}    ${operationId}: ${name}.${operationId},\n${text.slice(end)}`;
}

export function testOf({ method, path, pathIds }: NewOperation): string {
  const verb = method.toUpperCase();
  const filled = path.replace(/\{\w+\}/g, '${unknownId}');
  if (pathIds.length > 0) return testOfUnknownId(verb, path, filled);
  return `import { call } from '../../support/client.ts';

describe('${verb} ${path}', () => {
  test('answers what the contract says', async () => {
    const { status, body } = await call('tenant', '${verb}', \`${filled}\`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ id: expect.any(String) });
  });
});
`;
}

/** Which row of the test world the path means, nobody knows yet; that an id of nobody is a 404 holds for every path. */
function testOfUnknownId(verb: string, path: string, filled: string): string {
  return `import { call, expectError } from '../../support/client.ts';
import { unknownId } from '../../support/world.ts';

describe('${verb} ${path}', () => {
  test('an id of nobody is a 404', async () => {
    expectError(await call('tenant', '${verb}', \`${filled}\`), 404, 'not_found');
  });
});
`;
}

function mapperOf(operationId: string): string {
  return `to${capitalised(operationId)}Answer`;
}

function rowOf(operationId: string): string {
  return `${capitalised(operationId)}Row`;
}

/** The text with a name imported from a module: a name of its own to `import { … }`, a type to `import type { … }`. */
function withImport(text: string, module: string, name: string): string {
  const statement = new RegExp(`import (type )?\\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}';`);
  const found = statement.exec(text);
  const isType = /^[A-Z]|^components$/.test(name);
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
