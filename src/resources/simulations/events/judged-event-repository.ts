import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { CROWD_WINDOW_MS, type Judgement, type SeenEvent, type Signal } from './interaction-rules.ts';

/** A recorded event with its last judgement. */
export interface StoredEvent extends SeenEvent, Judgement {
  signals: Signal[];
}

interface AddressSpan {
  simulationId: string;
  addresses: string[];
  /** Start of the window to search for each IP address; `untils` has the ends. */
  froms: string[];
  untils: string[];
}

// Looks up each IP address by index. The simulation is compared outside the lookup. Inside it, Postgres might choose
// the index of recipients if the statistics are still those of an empty table. OFFSET 0 keeps the comparison outside.
const aroundAddresses = query<AddressSpan, StoredEvent & { address: string | null }>(
  'simulation_event_around',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", type, occurred_at as "occurredAt", evidence, signals, verdict,
           reasons, e.address
      from unnest(${p.addresses}::text[], ${p.froms}::timestamptz[], ${p.untils}::timestamptz[])
             as span (address, from_time, until_time)
     cross join lateral (
       select * from simulation_events s
        where s.company_id = ${p.companyId} and s.address = span.address
          and s.occurred_at between span.from_time and span.until_time and s.voided_at is null
       offset 0) as e
     where e.simulation_id = ${p.simulationId}`,
);

/**
 * Finds events that are not voided, share an IP address with a given event, and are within `CROWD_WINDOW_MS` of that
 * event. Returns them by IP address.
 */
export async function findEventsAround(
  tenant: TenantWriter,
  simulationId: string,
  events: readonly SeenEvent[],
): Promise<Map<string, StoredEvent[]>> {
  const traced = events.filter(({ evidence }) => evidence.address !== undefined);
  const spans = [...Map.groupBy(traced, ({ evidence }) => evidence.address!)].flatMap(([address, group]) => {
    return mergeSpans(group).map((span) => ({ address, ...span }));
  });
  if (spans.length === 0) return new Map();
  const rows = await tenant.queryAll(aroundAddresses, {
    simulationId,
    addresses: spans.map(({ address }) => address),
    froms: spans.map(({ from }) => new Date(from).toISOString()),
    untils: spans.map(({ until }) => new Date(until).toISOString()),
  });
  return Map.groupBy(rows, ({ address }) => address!);
}

/**
 * Returns the time windows around events. Merges only overlapping windows, so that events months apart do not select
 * the events between them.
 */
function mergeSpans(events: readonly SeenEvent[]): { from: number; until: number }[] {
  const spans: { from: number; until: number }[] = [];
  const times = events.map(({ occurredAt }) => Date.parse(occurredAt)).toSorted((a, b) => a - b);
  for (const time of times) {
    const last = spans.at(-1);
    if (last && time - CROWD_WINDOW_MS <= last.until) last.until = time + CROWD_WINDOW_MS;
    else spans.push({ from: time - CROWD_WINDOW_MS, until: time + CROWD_WINDOW_MS });
  }
  return spans;
}

const ofLearners = query<{ simulationId: string; learnerIds: string[] }, StoredEvent>(
  'simulation_event_of_learners',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", type, occurred_at as "occurredAt", evidence, signals,
           verdict, reasons
      from simulation_events
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and learner_id = any(${p.learnerIds}::uuid[])
       and voided_at is null`,
);

/** Finds the events of the given recipients of a simulation, without voided events, by learner. */
export async function findEventsOfLearners(
  tenant: TenantWriter,
  simulationId: string,
  learnerIds: string[],
): Promise<Map<string, StoredEvent[]>> {
  return Map.groupBy(await tenant.queryAll(ofLearners, { simulationId, learnerIds }), ({ learnerId }) => learnerId);
}

interface Judgements {
  simulationId: string;
  eventIds: string[];
  learnerIds: string[];
  types: string[];
  times: string[];
  evidences: string[];
  /** Signals of each event as JSON, because the inner arrays of a Postgres array must have equal lengths. */
  signals: string[];
  verdicts: string[];
  reasons: string[];
}

// All rows exist already. An upsert finds each of them by its key (see milestone-repository.ts).
const storeJudgements = mutation<Judgements>(
  'simulation_event_judge',
  (p) => sql`
    insert into simulation_events (company_id, simulation_id, event_id, learner_id, type, occurred_at, evidence, signals,
                                   verdict, reasons)
    select ${p.companyId}, ${p.simulationId}, event_id, learner_id, type, occurred_at, evidence,
           array(select jsonb_array_elements_text(new.signals)), verdict,
           array(select jsonb_array_elements_text(new.reasons))
      from unnest(${p.eventIds}::text[], ${p.learnerIds}::uuid[], ${p.types}::text[], ${p.times}::timestamptz[],
                  ${p.evidences}::jsonb[], ${p.signals}::jsonb[], ${p.verdicts}::text[], ${p.reasons}::jsonb[])
        as new (event_id, learner_id, type, occurred_at, evidence, signals, verdict, reasons)
    on conflict (company_id, event_id) do update
       set signals = excluded.signals, verdict = excluded.verdict, reasons = excluded.reasons`,
  {
    types: ['sent', 'sent'],
    evidences: ['{}', '{}'],
    signals: ['[]', '[]'],
    verdicts: ['unsure', 'unsure'],
    reasons: ['[]', '[]'],
  },
);

/** Stores the judgements of events. The caller has locked the simulation. */
export async function saveJudgements(
  tenant: TenantWriter,
  simulationId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tenant.mutate(storeJudgements, {
    simulationId,
    eventIds: events.map(({ eventId }) => eventId),
    learnerIds: events.map(({ learnerId }) => learnerId),
    types: events.map(({ type }) => type),
    times: events.map(({ occurredAt }) => occurredAt),
    evidences: events.map(({ evidence }) => JSON.stringify(evidence)),
    signals: events.map(({ signals }) => JSON.stringify(signals)),
    verdicts: events.map(({ verdict }) => verdict),
    reasons: events.map(({ reasons }) => JSON.stringify(reasons)),
  });
}
