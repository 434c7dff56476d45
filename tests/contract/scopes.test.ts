/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import type { Caller } from '../../src/auth/caller.ts';
import { DeniedCallAudit } from '../../src/auth/denied-call-audit.ts';
import type { TenantAccess } from '../../src/auth/tenant-access.ts';
import { operations, scopes } from '../../src/contract/contract.ts';
import { createInvoke } from '../../src/operations/invoke.ts';
import type { Handlers } from '../../src/operations/operations.ts';
import { expectError, send } from '../support/client.ts';
import { exampleBody, exampleFile, isUpload, keyedOperations, requestLine } from '../support/contract-requests.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { unknownId } from '../support/world.ts';

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { 'x-scope'?: string }>>;
};

async function ask(operationId: (typeof keyedOperations)[number], key: string) {
  const { method, path } = requestLine(operationId, unknownId);
  const body = exampleBody(operationId);
  const sent = isUpload(operationId)
    ? { body: exampleFile(operationId).bytes, type: exampleFile(operationId).type }
    : { body: body === undefined ? undefined : JSON.stringify(body), type: 'application/json' };
  const headers = { authorization: `Bearer ${key}`, ...(sent.body !== undefined && { 'content-type': sent.type }) };
  return send(method, path, { headers, ...(sent.body !== undefined && { body: sent.body }) });
}

describe.each(scopes)('a key with only the scope %s', (scope) => {
  const opened = keyedOperations.filter((operationId) => operations[operationId].scope === scope);

  test('can call the operations of that scope over HTTP', async () => {
    const key = await keyWith('msp', [scope]);
    for (const operationId of opened) {
      const { status, headers } = await ask(operationId, key);
      expect({ operationId, status: status === 401 }).toEqual({ operationId, status: false });
      expect(headers.get('www-authenticate') ?? '').not.toContain(`scope="${scope}"`);
    }
  });

  test('has no substitute: a key with all other scopes gets 403 with the missing scope', async () => {
    const key = await keyWith(
      'msp',
      scopes.filter((one) => one !== scope),
    );
    for (const operationId of opened) {
      const answer = await ask(operationId, key);
      expectError(answer, 403, 'insufficient_scope', ['header/authorization']);
      expect(answer.body.error!.details[0]!.message).toBe(`requires the scope ${scope}`);
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    }
  });
});

test('each operation with each single scope is allowed or denied as the contract says', async () => {
  const handlers = Object.fromEntries(keyedOperations.map((operationId) => [operationId, () => 'done']));
  const own = { companyId: unknownId };
  const access = { reader: () => own, writer: () => own, recordEntry: () => undefined } as unknown as TenantAccess;
  const invoke = createInvoke(access, handlers as unknown as Handlers, new DeniedCallAudit(access));
  const wrong: string[] = [];
  for (const operationId of keyedOperations) {
    const { accountKinds, pathIds, method, path } = operations[operationId];
    const accountType = (accountKinds as readonly Caller['accountType'][] | null)?.[0] ?? 'tenant';
    const input = Object.fromEntries(pathIds.map((name) => [name, unknownId]));
    const wanted = document.paths[path]![method]!['x-scope'];
    for (const scope of scopes) {
      const caller = {
        companyId: unknownId,
        keyId: unknownId,
        accountType,
        modules: [],
        scopes: [scope],
        expiresAt: null,
      };
      const outcome = await invoke(operationId, caller, input).catch((error: { code: string }) => error.code);
      if (outcome !== (scope === wanted ? 'done' : 'insufficient_scope')) wrong.push(`${operationId} with ${scope}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('reminders, simulations and deletions have their own scopes', () => {
  expect(operations.sendCourseReminders.scope).toBe('courses:remind');
  expect(operations.scheduleSimulation.scope).toBe('simulations:send');
  expect(operations.deleteLearners.scope).toBe('learners:delete');
  expect(operations.updateLearner.scope).toBe('learners:write');
});
