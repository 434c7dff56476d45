import { v7 as uuidv7 } from 'uuid';
import type { NewApiKey } from '../../auth/api-key.ts';

/** What the keys of one call have in common. */
export interface KeySettings {
  name: string;
  scopes: string[] | null;
  expires_at: Date | null;
}

/** A row of `api_keys`. */
export function rowOf(companyId: string, { publicId, keyHash }: NewApiKey, settings: KeySettings): object {
  return { id: uuidv7(), company_id: companyId, public_id: publicId, key_hash: keyHash, ...settings };
}

export function untilOf({ expires_at: expiresAt }: KeySettings): string {
  return expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is revoked';
}
