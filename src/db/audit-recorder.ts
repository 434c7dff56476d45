import type { ProtocolStatement } from './driver/statement-plan.ts';

export type { ProtocolStatement as Step };

/**
 * The recorder of an operation's audit entry. The entry commits in the transaction of the change. An operation must
 * therefore make its changes in one statement or in one transaction.
 */
export interface AuditRecorder {
  /** Whether the entry is written and committed. */
  readonly isWritten: boolean;
  /**
   * Builds the statement that writes the entry.
   * @param made the result of the transaction, or the parameters of the statement; holds the ids of new rows
   * @param force false: the statement writes nothing unless its transaction has changed or locked a row
   */
  buildEntry(made: unknown, force: boolean): ProtocolStatement;
  /** Adds ids that the input does not hold to the entry. A second call for the same field replaces its ids. */
  addTargets(field: string, ids: readonly string[]): void;
  /** Records that the entry was written. Must be called once the entry is committed. */
  markWritten(): void;
}

/**
 * Builds the statement that writes the audit entry of a change; returns undefined if there is no recorder.
 * @throws if the operation has already left an entry
 */
export function buildEntry(
  recorder: AuditRecorder | undefined,
  made: unknown,
  force: boolean,
): ProtocolStatement | undefined {
  if (recorder?.isWritten) throw new Error('An operation must make its changes in one statement or one transaction');
  return recorder?.buildEntry(made, force);
}
