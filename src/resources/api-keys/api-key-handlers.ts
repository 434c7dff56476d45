import { getCallerKeyId } from '../../auth/caller.ts';
import type { Handler } from '../../contract/contract.ts';
import { endMadeByKey, findMadeByKey, listWorking, type MadeThings } from './made-by-keys.ts';
import * as repository from './api-key-repository.ts';
import { judgeExpiry, judgeRotation, judgeScopes, renewedExpiry } from './api-key-rules.ts';

const OVERLAP_HOURS = 24;

export const listApiKeys: Handler<'listApiKeys'> = (_input, tenant) => tenant.stream(repository.listApiKeys, {});

export const createApiKey: Handler<'createApiKey'> = ({ body }, tenant, caller) => {
  const scopes = judgeScopes(body.scopes, caller);
  const expiresAt = judgeExpiry(body.expiresAt, caller, new Date());
  const createdBy = getCallerKeyId(caller);
  return tenant.transaction((tx) => repository.insertApiKey(tx, { name: body.name, scopes, expiresAt, createdBy }));
};

export const rotateApiKey: Handler<'rotateApiKey'> = ({ apiKeyId, body }, tenant, caller) => {
  const { overlapHours = OVERLAP_HOURS } = body ?? {};
  return tenant.transaction(async (tx) => {
    // Locks the key limit before the key, in the same order as revoking does.
    await tx.mutate(repository.lockPlaces, {});
    const old = await repository.lockApiKey(tx, apiKeyId);
    const now = new Date();
    judgeRotation(old, caller, now);
    const { name, scopes } = old;
    const [expiresAt, createdBy] = [renewedExpiry(old, caller, now), getCallerKeyId(caller)];
    const issued = await repository.insertApiKey(tx, { name, scopes, expiresAt, createdBy });
    const replacement = { apiKeyId, replacedBy: issued.apiKey.id, overlapHours };
    return { ...issued, replaced: await repository.replaceApiKey(tx, replacement) };
  });
};

/** @param things statements about resources, other than keys, that keys create */
export function createRevokeHandler(things: MadeThings): Handler<'revokeApiKey'> {
  return ({ apiKeyId, includeCreated = false }, tenant) => {
    return tenant.transaction(async (tx) => {
      const apiKey = await repository.revokeApiKey(tx, apiKeyId);
      const made = await findMadeByKey(tx, apiKeyId);
      const created = includeCreated ? await endMadeByKey(tx, made, things) : await listWorking(tx, made, things);
      return { ...apiKey, created };
    });
  };
}
