import type { Schemas } from '../../../contract/contract.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';

type Settings = Pick<Schemas['SimulationSettings'], 'headerSecret' | 'stopped' | 'stoppedAt' | 'scannerNetworks'>;

const settings = sql`
  c.header_secret as "headerSecret", c.stopped_at is not null as stopped, c.stopped_at as "stoppedAt",
  c.scanner_networks as "scannerNetworks"`;

export const scannerNetworks = (p: Parameters<object>): Sql => sql`
  coalesce((select c.scanner_networks from simulation_settings c where c.company_id = ${p.companyId}), '{}')`;

const stored = pointQuery<object, Settings>(
  'simulation_settings_stored',
  (p) => sql`select ${settings} from simulation_settings c where c.company_id = ${p.companyId}`,
);

/** Finds the settings of a company, or the defaults. */
export async function findSettings(tenant: TenantReader): Promise<Settings> {
  return (
    (await tenant.queryOne(stored, {})) ?? { headerSecret: null, stopped: false, stoppedAt: null, scannerNetworks: [] }
  );
}

interface Changes {
  /** Whether sending is stopped; null for no change. */
  stopped: boolean | null;
  /** Networks of the company's scanners; null for no change. */
  scannerNetworks: string[] | null;
}

// Stopping again does not change the time of the stop.
const update = mutation<Changes & { stoppedAt: string | null; headerSecret: string }, Settings>(
  'simulation_settings_update',
  (p) => sql`
    insert into simulation_settings as c (company_id, header_secret, stopped_at, scanner_networks)
    values (${p.companyId}, ${p.headerSecret}, ${p.stoppedAt}, coalesce(${p.scannerNetworks}::text[], '{}'))
    on conflict (company_id)
      do update set stopped_at = case when ${p.stopped}::boolean is null then c.stopped_at
                                      when excluded.stopped_at is not null
                                      then coalesce(c.stopped_at, excluded.stopped_at) end,
                    scanner_networks = coalesce(${p.scannerNetworks}::text[], c.scanner_networks)
    returning ${settings}`,
);

/** Updates the settings. @param headerSecret secret to store if the company has no settings yet */
export async function updateSettings(tenant: TenantWriter, changes: Changes, headerSecret: string): Promise<Settings> {
  const stoppedAt = changes.stopped ? new Date().toISOString() : null;
  return (await tenant.mutate(update, { ...changes, stoppedAt, headerSecret }))[0]!;
}

const replace = mutation<{ headerSecret: string }, Settings>(
  'simulation_settings_replace_secret',
  (p) => sql`
    insert into simulation_settings as c (company_id, header_secret) values (${p.companyId}, ${p.headerSecret})
    on conflict (company_id) do update set header_secret = excluded.header_secret
    returning ${settings}`,
);

export async function replaceSecret(tenant: TenantWriter, headerSecret: string): Promise<Settings> {
  return (await tenant.mutate(replace, { headerSecret }))[0]!;
}
