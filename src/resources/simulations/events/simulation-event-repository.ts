import type { Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { type IdentifiedEvent, formatRecipientKey } from './simulation-event-rules.ts';
import { scannerNetworks } from '../settings/settings-repository.ts';

type SimulationKey = Schemas['SimulationKey'];

interface SimulationKeys {
  simulationIds: string[];
  externalIds: string[];
}

// Serialises calls about the same simulation, so that each call also derives milestones from the events of the others.
const lockSimulations = mutation<SimulationKeys, LockedSimulation>(
  'simulation_lock_by_keys',
  (p) => sql`
    select id, external_id as "externalId", is_own as "isOwn",
           ${scannerNetworks(p)} as "scannerNetworks"
      from simulations
     where company_id = ${p.companyId}
       and (id = any(${p.simulationIds}::uuid[]) or external_id = any(${p.externalIds}::text[]))
     order by id for no key update`,
);

interface LockedSimulation {
  id: string;
  externalId: string | null;
  isOwn: boolean;
  /** Networks of the company's scanners. */
  scannerNetworks: string[];
}

export interface ExistingSimulations {
  findSimulationId: (key: SimulationKey) => string | undefined;
  /** Ids of simulations that the service runs itself. */
  ownIds: ReadonlySet<string>;
  /** Networks of the company's scanners. */
  scannerNetworks: readonly string[];
}

/** Finds and locks the simulations of all keys. */
export async function lockSimulationsByKeys(
  tenant: TenantWriter,
  keys: readonly SimulationKey[],
): Promise<ExistingSimulations> {
  const requestedIds = new Set(keys.flatMap(({ id }) => (id !== undefined && isId(id) ? [id] : [])));
  const rows = await tenant.mutate(lockSimulations, {
    simulationIds: [...requestedIds],
    externalIds: [...new Set(keys.flatMap(({ externalId }) => externalId ?? []))],
  });
  const ids = new Set(rows.map(({ id }) => id));
  tenant.addTargets(
    'simulationId',
    [...ids].filter((id) => !requestedIds.has(id)),
  );
  const byExternalId = new Map(rows.map(({ id, externalId }) => [externalId, id]));
  return {
    findSimulationId: ({ id, externalId }) =>
      id === undefined ? byExternalId.get(externalId!) : ids.has(id) ? id : undefined,
    ownIds: new Set(rows.flatMap(({ id, isOwn }) => (isOwn ? [id] : []))),
    scannerNetworks: rows[0]?.scannerNetworks ?? [],
  };
}

const recorded = query<{ eventIds: string[] }, IdentifiedEvent>(
  'simulation_event_recorded',
  (p) => sql`
    select event_id as "eventId", simulation_id as "simulationId", learner_id as "learnerId", type,
           occurred_at as "occurredAt", evidence
      from simulation_events where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

export async function findRecordedEvents(
  tenant: TenantWriter,
  eventIds: string[],
): Promise<Map<string, IdentifiedEvent>> {
  const rows = await tenant.queryAll(recorded, { eventIds });
  return new Map(rows.map((event) => [event.eventId, event]));
}

interface Recipient {
  simulationId: string;
  learnerId: string;
}

const counts = query<{ simulationIds: string[]; learnerIds: string[] }, Recipient & { count: number }>(
  'simulation_event_counts',
  (p) => sql`
    select r.simulation_id as "simulationId", r.learner_id as "learnerId", e.count
      from unnest(${p.simulationIds}::uuid[], ${p.learnerIds}::uuid[]) as r (simulation_id, learner_id)
     cross join lateral (
       select count(*)::integer from simulation_events s
        where s.company_id = ${p.companyId} and s.simulation_id = r.simulation_id and s.learner_id = r.learner_id
          and s.voided_at is null) as e
     where e.count > 0`,
);

/**
 * Counts the events of each recipient, without voided events, by `formatRecipientKey`. Leaves out recipients without
 * events.
 */
export async function countEvents(
  tenant: TenantWriter,
  recipients: readonly Recipient[],
): Promise<Map<string, number>> {
  const distinct = [...new Map(recipients.map((recipient) => [formatRecipientKey(recipient), recipient])).values()];
  const rows = await tenant.queryAll(counts, {
    simulationIds: distinct.map(({ simulationId }) => simulationId),
    learnerIds: distinct.map(({ learnerId }) => learnerId),
  });
  return new Map(rows.map((row) => [formatRecipientKey(row), row.count]));
}

interface NewEvents {
  eventIds: string[];
  simulationIds: string[];
  learnerIds: string[];
  types: string[];
  times: string[];
  evidences: string[];
}

const insertRecipients = mutation<Pick<NewEvents, 'simulationIds' | 'learnerIds'>, Recipient>(
  'simulation_recipient_insert',
  (p) => sql`
    insert into simulation_recipients (company_id, simulation_id, learner_id)
    select distinct ${p.companyId}::uuid, simulation_id, learner_id
      from unnest(${p.simulationIds}::uuid[], ${p.learnerIds}::uuid[]) as new (simulation_id, learner_id)
    on conflict do nothing
    returning simulation_id as "simulationId", learner_id as "learnerId"`,
);

// Lock order: by event id, so that two calls with the same ids cannot deadlock.
const insert = mutation<NewEvents, { eventId: string }>(
  'simulation_event_insert',
  (p) => sql`
    insert into simulation_events (company_id, event_id, simulation_id, learner_id, type, occurred_at, evidence)
    select ${p.companyId}, event_id, simulation_id, learner_id, type, occurred_at, evidence
      from unnest(${p.eventIds}::text[], ${p.simulationIds}::uuid[], ${p.learnerIds}::uuid[], ${p.types}::text[],
                  ${p.times}::timestamptz[], ${p.evidences}::jsonb[])
        as new (event_id, simulation_id, learner_id, type, occurred_at, evidence)
     order by event_id
    on conflict (company_id, event_id) do nothing
    returning event_id as "eventId"`,
  { types: ['sent', 'sent'], evidences: ['{}', '{}'] },
);

interface Inserted {
  /** Ids of the events that this call inserted; the others were inserted first by a concurrent call. */
  inserted: ReadonlySet<string>;
  /** Keys (`formatRecipientKey`) of the recipients that this call added to a simulation. */
  newRecipients: ReadonlySet<string>;
}

/** Inserts events. The caller has locked their simulations. */
export async function insertEvents(tenant: TenantWriter, events: readonly IdentifiedEvent[]): Promise<Inserted> {
  const simulationIds = events.map(({ simulationId }) => simulationId);
  const learnerIds = events.map(({ learnerId }) => learnerId);
  const recipients = await tenant.mutate(insertRecipients, { simulationIds, learnerIds });
  const rows = await tenant.mutate(insert, {
    eventIds: events.map(({ eventId }) => eventId),
    simulationIds,
    learnerIds,
    types: events.map(({ type }) => type),
    times: events.map(({ occurredAt }) => occurredAt),
    evidences: events.map(({ evidence }) => JSON.stringify(evidence)),
  });
  return {
    inserted: new Set(rows.map(({ eventId }) => eventId)),
    newRecipients: new Set(recipients.map(formatRecipientKey)),
  };
}
