import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

interface Settings {
  minGroupSize: number | null;
}

/**
 * Minimum group size of a company that has not set one. Five is the usual minimum for anonymous surveys of employees.
 */
const DEFAULT_MIN_GROUP_SIZE = 5;

const stored = pointQuery<object, Settings>('company_settings', (p, knex) =>
  knex('company_settings').where({ company_id: p.companyId }).select({ minGroupSize: 'min_group_size' }),
);

/** Finds the settings of a company, or the defaults. */
export async function findSettings(tenant: TenantReader): Promise<Settings> {
  return (await tenant.queryOne(stored, {})) ?? { minGroupSize: null };
}

/** Finds the fewest people whose mean is shown, in reports that always need some. */
export async function findMinGroupSize(tenant: TenantReader): Promise<number> {
  return (await findSettings(tenant)).minGroupSize ?? DEFAULT_MIN_GROUP_SIZE;
}

const update = mutation<Settings, Settings>(
  'company_settings_update',
  (p) => sql`
    insert into company_settings as c (company_id, min_group_size) values (${p.companyId}, ${p.minGroupSize})
    on conflict (company_id) do update set min_group_size = excluded.min_group_size
    returning c.min_group_size as "minGroupSize"`,
  { minGroupSize: 5 },
);

export async function updateSettings(tenant: TenantWriter, settings: Settings): Promise<Settings> {
  return (await tenant.mutate(update, settings))[0]!;
}
