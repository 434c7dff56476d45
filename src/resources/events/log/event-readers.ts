import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';

interface FreshReads {
  own: boolean;
  children: boolean;
}

const fresh = pointQuery<object, FreshReads>(
  'event_reader_fresh',
  (p) => sql`
    select coalesce(own_read_at > now() - interval '1 hour', false) as own,
           coalesce(children_read_at > now() - interval '1 hour', false) as children
      from event_readers where company_id = ${p.companyId}`,
);

const recordOwn = mutation(
  'event_reader_own',
  (p) => sql`
    insert into event_readers as r (company_id, own_read_at) values (${p.companyId}, statement_timestamp())
    on conflict (company_id) do update set own_read_at = excluded.own_read_at`,
);

const recordChildren = mutation(
  'event_reader_children',
  (p) => sql`
    insert into event_readers as r (company_id, children_read_at) values (${p.companyId}, statement_timestamp())
    on conflict (company_id) do update set children_read_at = excluded.children_read_at`,
);

/**
 * Records, at most once an hour, that the events of the company, or of all companies below it, are read. From then on,
 * changes write events until a month has passed without a recorded read.
 * @param reader handle of the company that reads
 */
export async function recordEventReader(reader: TenantWriter, whose: keyof FreshReads): Promise<void> {
  if ((await reader.queryOne(fresh, {}))?.[whose]) return;
  await reader.mutate(whose === 'own' ? recordOwn : recordChildren, {});
}
