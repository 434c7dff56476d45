import type { Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import { asText, type Sql, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { isCounted } from './milestone-rules.ts';
import { scannerNetworks } from '../settings/settings-repository.ts';

type Interaction = Schemas['SimulationInteraction'];

/** A stored interaction. */
export interface InteractionRow extends Omit<Interaction, 'counted' | 'evidence'> {
  evidence: Schemas['SimulationEvidence'];
}

interface Filter {
  simulationId: string;
  /** Recipient whose interactions are listed; null for all recipients. */
  learnerId: string | null;
  includeVoided: boolean;
}

const interactions = pagedQuery<Filter, InteractionRow>(
  'simulation_interaction_list',
  { learnerId: 'uuid', occurredAt: 'timestamptz', eventId: 'text' },
  (p, onwards) => sql`
    select e.event_id as "eventId", r.id as "recipientId", e.learner_id as "learnerId", e.type,
           e.occurred_at as "occurredAt", e.received_at as "recordedAt", e.verdict, e.reasons, e.evidence,
           e.voided_at as "voidedAt"
      from simulation_events e
      join simulation_recipients r on r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId}
            and r.learner_id = e.learner_id and ${onwards(sql`r.learner_id`)}
     where e.company_id = ${p.companyId} and e.simulation_id = ${p.simulationId}
       and e.type in ('opened', 'visited', 'compromised')
       and (${p.learnerId}::uuid is null or e.learner_id = ${p.learnerId})
       and (${p.includeVoided}::boolean or e.voided_at is null)`,
);

/** Lists what recipients did with the messages of a simulation. */
export function listInteractions(tenant: TenantReader, filter: Filter): Rows<Interaction> {
  return tenant.stream(interactions, filter).map(toInteraction);
}

/** Selects the interactions of a recipient `r` as JSON. */
export function selectInteractions(p: Parameters<{ includeVoided: boolean }>): Sql {
  return sql`
    (select coalesce(json_agg(json_build_object(
              'eventId', e.event_id, 'recipientId', r.id, 'learnerId', e.learner_id, 'type', e.type,
              'occurredAt', ${asText(sql`e.occurred_at`)}, 'recordedAt', ${asText(sql`e.received_at`)},
              'verdict', e.verdict, 'reasons', e.reasons, 'evidence', e.evidence,
              'voidedAt', ${asText(sql`e.voided_at`)})
              order by e.occurred_at, e.event_id), '[]')
       from simulation_events e
      where e.company_id = ${p.companyId} and e.simulation_id = r.simulation_id and e.learner_id = r.learner_id
        and e.type in ('opened', 'visited', 'compromised')
        and (${p.includeVoided}::boolean or e.voided_at is null))`;
}

/** Converts a stored interaction to the contract's schema. */
export function toInteraction({ evidence, voidedAt, ...row }: InteractionRow): Interaction {
  return {
    ...row,
    counted: voidedAt === null && isCounted({ ...row, evidence }),
    evidence: {
      address: evidence.address ?? null,
      userAgent: evidence.userAgent ?? null,
      method: evidence.method ?? null,
      input: evidence.input ?? null,
      hiddenLink: evidence.hiddenLink ?? null,
      script: evidence.script ?? null,
      styleSheet: evidence.styleSheet ?? null,
      verdict: evidence.verdict ?? null,
    },
    voidedAt,
  };
}

/** Settings for judging the events of a simulation. */
interface LockedSimulation {
  isOwn: boolean;
  scannerNetworks: string[];
}

/** Locks a simulation, as recording its events does. */
export const lockSimulation = mutation<{ simulationId: string }, LockedSimulation>(
  'simulation_lock_for_withdrawal',
  (p) => sql`
    select is_own as "isOwn", ${scannerNetworks(p)} as "scannerNetworks" from simulations
     where company_id = ${p.companyId} and id = ${p.simulationId} for no key update`,
);
