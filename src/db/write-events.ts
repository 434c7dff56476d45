import type { components } from '../../generated/api-types.ts';
import { sql } from './sql.ts';
import { mutation } from './statement.ts';
import type { TenantWriter } from './tenant.ts';

/** An event with ids, times and numbers, but never a name or an e-mail address. */
export interface NewEvent {
  type: components['schemas']['EventTypeFilter'];
  data: Record<string, unknown>;
}

const write = mutation<{ types: string[]; facts: string[] }>(
  'event_write',
  (p) => sql`
    select write_events(${p.companyId}, ${p.types}::text[], ${p.facts}::jsonb[]) where events_are_read(${p.companyId})`,
  { facts: ['{}', '{}'] },
);

/**
 * Writes events that no trigger writes, in the transaction of the change. Does nothing for a company whose events
 * nobody reads.
 */
export async function writeEvents(tenant: TenantWriter, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tenant.mutate(write, {
    types: events.map(({ type }) => type),
    facts: events.map(({ data }) => JSON.stringify(data)),
  });
}
