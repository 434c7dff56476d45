import type { Schemas } from '../../../contract/contract.ts';

/** A recipient who was mailed at an address in a simulation. */
export interface AddressHolder {
  learnerId: string;
  /** When a message was first sent to them there: ISO 8601 in UTC with milliseconds, so that texts sort as times do. */
  since: string;
}

/** An event that names its recipient by an address. */
export interface AddressedEvent {
  type: Schemas['SimulationEventType'];
  /** As `since`. */
  occurredAt: string;
}

/** Reports whether an event says that a message goes to an address, so that it is of whoever has the address then. */
export function isSending({ type }: Pick<AddressedEvent, 'type'>): boolean {
  return type === 'scheduled' || type === 'sent';
}

/**
 * Finds the learner whom an address means in a simulation: the recipient who had it when the message was sent, whoever has
 * it today. When several recipients had it one after the other, the last of them before the event. A message that is sent
 * after all of those known goes to whoever has the address now.
 * @param holders the recipients who were mailed at the address
 * @param current the learner who has it now
 */
export function findOwner(
  event: AddressedEvent,
  holders: readonly AddressHolder[],
  current: string | undefined,
): string | undefined {
  const ordered = holders.toSorted((a, b) => (a.since < b.since ? -1 : 1));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) return current;
  const isNewHolder = current !== undefined && !holders.some(({ learnerId }) => learnerId === current);
  if (isNewHolder && isSending(event) && event.occurredAt > last.since) return current;
  return (ordered.findLast(({ since }) => since <= event.occurredAt) ?? first).learnerId;
}
