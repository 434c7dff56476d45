import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { WrittenTemplate } from '../../resources/simulations/templates/written-templates.ts';
import { CommandError } from '../command.ts';

const MANAGED = '00000000-0000-0000-0000-000000000000';

/**
 * Changes the managed templates of simulations to match the authored ones, within a transaction. Retired templates stay
 * retired. Returns the changes, line by line.
 * @throws {CommandError} if the delivery method of a template has changed: existing simulations with the template were
 *   planned for the previous method
 */
export async function loadTemplates(
  transaction: Knex.Transaction,
  templates: readonly WrittenTemplate[],
  dryRun: boolean,
): Promise<string[]> {
  const rows = await transaction('simulation_templates')
    .where({ owner_id: MANAGED })
    .select<(Columns & { id: string })[]>('id', 'name', 'delivery_method', 'difficulty', 'locales', 'content');
  const stored = new Map(rows.map(({ id, ...columns }) => [id, columns]));
  const lines: string[] = [];
  for (const template of templates) {
    const [before, columns] = [stored.get(template.id), toTemplateColumns(template)];
    if (before && before.delivery_method !== columns.delivery_method)
      throw new CommandError(`${template.slug} is invalid: its delivery method must stay ${before.delivery_method}.`);
    if (isDeepStrictEqual(before, columns)) continue;
    lines.push(`${before ? 'changed  ' : 'new      '} ${columns.name}`);
    if (!dryRun) await write(transaction, template.id, columns);
  }
  const made = templates.filter(({ id }) => !stored.has(id)).length;
  const counts = `${made} new, ${lines.length - made} changed, ${templates.length - lines.length} unchanged`;
  return [...lines, `Simulation templates: ${counts}.`];
}

type Columns = ReturnType<typeof toTemplateColumns>;

function toTemplateColumns({ names, deliveryMethod, difficulty, languages, content }: WrittenTemplate) {
  return { name: names.en, delivery_method: deliveryMethod, difficulty, locales: languages, content };
}

async function write(transaction: Knex.Transaction, id: string, columns: Columns): Promise<void> {
  const written = { ...columns, updated_at: transaction.fn.now() };
  // Lists the columns by name, because Citus accepts no function in an update of a conflicting row.
  await transaction('simulation_templates')
    .insert({ owner_id: MANAGED, id, ...written })
    .onConflict(['owner_id', 'id'])
    .merge(Object.keys(written));
}
