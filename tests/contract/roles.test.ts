import { readFileSync } from 'node:fs';
import { builtInRoles, getPermissions, scopesOfRole } from '../../src/auth/roles.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { DeniedCallAudit } from '../../src/auth/denied-call-audit.ts';
import type { TenantAccess } from '../../src/auth/tenant-access.ts';
import { operations, scopes } from '../../src/contract/contract.ts';
import { createInvoke } from '../../src/operations/invoke.ts';
import type { Handlers } from '../../src/operations/operations.ts';
import { keyedOperations } from '../support/contract-requests.ts';
import { unknownId } from '../support/world.ts';

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { 'x-scope'?: string; 'x-managers'?: boolean }>>;
};
const roleScopes = (name: string) => scopesOfRole({ role: name, customScopes: null });

test('a role includes only scopes that exist, each once', () => {
  for (const { scopes: own } of builtInRoles) {
    if (own === null) continue;
    expect(own.filter((scope) => !(scopes as readonly string[]).includes(scope))).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
  }
});

test('each role leaves out the documented scopes', () => {
  const leftOut = (name: string) => scopes.filter((scope) => !(roleScopes(name) ?? scopes).includes(scope));
  expect(leftOut('owner')).toEqual([]);
  const ofOwners = ['identity_providers', 'roles'].flatMap((name) => [`${name}:delete`, `${name}:write`]);
  expect(leftOut('administrator')).toEqual(ofOwners);
  expect(leftOut('auditor')).toEqual(scopes.filter((scope) => !scope.endsWith(':read')));
  const settings = ['admins', 'api_keys', 'audit_log', 'identity_providers', 'roles', 'sources', 'webhook_endpoints'];
  expect(leftOut('analyst').filter((scope) => scope.endsWith(':read'))).toEqual(settings.map((name) => `${name}:read`));
  const forbidden = /^(admins|api_keys|audit_log|learners|roles|scim|sources|webhook_endpoints)|:remind$|^corrections/;
  expect(roleScopes('author')!.filter((scope) => forbidden.test(scope))).toEqual([]);
  expect(scopesOfRole({ role: 'unknown', customScopes: null })).toEqual([]);
});

test('a manager has no scopes, and the scopes of the role are those of the operations open to managers', () => {
  expect(getPermissions({ role: 'manager', customScopes: null })).toEqual({ scopes: [], isManager: true });
  const open = keyedOperations.filter((operationId) => operations[operationId].managers !== null);
  expect([...new Set(open.map((operationId) => operations[operationId].scope!))].toSorted()).toEqual(
    roleScopes('manager'),
  );
});

test.each(builtInRoles.map(({ role }) => role))('%s can call each operation whose scope the role has', async (role) => {
  const handlers = Object.fromEntries(keyedOperations.map((operationId) => [operationId, () => 'done']));
  const own = { companyId: unknownId, queryOne: () => Promise.resolve({ id: unknownId }) };
  const access = { reader: () => own, writer: () => own, recordEntry: () => undefined } as unknown as TenantAccess;
  const invoke = createInvoke(access, handlers as unknown as Handlers, new DeniedCallAudit(access));
  const wrong: string[] = [];
  for (const operationId of keyedOperations) {
    const { accountKinds, callers, pathIds, method, path } = operations[operationId];
    if (!(callers as readonly string[]).includes('key')) continue;
    const caller: Caller = {
      ...{ companyId: unknownId, keyId: unknownId, modules: [], expiresAt: null },
      accountType: (accountKinds as readonly Caller['accountType'][] | null)?.[0] ?? 'tenant',
      ...getPermissions({ role, customScopes: null }),
      actor: { type: 'admin', id: unknownId },
      hasRecentProof: true,
    };
    const input = Object.fromEntries(pathIds.map((name) => [name, unknownId]));
    const outcome = await invoke(operationId, caller, input).catch((error: { code: string }) => error.code);
    const scope = document.paths[path]![method]!['x-scope']!;
    const isOpen = role !== 'manager' || document.paths[path]![method]!['x-managers'] === true;
    const isIncluded = role === 'owner' || (roleScopes(role)!.includes(scope) && isOpen);
    if (outcome !== (isIncluded ? 'done' : 'insufficient_scope')) wrong.push(`${operationId}: ${String(outcome)}`);
  }
  expect(wrong).toEqual([]);
});
