import type { Input } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { EventPeriod } from '../../events/log/event-log.ts';

type RedeliveryInput = Input<'redeliverWebhooks'>['body'];

/**
 * What is sent again: events by their ids, or those of a time, which ends now at the latest.
 * @throws invalid_request
 */
export function whatToRedeliver(
  { from, to, eventIds }: RedeliveryInput,
  now: Date,
): EventPeriod | { eventIds: string[] } {
  if (eventIds) {
    if (from !== undefined || to !== undefined) throw invalidField('body/eventIds', 'may not stand beside from and to');
    return { eventIds };
  }
  if (from === undefined) throw invalidField('body/from', 'is required, unless there are eventIds');
  if (to === undefined) throw invalidField('body/to', 'is required beside from');
  const [first, last] = [new Date(from), new Date(to)];
  if (first >= now) throw invalidField('body/from', 'must be in the past');
  if (last <= first) throw invalidField('body/to', 'must be after from');
  return { from: first.toISOString(), to: (last < now ? last : now).toISOString() };
}
