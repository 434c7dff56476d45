/** @jest-environment node */
import type { Caller, SourceKind } from '../../src/auth/caller.ts';
import { operations, type OperationId, personOperations, scimOperations } from '../../src/contract/contract.ts';
import { createInvoke } from '../../src/operations/invoke.ts';

const names = Object.keys(operations) as OperationId[];
const callersOf = (name: OperationId): readonly string[] => operations[name].callers;

const sourceOf = (kind: SourceKind) => {
  const company = { companyId: 'c', accountType: 'tenant', modules: ['smphish'], scopes: null, expiresAt: null };
  return { ...company, keyId: 's', source: { id: 's', kind } } as Caller;
};
const unreachable = new Proxy({}, { get: () => () => Promise.reject(new Error('It got through')) });
const unwatched = { record: (_call: unknown, act: () => unknown) => act() };
const invoke = createInvoke(unreachable as never, unreachable as never, unwatched as never);

test.each([
  ['gophish', ['receiveGoPhishEvent']],
  ['reported_messages', ['reportMessage']],
  ['xapi', ['recordCourseResults', 'correctRecords']],
] as const)('a source of kind %s may call only %s', (kind, its) => {
  expect(names.filter((name) => callersOf(name).includes(kind))).toEqual(its);
});

test.each(['gophish', 'reported_messages', 'xapi'] as const)(
  'a source of kind %s cannot call other operations',
  async (kind) => {
    const others = names.filter((name) => callersOf(name).length > 0 && !callersOf(name).includes(kind));
    expect(others.length).toBeGreaterThan(50);
    for (const name of others) {
      await expect(invoke(name as never, sourceOf(kind), {})).rejects.toMatchObject({ code: 'forbidden' });
    }
  },
);

test('a key cannot call the operations of sources', async () => {
  const key = { ...sourceOf('gophish'), source: undefined } as unknown as Caller;
  await expect(invoke('receiveGoPhishEvent', key, {})).rejects.toMatchObject({ code: 'forbidden' });
});

const person = (type: 'admin' | 'learner') => {
  return { ...sourceOf('xapi'), source: undefined, actor: { type, id: 'p' } } as unknown as Caller;
};

test('learners cannot call operations of keys and admins, nor admins operations of learners', async () => {
  const keyed = names.filter((name) => callersOf(name).length > 0);
  for (const name of [...keyed, ...Object.keys(scimOperations), 'finishAdminSetup', 'listOpenSimulations']) {
    await expect(invoke(name as never, person('learner'), {})).rejects.toMatchObject({ code: 'forbidden' });
  }
  for (const [name, { callers }] of Object.entries(personOperations)) {
    if (callers.includes('admin')) continue;
    await expect(invoke(name as never, person('admin'), {})).rejects.toMatchObject({ code: 'forbidden' });
  }
});

test('keys and sources cannot call the operations of people', async () => {
  for (const name of Object.keys(personOperations)) {
    for (const source of [undefined, { id: 's', kind: 'xapi' }]) {
      const caller = { ...sourceOf('xapi'), source } as unknown as Caller;
      await expect(invoke(name as never, caller, {})).rejects.toMatchObject({ code: 'forbidden' });
    }
  }
});

test('a learner acts only as themselves, regardless of the learnerId that the page sends', async () => {
  const inputs: unknown[] = [];
  const handlers = { listOwnPolicies: (input: unknown) => inputs.push(input) };
  const access = { reader: () => ({ companyId: 'c' }) };
  const own = createInvoke(access as never, handlers as never, unwatched as never);
  await own('listOwnPolicies', person('learner'), { learnerId: 'another' });
  expect(inputs).toEqual([{ learnerId: 'p' }]);
});
