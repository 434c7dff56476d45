import { createApiKey } from '../../src/auth/api-key.ts';
import { type CompanyName, companies } from './world.ts';

interface KeyOptions {
  expiresAt?: Date | null;
}

/** Stores and returns a new key of a company with these scopes. With `null`, the key can call every operation. */
export async function keyWith(
  company: CompanyName,
  scopes: readonly string[] | null,
  { expiresAt = null }: KeyOptions = {},
): Promise<string> {
  const { key, publicId, keyHash } = createApiKey();
  await testService.query(
    `insert into api_keys (id, company_id, public_id, key_hash, name, scopes, expires_at)
     values (new_id(), $1, $2, $3, 'scoped', $4, $5)`,
    [companies[company], publicId, keyHash, scopes, expiresAt],
  );
  return key;
}
