import { deprecations } from '../../../generated/operations.ts';
import type { Handler } from '../../contract/contract.ts';
import * as repository from './deprecated-use-repository.ts';

const deprecatedNow: Record<string, readonly { at: string; sunset: string }[]> = deprecations;

export const listDeprecatedUses: Handler<'listDeprecatedUses'> = (_input, tenant) =>
  tenant.stream(repository.listDeprecatedUses, {}).map(({ firstUsedAt, lastUsedAt, ...use }) => {
    const deprecation = deprecatedNow[use.operationId]?.find(({ at }) => at === use.part);
    return { ...use, sunset: deprecation?.sunset ?? null, firstUsedAt, lastUsedAt };
  });
