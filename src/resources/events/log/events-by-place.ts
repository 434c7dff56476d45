import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

/** Positions of events: the n-th id in the n-th transaction of the n-th company. */
export interface EventPlaces {
  companies: string[];
  /** Transaction ids in decimal digits. */
  transactionIds: string[];
  ids: string[];
}

const columns = sql`e.company_id as "companyId", e.id, e.type, e.occurred_at as timestamp, e.data`;

const ofCompany = query<EventPlaces, Schemas['Event']>(
  'event_at',
  (p) => sql`
    select ${columns}
      from unnest(${p.companies}::uuid[], ${p.transactionIds}::text[]::xid8[], ${p.ids}::uuid[]) as a (company, transaction_id, id)
     cross join lateral (select * from events l
                          where l.company_id = ${p.companyId} and l.company_id = a.company and l.transaction_id = a.transaction_id
                            and l.id = a.id offset 0) as e`,
  { transactionIds: ['3', '4'] },
);

const ofChildren = query<EventPlaces, Schemas['Event']>(
  'event_at_of_children',
  (p) => sql`
    select ${columns}
      from events_of_children_at(${p.companies}::uuid[], ${p.transactionIds}::text[]::xid8[], ${p.ids}::uuid[]) as e`,
  { transactionIds: ['3', '4'] },
);

/** Returns the events that are still in the log. */
export function findEventsAt(
  tenant: TenantReader,
  places: EventPlaces,
  isOfChildren: boolean,
): Promise<Schemas['Event'][]> {
  return tenant.queryAll(isOfChildren ? ofChildren : ofCompany, places);
}
