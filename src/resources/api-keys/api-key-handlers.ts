import type { Handler } from '../../contract.ts';
import * as repository from './api-key-repository.ts';
import { judgeExpiry, judgeRotation, judgeScopes, renewedExpiry } from './api-key-rules.ts';

const OVERLAP_HOURS = 24;

export const listApiKeys: Handler<'listApiKeys'> = (_input, tenant) => tenant.rows(repository.listApiKeys, {});

export const createApiKey: Handler<'createApiKey'> = ({ body }, tenant, caller) => {
  const scopes = judgeScopes(body.scopes, caller);
  const expiresAt = judgeExpiry(body.expiresAt, caller, new Date());
  return tenant.transaction((tx) => repository.insertApiKey(tx, { name: body.name, scopes, expiresAt }));
};

export const rotateApiKey: Handler<'rotateApiKey'> = ({ apiKeyId, body }, tenant, caller) => {
  const { overlapHours = OVERLAP_HOURS } = body ?? {};
  return tenant.transaction(async (tx) => {
    const old = await repository.lockApiKey(tx, apiKeyId);
    const now = new Date();
    judgeRotation(old, caller, now);
    const { name, scopes } = old;
    const issued = await repository.insertApiKey(tx, { name, scopes, expiresAt: renewedExpiry(old, caller, now) });
    const replacement = { apiKeyId, replacedBy: issued.apiKey.id, overlapHours };
    return { ...issued, replaced: await repository.replaceApiKey(tx, replacement) };
  });
};

export const revokeApiKey: Handler<'revokeApiKey'> = ({ apiKeyId }, tenant) => {
  return repository.revokeApiKey(tenant, apiKeyId);
};
