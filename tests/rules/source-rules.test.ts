import { operations } from '../../src/contract/contract.ts';
import { SCOPES_OF_KIND } from '../../src/resources/sources/source-rules.ts';

test('a source needs the same scopes as a key for the same operations', () => {
  const scopes = new Map<string, string[]>(Object.keys(SCOPES_OF_KIND).map((kind) => [kind, []]));
  for (const { callers, scope } of Object.values(operations))
    for (const kind of callers) if (kind !== 'key' && scope !== null) scopes.get(kind)!.push(scope);
  // GoPhish has a separate operation, which no key can call.
  expect(Object.fromEntries(scopes)).toEqual({ ...SCOPES_OF_KIND, gophish: [] });
  expect(SCOPES_OF_KIND.gophish).toEqual([operations.recordSimulationEvents.scope]);
});
