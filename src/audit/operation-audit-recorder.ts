// The audit log: who did what in a company, for that company and its auditors, for 400 days.
//
// An entry names the actor, the operation, the outcome, the ids that the call concerns and the names of the fields that
// it sent, but no values of fields. The contract defines which fields hold ids (generated `namedIds`). Entries are
// written in six cases:
//
// 1. A change. `invoke` gives the writer an AuditTrail, and the writer sends the entry with the change
//    (src/db/audit-recorder.ts). After a single statement, the entry is written only if the statement changed or locked
//    a row. A transaction writes the entry before its commit.
// 2. A call of a changing operation that found nothing to change. src/operations/invoke.ts writes the entry.
// 3. A read of a managed child: in the child's log. Reads of many children at once are recorded once per actor,
//    operation, child and hour (child-read-audit.ts).
// 4. A call that was rejected with 403, up to 20 a minute for each key (src/auth/denied-call-audit.ts).
// 5. Sign-ins and passkeys (src/identity/).
// 6. OAuth grants and leaked keys, by functions in their migrations, and commands of the operator
//    (src/commands/keys/operator-entries.ts).
//
// Guarantees:
// - A change and its entry commit together. If the entry fails, so does the change.
// - An operation leaves one entry. A second change outside the first transaction throws, so an operation makes its
//   changes in one statement or in one transaction.
// - The service cannot change entries or date them: its role has no right to insert, update or delete. The functions of
//   the migration take the company from the session and the time from the clock, and reject an actor of an unrelated
//   company. On Citus, the role can insert entries of the session's company (src/commands/distribute/).
//
// Bounds: 100 ids per field and 100 field names. The entry also holds the number of all ids.
//
// Not for: what happened to a learner (the event log), requests and their times (the access log), or undoing a change.
import type { ErrorCode } from '../contract/errors.ts';
import { namedIds, type OperationId } from '../../generated/operations.ts';
import { scimNamedIds, type ScimOperationId } from '../../generated/scim-operations.ts';
import { personNamedIds, type PersonOperationId } from '../contract/person-operations.ts';
import type { Step, AuditRecorder } from '../db/audit-recorder.ts';
import { type AuditEntry, insertEntry, toAuditRow } from './audit-entry.ts';
import { listFieldNames, listsIn, targetsAt } from './audit-rules.ts';
import type { Caller } from '../auth/caller.ts';

/** A call of an operation, with validated input. */
export interface AuditedCall {
  operationId: OperationId | ScimOperationId | PersonOperationId;
  caller: Caller;
  input: Record<string, unknown>;
}

/** Builds the audit entry of a call, for the log of `companyId`. */
export function toCallEntry(
  { operationId, caller, input }: AuditedCall,
  { companyId = caller.companyId, made, code = null }: { companyId?: string; made?: unknown; code?: ErrorCode | null },
): AuditEntry {
  const { actor = { type: 'key', id: caller.keyId }, origin = { requestId: null, address: null } } = caller;
  const { sent, answered, fields } = NAMED_IDS[operationId] ?? NONE;
  const targets = [...listsIn(input.body), ...targetsAt(input, sent), ...targetsAt(made, answered)];
  return {
    actor,
    actorCompanyId: caller.companyId,
    operation: operationId,
    outcome: code === null ? 'done' : 'denied',
    code,
    targets: targets.filter(({ field, ids }) => field !== 'companyId' || ids[0] !== companyId),
    fields: listFieldNames(input.body, fields),
    ...origin,
  };
}

interface NamedIds {
  sent: readonly string[];
  answered: readonly string[];
  /** The only body fields to record; omitted to record all fields of the body. */
  fields?: readonly string[];
}
const NONE: NamedIds = { sent: [], answered: [] };
const NAMED_IDS: Partial<Record<AuditedCall['operationId'], NamedIds>> = {
  ...namedIds,
  ...scimNamedIds,
  ...personNamedIds,
};

/** The recorder of a change, for the audit log of the actor's company. */
export class AuditTrail implements AuditRecorder {
  readonly #companyId: string;
  readonly #buildEntry: (made: unknown) => AuditEntry;
  /** The ids of `addTargets`, by field. */
  readonly #noted = new Map<string, readonly string[]>();
  #isLeft = false;

  /** @param buildEntry builds the entry once the result of the change is known */
  constructor(companyId: string, buildEntry: (made: unknown) => AuditEntry) {
    this.#companyId = companyId;
    this.#buildEntry = buildEntry;
  }

  static ofCall(call: AuditedCall): AuditTrail {
    return new AuditTrail(call.caller.companyId, (made) => toCallEntry(call, { made }));
  }

  get isWritten(): boolean {
    return this.#isLeft;
  }

  buildEntry(made: unknown, force: boolean): Step {
    const { name, text, values } = insertEntry;
    const entry = this.#buildEntry(made);
    const noted = targetsAt(Object.fromEntries(this.#noted), [...this.#noted.keys()]);
    const row = toAuditRow({ ...entry, targets: [...entry.targets, ...noted] }, force);
    return { name, text, values: values(this.#companyId, row) };
  }

  addTargets(field: string, ids: readonly string[]): void {
    this.#noted.set(field, ids);
  }

  markWritten(): void {
    this.#isLeft = true;
  }
}
