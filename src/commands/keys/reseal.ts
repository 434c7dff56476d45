import type { Knex } from 'knex';
import { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { readEnvironment } from '../../config/secret-files.ts';
import { ConfigError, encryptionKeys } from '../../config/variables.ts';
import { CommandError } from '../command.ts';
import type { Command } from './command.ts';

/** The columns with sealed secrets. Each secret is sealed for the id of its row. */
const SEALED_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['sources', 'sealed_secret'],
  ['sources', 'previous_sealed'],
  ['webhook_endpoints', 'sealed_secret'],
  ['webhook_endpoints', 'previous_sealed'],
  ['identity_providers', 'sealed_client_secret'],
  ['identity_providers', 'sealed_signing_key'],
];
const BATCH = 500;

export const reseal: Command = {
  summary: 'encrypt all stored secrets with a new SECRETS_KEY',
  help: `Encrypts the stored secrets of sources, webhook endpoints and identity providers with
the first key of SECRETS_KEY. The service can run meanwhile. To change the key:

  1. Set SECRETS_KEY=old,new for all processes and restart them, so that all can
     open what one of them encrypts with the new key.
  2. Set SECRETS_KEY=new,old for all processes and restart them.
  3. Run this command with the same SECRETS_KEY, until it encrypts 0 secrets.
  4. A day later, set SECRETS_KEY=new. Until then, responses stored for an
     Idempotency-Key can need the old key.

Secrets that none of the keys can open are counted and left unchanged. Running the
command again changes nothing.

Usage: keys reseal`,
  options: {},
  prepare() {
    const keys = encryptionKeys(readEnvironment(), 'SECRETS_KEY');
    if (keys.length === 0) throw new ConfigError('SECRETS_KEY is required; list the new key first');
    const secrets = new SealedSecrets(keys);
    return async (database) => {
      const total = { resealed: 0, unopened: 0 };
      for (const place of SEALED_COLUMNS) {
        const { resealed, unopened } = await resealColumn(database, secrets, place);
        total.resealed += resealed;
        total.unopened += unopened;
      }
      console.log(`${total.resealed} secrets encrypted with the new key.`);
      if (total.unopened > 0)
        throw new CommandError(`No key in SECRETS_KEY can open ${total.unopened} stored secrets.`);
    };
  },
};

interface SealedRow {
  company_id: string;
  id: string;
  sealed: Buffer;
}

/** Reseals a column. A secret that the service replaces at the same time keeps its new value. */
async function resealColumn(
  database: Knex,
  secrets: SealedSecrets,
  [table, column]: readonly [string, string],
): Promise<{ resealed: number; unopened: number }> {
  const counts = { resealed: 0, unopened: 0 };
  for (let after: SealedRow | undefined; ;) {
    const rows = await readBatch(database, [table, column], after);
    for (const { company_id, id, sealed } of rows) {
      if (secrets.isSealedByFirst(sealed)) continue;
      const renewed = openOrUndefined(secrets, sealed, id);
      if (renewed === undefined) counts.unopened += 1;
      else {
        const changes = { [column]: secrets.seal(renewed, id) };
        counts.resealed += await database(table)
          .where({ company_id, id, [column]: sealed })
          .update(changes);
      }
    }
    if (rows.length < BATCH) return counts;
    after = rows.at(-1);
  }
}

function readBatch(
  database: Knex,
  [table, column]: readonly [string, string],
  after: SealedRow | undefined,
): Promise<SealedRow[]> {
  const rows = database(table)
    .whereNotNull(column)
    .orderBy(['company_id', 'id'])
    .limit(BATCH)
    .select<SealedRow[]>('company_id', 'id', { sealed: column });
  return after ? rows.whereRaw('(company_id, id) > (?, ?)', [after.company_id, after.id]) : rows;
}

function openOrUndefined(secrets: SealedSecrets, sealed: Buffer, id: string): Buffer | undefined {
  try {
    return secrets.openBytes(sealed, id);
  } catch {
    return undefined;
  }
}
