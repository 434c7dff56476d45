import { hash } from 'node:crypto';
import type { Schemas } from '../../../../contract/contract.ts';
import { isId } from '../../../../db/ids.ts';
import { sql } from '../../../../db/sql.ts';
import { query } from '../../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../../db/tenant.ts';
import { recordEvents } from '../simulation-events.ts';

export interface Message {
  simulationId: string;
  learnerId: string;
}

const byMessageId = query<{ messageIdText: string }, Message>(
  'simulation_message_by_message_id',
  (p) => sql`
    select distinct simulation_id as "simulationId", learner_id as "learnerId" from simulation_events
     where company_id = ${p.companyId} and message_id = btrim(${p.messageIdText}, '<>') and voided_at is null
     limit 2`,
  { messageIdText: '<20260504.ada@phish.test>' },
);

const byRecipient = query<{ recipientId: string }, Message>('simulation_message_by_recipient', (p, knex) =>
  knex('simulation_recipients')
    .select('simulation_id as simulationId', 'learner_id as learnerId')
    .where({ company_id: p.companyId, id: p.recipientId }),
);

const byToken = query<{ tokenHash: Buffer }, Message>('simulation_message_by_token', (p, knex) =>
  knex('simulation_recipients')
    .select('simulation_id as simulationId', 'learner_id as learnerId')
    .where({ company_id: p.companyId, token_hash: p.tokenHash }),
);

function findMessages(
  tenant: TenantReader,
  { messageId, token }: Schemas['ReportMessageInput'],
): Promise<readonly Message[]> {
  if (messageId !== undefined) return tenant.queryAll(byMessageId, { messageIdText: messageId });
  return isId(token!)
    ? tenant.queryAll(byRecipient, { recipientId: token! })
    : tenant.queryAll(byToken, { tokenHash: hashToken(token!) });
}

/**
 * Records that the recipient of a message has reported it. Records only one event, even if the recipient reports the
 * message several times.
 * @returns whether the message belongs to a simulation
 */
export function recordReport(tenant: TenantWriter, input: Schemas['ReportMessageInput']): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    const [message, another] = await findMessages(tx, input);
    // If several recipients have the Message-ID, no report is recorded, because it is unknown who is reporting.
    if (message && !another) {
      await recordEvents(tx, [buildReport(message, new Date())]);
      tx.addTargets('simulationId', [message.simulationId]);
      tx.addTargets('learnerId', [message.learnerId]);
    }
    return message !== undefined;
  });
}

export function buildReport({ simulationId, learnerId }: Message, at: Date): Schemas['SimulationEventInput'] {
  return {
    simulation: { id: simulationId },
    learner: { id: learnerId },
    type: 'reported',
    occurredAt: at.toISOString(),
    // A later report has the same id with different content, so it is rejected and changes nothing, even if this report
    // was voided. The contract documents the id, and corrections of reports depend on it (correction-repository.ts).
    eventId: `reported-${simulationId}-${learnerId}`,
  };
}

/** Hashes a token. Only hashes are stored. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
