import type { Caller } from '../../auth/caller.ts';
import type { Handler } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { ApiError, formatFieldError, invalidField } from '../../contract/errors.ts';
import { type EventStream, readCursor, writeCursor } from './log/event-cursor.ts';
import { type LostPosition, readLogName, readEvents } from './log/event-log.ts';
import { recordEventReader } from './log/event-readers.ts';

export interface EventServices {
  /** Returns a handle for the caller's own company, whose row records that its events are read. */
  ownCompany: (caller: Caller) => TenantWriter;
  /** Records in each child's audit log that the caller has read the child's events. */
  recordReads: (caller: Caller, operationId: 'listEvents', childIds: readonly string[]) => Promise<void>;
}

export function createEventHandlers({ ownCompany, recordReads: recordReads }: EventServices) {
  const listEvents: Handler<'listEvents'> = async (input, tenant, caller) => {
    const { limit = 100, types } = input;
    const ofChildren = requireChildren(input, caller);
    const stream = { companyId: tenant.companyId, ofChildren, log: await readLogName(tenant) };
    const after = input.after === undefined ? undefined : requirePosition(stream, input.after);
    await recordEventReader(
      ownCompany(caller),
      ofChildren || tenant.companyId !== caller.companyId ? 'children' : 'own',
    );
    const read = await readEvents(tenant, { after, limit, types, ofChildren });
    if (typeof read === 'string') throw lostPosition(read);
    const { events, next, hasMore } = read;
    if (ofChildren) {
      const companyIds = events.map(({ companyId }) => companyId);
      await recordReads(caller, 'listEvents', companyIds);
    }
    return { events, nextCursor: writeCursor(stream, next), hasMore };
  };
  return { listEvents };
}

/** @throws forbidden or invalid_request if the caller cannot read the events of all children */
function requireChildren(input: { children?: boolean; companyId?: string }, { accountType }: Caller): boolean {
  if (!input.children) return false;
  if (accountType !== 'msp' && accountType !== 'distributor') {
    throw new ApiError('forbidden', 'Only an MSP or a distributor has child companies; leave `children` out.');
  }
  if (input.companyId !== undefined) throw invalidField('query/children', 'cannot be combined with `companyId`');
  return true;
}

function requirePosition(stream: EventStream, after: string) {
  const position = readCursor(stream, after);
  if (position === 'expired') throw lostPosition(position);
  if (!position) throw invalidField('query/after', 'is invalid or belongs to another list; start again without it');
  return position;
}

function lostPosition(why: LostPosition): ApiError {
  if (why === 'in the future')
    return invalidField('query/after', 'is ahead of the events of this service; start again without it');
  const message = 'is older than the stored events or than this database; start again without it';
  return new ApiError('cursor_expired', formatFieldError({ field: 'query/after', message }), {
    details: [{ field: 'query/after', message }],
  });
}
