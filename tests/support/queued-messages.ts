import type { TenantReader, TenantWriter } from '../../src/db/tenant.ts';
import { findQueuedMessages, type MessageRow } from '../../src/mail/messages/message-repository.ts';
import type { Preparation, PreparedMail } from '../../src/mail/sending/preparation.ts';
import type { Settlement } from '../../src/mail/sending/settle-messages.ts';

/** Returns a message as the worker reads it, if it is still queued. */
export async function findQueuedMessage(tenant: TenantReader, messageId: string): Promise<MessageRow | undefined> {
  return (await findQueuedMessages(tenant, [messageId]))[0];
}

/** Prepares a message as the worker does. Returns undefined unless it must be sent. */
export async function prepareMessage<Context>(
  tenant: TenantWriter,
  { prepare, settle }: Preparation<Context>,
  messageId: string,
): Promise<(PreparedMail<Context> & { settle: (settlement: Settlement) => Promise<unknown> }) | undefined> {
  const prepared = (await prepare(tenant, [{ messageId, attempt: 1 }])).get(messageId);
  if (prepared instanceof Error) throw prepared;
  if (prepared === undefined || prepared === 'cancelled') return undefined;
  const { context } = prepared;
  const at = new Date().toISOString();
  return {
    ...prepared,
    settle: (settlement) => settle(tenant, [{ messageId, attempts: 1, settlement, at, context }], true),
  };
}
