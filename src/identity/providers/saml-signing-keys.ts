import type pg from 'pg';
import { NIL } from 'uuid';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { ApiError } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../db/tenant-session.ts';
import { createSigningKey, formatPrivateKey, readSigningKey, type SamlSigningKey } from '../saml/signing-key.ts';
import type { ProviderAccess } from './identity-providers.ts';

interface StoredKey {
  sealed: Buffer;
  certificate: string;
}

const find = pointQuery<{ providerId: string }, StoredKey>(
  'saml_signing_key_find',
  (p) => sql`
    select sealed_signing_key as sealed, signing_certificate as certificate from identity_providers
     where company_id = ${p.companyId} and id = ${p.providerId} and sealed_signing_key is not null`,
);

const insert = mutation<{ providerId: string } & StoredKey>(
  'saml_signing_key_insert',
  (p) => sql`
    update identity_providers set sealed_signing_key = ${p.sealed}, signing_certificate = ${p.certificate}
     where company_id = ${p.companyId} and id = ${p.providerId} and sealed_signing_key is null`,
);

/** The keys with which the service signs messages to SAML providers, one for each provider. */
export class SamlSigningKeys {
  readonly #pool: pg.Pool;
  readonly #secrets: SealedSecrets;

  constructor(pool: pg.Pool, secrets: SealedSecrets) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /**
   * Returns the key of a provider, and creates it on first use; undefined if the operator has not set a key that seals
   * or opens secrets.
   */
  async find({
    companyId,
    id: providerId,
  }: Pick<ProviderAccess, 'companyId' | 'id'>): Promise<SamlSigningKey | undefined> {
    try {
      this.#secrets.requireKey();
      const reader = createTenantReader(this.#pool, companyId, NIL);
      const stored = await reader.queryOne(find, { providerId });
      if (stored) return this.#open(stored, providerId);
      const created = await createSigningKey('Security awareness');
      const sealed = this.#secrets.seal(formatPrivateKey(created), providerId);
      const row = { providerId, sealed, certificate: created.certificate };
      await createTenantWriter(this.#pool, companyId).mutate(insert, row);
      // Another request might have stored its key first.
      const current = await reader.queryOne(find, { providerId });
      return current && this.#open(current, providerId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'secrets_key_missing') return undefined;
      throw error;
    }
  }

  #open({ sealed, certificate }: StoredKey, providerId: string): SamlSigningKey {
    return readSigningKey(this.#secrets.openBytes(sealed, providerId), certificate);
  }
}
