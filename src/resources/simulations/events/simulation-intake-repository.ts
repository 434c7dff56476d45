import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { IntakeInput } from '../own-simulation-rules.ts';
import { OVERVIEW } from '../simulation-repository.ts';
import { nextStatus } from '../simulation-rules.ts';

type Overview = Schemas['SimulationOverview'];

interface ExternalIdParams {
  externalId: string;
}

const lockByExternalId = mutation<ExternalIdParams, Overview>(
  'simulation_lock_by_external_id',
  (p) => sql`
    select ${OVERVIEW} from simulations s
     where s.company_id = ${p.companyId} and s.external_id = ${p.externalId} for no key update`,
);

type Columns = Omit<Overview, 'createdAt' | 'campaignId' | 'plan'>;

// If a concurrent call inserts the row first, `takeInSimulation` locks that row and starts over.
const insert = mutation<Columns, { id: string }>(
  'simulation_insert',
  (p) => sql`
    insert into simulations (company_id, id, external_id, name, status, delivery_method, start_date, end_date)
    values (${p.companyId}, ${p.id}, ${p.externalId}, ${p.name}, ${p.status}, ${p.deliveryMethod}, ${p.startDate}, ${p.endDate})
    on conflict (company_id, external_id) do nothing
    returning id`,
  { status: 'draft', deliveryMethod: 'email', startDate: null, endDate: null },
);

const update = mutation<Omit<Columns, 'id'>>(
  'simulation_update',
  (p) => sql`
    update simulations
       set name = ${p.name}, status = ${p.status}, delivery_method = ${p.deliveryMethod},
           start_date = ${p.startDate}, end_date = ${p.endDate}
     where company_id = ${p.companyId} and external_id = ${p.externalId}`,
  { status: 'draft', deliveryMethod: 'email', startDate: null, endDate: null },
);

/** Creates or updates the simulation that has an external id. @throws invalid_request with the rules of `nextStatus` */
export async function takeInSimulation(tenant: TenantWriter, input: IntakeInput): Promise<Overview> {
  const { externalId } = input;
  const existing = (await tenant.mutate(lockByExternalId, { externalId }))[0];
  if (existing) await tenant.mutate(update, toIntakeColumns(input, existing));
  else if ((await tenant.mutate(insert, { ...toIntakeColumns(input), id: uuidv7() })).length === 0) {
    return takeInSimulation(tenant, input);
  }
  return (await tenant.mutate(lockByExternalId, { externalId }))[0]!;
}

/** Builds the columns. An omitted date keeps its value. */
function toIntakeColumns(input: IntakeInput, existing?: Overview): Omit<Columns, 'id'> {
  const { externalId, name, deliveryMethod } = input;
  const startDate = inUtc(input.startDate, existing?.startDate);
  const endDate = inUtc(input.endDate, existing?.endDate);
  const statuses = { current: existing?.status, input: input.status };
  const status = nextStatus(statuses, { startDate, endDate }, new Date().toISOString());
  return { externalId, name, deliveryMethod, startDate, endDate, status };
}

function inUtc(date: string | null | undefined, stored: string | null = null): string | null {
  return date === undefined ? stored : date && new Date(date).toISOString();
}
