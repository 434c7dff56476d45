/** @jest-environment node */
import type { Caller, SourceKind } from '../../src/auth/caller.ts';
import { operations, type OperationId } from '../../src/contract/contract.ts';
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
  ['xapi', ['recordCourseResults']],
] as const)('a source of kind %s may call %s alone', (kind, its) => {
  expect(names.filter((name) => callersOf(name).includes(kind))).toEqual(its);
});

test.each(['gophish', 'reported_messages', 'xapi'] as const)(
  'the pipeline refuses a source of kind %s the rest',
  async (kind) => {
    const others = names.filter((name) => callersOf(name).length > 0 && !callersOf(name).includes(kind));
    expect(others.length).toBeGreaterThan(50);
    for (const name of others) {
      await expect(invoke(name as never, sourceOf(kind), {})).rejects.toMatchObject({ code: 'forbidden' });
    }
  },
);

test('it refuses a key what is for sources', async () => {
  const key = { ...sourceOf('gophish'), source: undefined } as unknown as Caller;
  await expect(invoke('receiveGoPhishEvent', key, {})).rejects.toMatchObject({ code: 'forbidden' });
});
