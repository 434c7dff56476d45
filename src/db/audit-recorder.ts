import type { ProtocolStatement } from './driver/statement-plan.ts';

export type { ProtocolStatement as Step };

/**
 * The entry that an operation leaves of its change: it is in the transaction of the change, or nowhere. So an operation
 * changes things in one statement or in one transaction.
 */
export interface AuditRecorder {
  /** Whether the entry is written and committed. */
  readonly isWritten: boolean;
  /**
   * The entry.
   * @param made what the transaction resolves with, or the parameters of a statement: the ids of what is new are in it
   * @param force false: nothing is written where the transaction has not changed anything
   */
  buildEntry(made: unknown, force: boolean): ProtocolStatement;
  /** Has the entry name these ids as well: those of a field, which no call has as ids. */
  addTargets(field: string, ids: readonly string[]): void;
  /** To be called when it is committed. */
  markWritten(): void;
}

/** The entry of one more change. @throws when the operation has left its entry already */
export function buildEntry(
  recorder: AuditRecorder | undefined,
  made: unknown,
  force: boolean,
): ProtocolStatement | undefined {
  if (recorder?.isWritten) throw new Error('An operation changes things in one statement or in one transaction');
  return recorder?.buildEntry(made, force);
}
