import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError } from '../../../contract/errors.ts';
import { BEFORE_ALL_EVENTS } from '../../events/log/event-cursor.ts';
import type { EventPeriod } from '../../events/log/event-log.ts';
import type { ClaimedEndpoint } from './delivery-repository.ts';
import type { Replayed } from './attempt-rules.ts';
import { requireEndpoint } from '../webhook-endpoint-repository.ts';

interface NewReplay extends EventPeriod {
  webhookEndpointId: string;
  eventId: string;
}

/** Begins a redelivery. Returns no row while another redelivery is running. */
const begin = mutation<NewReplay>(
  'webhook_replay_begin',
  (p) => sql`
    update webhook_endpoints
       set replay_begun_at = statement_timestamp(), replay_from = ${p.from}::timestamptz, replay_to = ${p.to}::timestamptz,
           replay_transaction_id = '0', replay_event = ${p.eventId}, next_poll_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId} and replay_begun_at is null
    returning id`,
);

/** @throws not_found, and webhook_redelivery_running while another redelivery is running */
export async function beginReplay(tenant: TenantWriter, webhookEndpointId: string, period: EventPeriod): Promise<void> {
  const [begun] = await tenant.mutate(begin, { webhookEndpointId, ...period, eventId: BEFORE_ALL_EVENTS });
  if (begun) return;
  await requireEndpoint(tenant, webhookEndpointId);
  throw new ApiError(
    'webhook_redelivery_running',
    'A redelivery to the endpoint is already running; wait until it has finished.',
  );
}

interface MovedReplay {
  webhookEndpointId: string;
  begunAt: string;
  transactionId: string;
  eventId: string;
}

const move = mutation<MovedReplay>(
  'webhook_replay_move',
  (p) => sql`
    update webhook_endpoints set replay_transaction_id = ${p.transactionId}::text::xid8, replay_event = ${p.eventId}
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId} and replay_begun_at = ${p.begunAt}::timestamptz`,
  { transactionId: '3' },
);

const end = mutation<{ webhookEndpointId: string; begunAt: string }>(
  'webhook_replay_end',
  (p) => sql`
    update webhook_endpoints
       set replay_begun_at = null, replay_from = null, replay_to = null, replay_transaction_id = null, replay_event = null
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId} and replay_begun_at = ${p.begunAt}::timestamptz`,
);

/** Moves or ends the redelivery of this batch. If another redelivery began in the meantime, leaves it unchanged. */
export async function moveReplay(
  tenant: TenantWriter,
  { id: webhookEndpointId, replay }: ClaimedEndpoint,
  { place: { transactionId, eventId }, isOver }: Replayed,
): Promise<void> {
  const { begunAt } = replay!;
  if (isOver) await tenant.mutate(end, { webhookEndpointId, begunAt });
  else await tenant.mutate(move, { webhookEndpointId, begunAt, transactionId, eventId });
}
