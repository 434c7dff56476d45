import type { SourceKind } from '../../auth/caller.ts';
import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pagedQuery, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

type Source = Schemas['Source'];

/** Stored form of a secret. */
export interface StoredSecret {
  secretHash: Buffer;
  /** Encrypted secret; null for kinds of source whose secret is only compared. */
  sealedSecret: Buffer | null;
}

const SOURCE = sql`
  id, name, kind, created_at as "createdAt", rotated_at as "rotatedAt", previous_until as "previousSecretUntil",
  last_used_at as "lastUsedAt", created_by as "createdBy"`;

export const listSources = pagedQuery<object, Source>(
  'source_list',
  BY_ID,
  (p) => sql`select ${SOURCE} from sources where company_id = ${p.companyId}`,
);

type NewSource = StoredSecret & Pick<Source, 'id' | 'name' | 'kind' | 'createdBy'>;

const insert = mutation<NewSource, Source>(
  'source_insert',
  (p) => sql`
    insert into sources (company_id, id, name, kind, secret_hash, sealed_secret, created_by)
    values (${p.companyId}, ${p.id}, ${p.name}, ${p.kind}, ${p.secretHash}, ${p.sealedSecret}, ${p.createdBy})
    returning ${SOURCE}`,
  { kind: 'gophish' },
);

export async function insertSource(tenant: TenantWriter, source: NewSource): Promise<Source> {
  return (await tenant.mutate(insert, source))[0]!;
}

const lock = mutation<{ sourceId: string }, { kind: SourceKind }>('source_lock', (p, knex) =>
  knex('sources').select('kind').where({ company_id: p.companyId, id: p.sourceId }).forUpdate(),
);

/** Locks the row of a source until the transaction ends, and returns the source. @throws not_found */
export async function lockSource(tenant: TenantWriter, sourceId: string): Promise<{ kind: SourceKind }> {
  return requireFound((await tenant.mutate(lock, { sourceId }))[0], 'source');
}

const rotate = mutation<StoredSecret & { sourceId: string }, Source>(
  'source_rotate',
  (p) => sql`
    update sources
       set previous_hash = secret_hash, previous_sealed = sealed_secret,
           previous_until = statement_timestamp() + interval '24 hours',
           secret_hash = ${p.secretHash}, sealed_secret = ${p.sealedSecret}, rotated_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.sourceId}
    returning ${SOURCE}`,
);

/**
 * Replaces the secret of a locked source. The previous secret works for another 24 hours; earlier secrets stop working
 * at once.
 */
export async function rotateSecret(
  tenant: TenantWriter,
  rotated: StoredSecret & { sourceId: string },
): Promise<Source> {
  return (await tenant.mutate(rotate, rotated))[0]!;
}

const remove = mutation<{ sourceId: string }, { id: string }>('source_remove', (p, knex) =>
  knex('sources').where({ company_id: p.companyId, id: p.sourceId }).delete().returning('id'),
);

/** Removes a source; keeps the facts that it recorded. @throws not_found */
export async function removeSource(tenant: TenantWriter, sourceId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { sourceId }))[0], 'source');
}

interface Makers {
  apiKeyIds: string[];
}

/** Statements about the sources that API keys have created. */
export const sourcesOfKeys = {
  list: query<Makers, Source>(
    'source_made_by_keys',
    (p) => sql`
      select ${SOURCE} from sources
       where company_id = ${p.companyId} and created_by = any(${p.apiKeyIds}::uuid[]) order by id`,
  ),
  end: mutation<Makers, Source>(
    'source_remove_made_by_keys',
    (p) => sql`
      delete from sources where company_id = ${p.companyId} and created_by = any(${p.apiKeyIds}::uuid[])
      returning ${SOURCE}`,
  ),
};
