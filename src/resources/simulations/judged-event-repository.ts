import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { CROWD_WINDOW_MS, type Judgement, type SeenEvent, type Signal } from './interaction-rules.ts';

/** An event on record, and what it was taken for when it was last judged. */
export interface StoredEvent extends SeenEvent, Judgement {
  signals: Signal[];
}

interface AddressSpan {
  simulationId: string;
  addresses: string[];
  /** The first and the last time that counts, of each address. */
  froms: string[];
  untils: string[];
}

// One look-up by index for each address. OFFSET 0 keeps it one.
const aroundAddresses = statement<AddressSpan, StoredEvent & { address: string | null }>(
  'simulation_event_around',
  (p) => sql`
    select e.* from unnest(${p.addresses}::text[], ${p.froms}::timestamptz[], ${p.untils}::timestamptz[])
             as span (address, from_time, until_time)
     cross join lateral (
       select event_id as "eventId", learner_id as "learnerId", type, occurred_at as "occurredAt", evidence, signals,
              verdict, reasons, address
         from simulation_events s
        where s.company_id = ${p.companyId} and s.simulation_id = ${p.simulationId} and s.address = span.address
          and s.occurred_at between span.from_time and span.until_time
       offset 0) as e`,
);

/** The events of a simulation near to given ones: of the same address, within the window in which they can tell on each other. */
export async function findEventsAround(
  tenant: TenantWriter,
  simulationId: string,
  events: readonly SeenEvent[],
): Promise<Map<string, StoredEvent[]>> {
  const traced = events.filter(({ evidence }) => evidence.address !== undefined);
  const spans = [...Map.groupBy(traced, ({ evidence }) => evidence.address!)];
  if (spans.length === 0) return new Map();
  const edge = (group: SeenEvent[], pick: (...times: number[]) => number, ms: number) => {
    const at = group.map(({ occurredAt }) => Date.parse(occurredAt)).reduce((a, b) => pick(a, b));
    return new Date(at + ms).toISOString();
  };
  const rows = await tenant.all(aroundAddresses, {
    simulationId,
    addresses: spans.map(([address]) => address),
    froms: spans.map(([, group]) => edge(group, Math.min, -CROWD_WINDOW_MS)),
    untils: spans.map(([, group]) => edge(group, Math.max, CROWD_WINDOW_MS)),
  });
  return Map.groupBy(rows, ({ address }) => address!);
}

const ofLearners = statement<{ simulationId: string; learnerIds: string[] }, StoredEvent>(
  'simulation_event_of_learners',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", type, occurred_at as "occurredAt", evidence, signals,
           verdict, reasons
      from simulation_events
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and learner_id = any(${p.learnerIds}::uuid[])`,
);

/** All events of some recipients of a simulation, by the learner. */
export async function findEventsOfLearners(
  tenant: TenantWriter,
  simulationId: string,
  learnerIds: string[],
): Promise<Map<string, StoredEvent[]>> {
  return Map.groupBy(await tenant.all(ofLearners, { simulationId, learnerIds }), ({ learnerId }) => learnerId);
}

interface Judgements {
  eventIds: string[];
  /** JSON texts, since arrays of arrays must be of one length. */
  signals: string[];
  verdicts: string[];
  reasons: string[];
}

const storeJudgements = change<Judgements>(
  'simulation_event_judge',
  (p) => sql`
    update simulation_events e
       set signals = array(select jsonb_array_elements_text(new.signals)), verdict = new.verdict,
           reasons = array(select jsonb_array_elements_text(new.reasons))
      from unnest(${p.eventIds}::text[], ${p.signals}::jsonb[], ${p.verdicts}::text[], ${p.reasons}::jsonb[])
        as new (event_id, signals, verdict, reasons)
     where e.company_id = ${p.companyId} and e.event_id = new.event_id`,
  { signals: ['[]', '[]'], verdicts: ['unsure', 'unsure'], reasons: ['[]', '[]'] },
);

export async function saveJudgements(tenant: TenantWriter, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tenant.run(storeJudgements, {
    eventIds: events.map(({ eventId }) => eventId),
    signals: events.map(({ signals }) => JSON.stringify(signals)),
    verdicts: events.map(({ verdict }) => verdict),
    reasons: events.map(({ reasons }) => JSON.stringify(reasons)),
  });
}
