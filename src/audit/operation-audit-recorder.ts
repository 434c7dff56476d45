import type { ErrorCode } from '../contract/errors.ts';
import { namedIds, type OperationId } from '../../generated/operations.ts';
import { scimNamedIds, type ScimOperationId } from '../../generated/scim-operations.ts';
import { personNamedIds, type PersonOperationId } from '../contract/person-operations.ts';
import type { Step, AuditRecorder } from '../db/audit-recorder.ts';
import { type AuditEntry, insertEntry, rowOf } from './audit-entry.ts';
import { fieldsOf, listsIn, targetsAt } from './audit-rules.ts';
import type { Caller } from '../auth/caller.ts';

/** A call of an operation, with validated input. */
export interface AuditedCall {
  operationId: OperationId | ScimOperationId | PersonOperationId;
  caller: Caller;
  input: Record<string, unknown>;
}

/** What the audit log of a company is told of a call. */
export function entryOfCall(
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
    fields: fieldsOf(input.body, fields),
    ...origin,
  };
}

interface NamedIds {
  sent: readonly string[];
  answered: readonly string[];
  /** Those that are entered of a body that may have others. */
  fields?: readonly string[];
}
const NONE: NamedIds = { sent: [], answered: [] };
const NAMED_IDS: Partial<Record<AuditedCall['operationId'], NamedIds>> = {
  ...namedIds,
  ...scimNamedIds,
  ...personNamedIds,
};

/** Records a change that is about to be made, in the company of its maker. */
export class AuditTrail implements AuditRecorder {
  readonly #companyId: string;
  readonly #entryOf: (made: unknown) => AuditEntry;
  /** By their field. */
  readonly #noted = new Map<string, readonly string[]>();
  #isLeft = false;

  /** @param buildEntry makes the entry when the change has been made */
  constructor(companyId: string, buildEntry: (made: unknown) => AuditEntry) {
    this.#companyId = companyId;
    this.#entryOf = buildEntry;
  }

  static ofCall(call: AuditedCall): AuditTrail {
    return new AuditTrail(call.caller.companyId, (made) => entryOfCall(call, { made }));
  }

  get isWritten(): boolean {
    return this.#isLeft;
  }

  buildEntry(made: unknown, force: boolean): Step {
    const { name, text, values } = insertEntry;
    const entry = this.#entryOf(made);
    const noted = targetsAt(Object.fromEntries(this.#noted), [...this.#noted.keys()]);
    const row = rowOf({ ...entry, targets: [...entry.targets, ...noted] }, force);
    return { name, text, values: values(this.#companyId, row) };
  }

  addTargets(field: string, ids: readonly string[]): void {
    this.#noted.set(field, ids);
  }

  markWritten(): void {
    this.#isLeft = true;
  }
}
