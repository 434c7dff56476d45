import type { Schemas } from '../../contract.ts';
import { sql } from '../../db/sql.ts';
import { change, lookup } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

type Settings = Pick<Schemas['SimulationSettings'], 'headerSecret' | 'stopped' | 'stoppedAt'>;

const settings = sql`c.header_secret as "headerSecret", c.stopped_at is not null as stopped, c.stopped_at as "stoppedAt"`;

const stored = lookup<object, Settings>(
  'simulation_settings_stored',
  (p) => sql`select ${settings} from simulation_settings c where c.company_id = ${p.companyId}`,
);

/** The settings of a company, which may have none yet. */
export async function findSettings(tenant: TenantReader): Promise<Settings> {
  return (await tenant.find(stored, {})) ?? { headerSecret: null, stopped: false, stoppedAt: null };
}

// What is stopped already has been since then.
const stop = change<{ stoppedAt: string | null; headerSecret: string }, Settings>(
  'simulation_settings_stop',
  (p) => sql`
    insert into simulation_settings as c (company_id, header_secret, stopped_at)
    values (${p.companyId}, ${p.headerSecret}, ${p.stoppedAt})
    on conflict (company_id)
      do update set stopped_at = case when excluded.stopped_at is not null
                                      then coalesce(c.stopped_at, excluded.stopped_at) end
    returning ${settings}`,
);

/** @param headerSecret for a company that has no settings yet */
export async function setStopped(tenant: TenantWriter, stopped: boolean, headerSecret: string): Promise<Settings> {
  const stoppedAt = stopped ? new Date().toISOString() : null;
  return (await tenant.run(stop, { stoppedAt, headerSecret }))[0]!;
}

const replace = change<{ headerSecret: string }, Settings>(
  'simulation_settings_replace_secret',
  (p) => sql`
    insert into simulation_settings as c (company_id, header_secret) values (${p.companyId}, ${p.headerSecret})
    on conflict (company_id) do update set header_secret = excluded.header_secret
    returning ${settings}`,
);

export async function replaceSecret(tenant: TenantWriter, headerSecret: string): Promise<Settings> {
  return (await tenant.run(replace, { headerSecret }))[0]!;
}
