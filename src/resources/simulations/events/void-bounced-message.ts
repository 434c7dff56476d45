import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { correctEvents, type RecordedEvent } from './correct-events.ts';
import { lockSimulationsByKeys } from './simulation-event-repository.ts';
import { formatRecipientKey } from './simulation-event-rules.ts';

interface BouncedMessage {
  simulationId: string;
  learnerId: string;
  messageId: string;
}

const sentEvents = query<BouncedMessage, RecordedEvent>(
  'simulation_bounced_events',
  (p) => sql`
    select e.event_id as "eventId", e.simulation_id as "simulationId", e.learner_id as "learnerId", e.type,
           e.occurred_at as "occurredAt", e.evidence, e.signals, e.verdict, e.reasons
      from simulation_events e
     where e.company_id = ${p.companyId} and e.voided_at is null and e.event_id = any(array(
       select 'own-' || r.id || '-sent' from simulation_recipients r
        where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId}
          and r.learner_id = ${p.learnerId} and r.message_id = ${p.messageId}))`,
);

const markBounced = mutation<BouncedMessage>(
  'simulation_recipient_mark_bounced',
  (p) => sql`
    update simulation_recipients set failed_at = now(), failure = 'bounced'
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and learner_id = ${p.learnerId}
       and message_id = ${p.messageId} and failed_at is null`,
);

/**
 * Undoes the sending of a message that bounced: the recipient never got it, and therefore counts as not sent to. If the
 * recipient acts on the message after all, the recipient counts again, because the action implies the sending. Reports
 * based on what was known before the bounce still count the recipient.
 */
export async function voidBouncedMessage(tenant: TenantWriter, message: BouncedMessage): Promise<void> {
  const { simulationId, learnerId } = message;
  const simulations = await lockSimulationsByKeys(tenant, [{ id: simulationId }]);
  const voided = await tenant.queryAll(sentEvents, message);
  if (voided.length === 0) return;
  const reasons = new Map([[formatRecipientKey({ simulationId, learnerId }), 'The message bounced.']]);
  await correctEvents(tenant, { voided, restored: [], replacements: [], reasons }, simulations);
  await tenant.mutate(markBounced, message);
}
