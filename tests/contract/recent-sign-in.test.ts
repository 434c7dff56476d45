import { operations } from '../../generated/operations.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import type { Caller } from '../../src/auth/caller.ts';
import { DeniedCallAudit } from '../../src/auth/denied-call-audit.ts';
import type { TenantAccess } from '../../src/auth/tenant-access.ts';
import { personOperations } from '../../src/contract/person-operations.ts';
import { createInvoke } from '../../src/operations/invoke.ts';
import type { Handlers } from '../../src/operations/operations.ts';
import { keyedOperations } from '../support/contract-requests.ts';
import { unknownId } from '../support/world.ts';

type Described = Record<string, Record<string, { operationId?: string; description: string }>>;

const ofKeys = keyedOperations.filter((id) => (operations[id].callers as readonly string[]).includes('key'));
const asking = ofKeys.filter((id) => operations[id].recentSignIn);
const handlers = Object.fromEntries(
  [...keyedOperations, ...Object.keys(personOperations)].map((operationId) => [operationId, () => 'done']),
);
const own = { companyId: unknownId };
const access = { reader: () => own, writer: () => own, recordEntry: () => undefined } as unknown as TenantAccess;
const invoke = createInvoke(access, handlers as unknown as Handlers, new DeniedCallAudit(access));

function callWith(operationId: (typeof ofKeys)[number], caller: Partial<Caller>): Promise<unknown> {
  const { accountKinds, pathIds } = operations[operationId];
  const all: Caller = {
    ...{ companyId: unknownId, keyId: unknownId, modules: [], expiresAt: null, scopes: null },
    accountType: (accountKinds as readonly Caller['accountType'][] | null)?.[0] ?? 'tenant',
    ...caller,
  };
  const input = Object.fromEntries(pathIds.map((name) => [name, unknownId]));
  return invoke(operationId, all, input).catch((error: { code: string }) => error.code);
}
const admin = { actor: { type: 'admin', id: unknownId } } as const;

test('operations of each kind ask for confirmation again', () => {
  expect(asking).toEqual(
    expect.arrayContaining(['createApiKey', 'updateRole', 'updateAdmin', 'correctRecords', 'approveSimulation']),
  );
  expect(asking).not.toContain('listApiKeys');
});

test.each(asking)('%s asks an admin to confirm again, unless the last proof is recent', async (operationId) => {
  expect(await callWith(operationId, { ...admin, hasRecentProof: false })).toBe('recent_sign_in_required');
  // An admin whose last proof is unknown must also confirm.
  expect(await callWith(operationId, admin)).toBe('recent_sign_in_required');
  expect(await callWith(operationId, { ...admin, hasRecentProof: true })).toBe('done');
});

test.each(asking)('%s asks neither a key nor an AI client to confirm', async (operationId) => {
  expect(await callWith(operationId, {})).toBe('done');
  expect(await callWith(operationId, { actor: { type: 'grant', id: unknownId } })).toBe('done');
});

test('no other operation asks for confirmation', async () => {
  for (const operationId of ofKeys.filter((id) => !asking.includes(id)))
    expect([operationId, await callWith(operationId, { ...admin, hasRecentProof: false })]).toEqual([
      operationId,
      'done',
    ]);
});

test('an operation that the role does not permit is rejected without asking for confirmation', async () => {
  expect(await callWith('createApiKey', { ...admin, scopes: [], hasRecentProof: false })).toBe('insufficient_scope');
});

test('descriptions state which operations ask for confirmation again', () => {
  const described = Object.values(document.paths as unknown as Described).flatMap((methods) => Object.values(methods));
  const stating = described.filter(({ description }) => description?.includes('recent_sign_in_required'));
  expect(stating.map(({ operationId }) => operationId).toSorted()).toEqual(asking.toSorted());
});
