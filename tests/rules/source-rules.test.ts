import { operations } from '../../src/contract/contract.ts';
import { SCOPE_OF_KIND } from '../../src/resources/sources/source-rules.ts';

test('a source needs the same scope as a key for the same operations', () => {
  for (const { callers, scope } of Object.values(operations))
    for (const kind of callers) if (kind !== 'key' && scope !== null) expect(SCOPE_OF_KIND[kind]).toBe(scope);
  expect(SCOPE_OF_KIND.gophish).toBe(operations.recordSimulationEvents.scope);
});
