import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type Bounce, classifyBounce } from '../../mail/bounces/bounce-rules.ts';
import { recordBounce } from '../../mail/bounces/record-bounce.ts';
import { isPlausiblePast } from '../learners/shared/fact-times.ts';
import { findSentMessage, readMessageId, recordBouncedMessage, type SentMessage } from './bounced-message.ts';
import { findByAddress } from './mail-bounce-repository.ts';

type Input = Schemas['MailBounceInput'];
type FailureCode = 'learner_not_found' | 'time_not_plausible';

const MESSAGES: Record<FailureCode, string> = {
  learner_not_found: 'Learner not found.',
  time_not_plausible: 'The time must not be in the future or more than ten years ago.',
};

/** Records bounces that another system reports, in the caller's transaction. Returns the outcome of each bounce. */
export async function recordReportedBounces(
  tx: TenantWriter,
  inputs: readonly Input[],
  now: Date,
): Promise<Schemas['RecordedMailBounces']> {
  const completed: Schemas['RecordedMailBounces']['completed'] = [];
  const failures: Schemas['RecordedMailBounces']['failures'] = [];
  for (const [index, input] of inputs.entries()) {
    const { eventId } = input;
    const code = await recordOne(tx, input, now);
    if (code === undefined) completed.push({ index, eventId });
    else failures.push({ index, eventId, code, message: MESSAGES[code] });
  }
  return { success: failures.length === 0, completed, failures, errors: [] };
}

async function recordOne(tx: TenantWriter, input: Input, now: Date): Promise<FailureCode | undefined> {
  const occurredAt = new Date(input.occurredAt);
  if (!isPlausiblePast(occurredAt, now)) return 'time_not_plausible';
  const learner = await findByAddress(tx, input.address);
  if (!learner) return 'learner_not_found';
  const bounced = {
    // The prefix keeps these ids apart from the ids of bounces that the service itself detects.
    eventId: `report-${input.eventId}`,
    address: learner.email,
    source: 'report' as const,
    occurredAt: occurredAt.toISOString(),
    bounce: toBounce(input),
  };
  const message = await findMessage(tx, input.messageId);
  if (message?.learnerId === learner.id) {
    await recordBouncedMessage(tx, { ...message, learnerId: learner.id }, bounced);
  } else {
    await recordBounce(tx, { ...bounced, learnerId: learner.id, messageId: null, queuedAt: null });
  }
  tx.addTargets('learnerId', [learner.id]);
  return undefined;
}

/** Classifies a bounce. If the report has a class, that class takes precedence. */
function toBounce({ class: given, status, diagnostic }: Input): Bounce {
  const bounce = classifyBounce({ status: status ?? '', words: diagnostic ?? '' });
  return given === undefined || given === bounce.class ? bounce : { ...bounce, class: given, reason: 'other' };
}

async function findMessage(tx: TenantWriter, messageId: string | undefined): Promise<SentMessage | undefined> {
  const id = readMessageId(messageId);
  return id === undefined ? undefined : findSentMessage(tx, id);
}
