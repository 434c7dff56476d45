import type { Schemas } from '../../../contract/contract.ts';

/** A recipient who was sent a message at an e-mail address in a simulation. */
export interface AddressHolder {
  learnerId: string;
  /**
   * Time of the first message to this address, in ISO 8601 and UTC with milliseconds, so that times sort as strings.
   */
  since: string;
}

/** An event that names its recipient by e-mail address. */
export interface AddressedEvent {
  type: Schemas['SimulationEventType'];
  /** Time of the event, in the format of `since` in `AddressHolder`. */
  occurredAt: string;
}

/**
 * Reports whether an event states that a message goes to an address, and therefore to the person who has the address at
 * that time.
 */
export function isSending({ type }: Pick<AddressedEvent, 'type'>): boolean {
  return type === 'scheduled' || type === 'sent';
}

/**
 * Finds the learner to whom an e-mail address belongs in a simulation: the recipient who had the address when the
 * message was sent, not the learner who has it today. If several recipients had the address one after another, returns
 * the last recipient before the event. A message that is sent after all known messages goes to the learner who
 * currently has the address.
 * @param holders recipients who were sent messages at the address
 * @param current learner who currently has the address
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
