import { open, unlink } from 'node:fs/promises';
import type { Knex } from 'knex';
import { createApiKey } from '../../auth/api-key.ts';
import { CommandError } from '../command.ts';
import type { Company } from './company-commands.ts';
import { insertKeys, type KeySettings, formatExpiry } from './key-rows.ts';

/**
 * Creates a key for each child that a company manages, and writes the keys into a new file. If anything fails, no key
 * is created and the file is deleted.
 */
export async function issueForChildren(
  database: Knex,
  parent: Company,
  settings: KeySettings,
  file: string,
): Promise<void> {
  const children = await listChildren(database, parent);
  const issued = children.map((child) => ({ child, key: createApiKey() }));
  await withNewFile(file, async (write) => {
    await database.transaction(async (transaction) => {
      const keys = issued.map(({ child, key }) => ({ companyId: child.id, key }));
      await insertKeys(transaction, keys, settings);
      const lines = issued.map(({ child, key }) => ({ companyId: child.id, company: child.name, key: key.key }));
      await write(`${JSON.stringify(lines, null, 2)}\n`);
    });
  });
  process.stderr.write(
    `${issued.length} keys of the children of ${parent.name} work ${formatExpiry(settings)}. They are in ${file}; move it to your secret store.\n`,
  );
}

async function listChildren(database: Knex, parent: Company): Promise<Company[]> {
  const children = await database<Company>('companies')
    .whereRaw('managed_by @> array[?::uuid]', [parent.id])
    .whereIn('account_type', ['tenant', 'prospect'])
    .orderBy(['created_at', 'id']);
  if (children.length === 0) throw new CommandError(`${parent.name} has no child companies.`);
  return children;
}

/** Creates a file that only its owner can read, and deletes it if the work fails. */
async function withNewFile(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandError(`${file} already exists; name a new file for the keys.`);
    throw new CommandError(`Cannot write ${file}: ${error.code}.`);
  });
  try {
    await work(async (text) => {
      await handle.writeFile(text);
      await handle.sync();
    });
  } catch (error) {
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
}
