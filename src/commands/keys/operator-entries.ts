import type { Knex } from 'knex';
import type { Values } from './command.ts';

export interface OperatorEntry {
  companyId: string;
  /**
   * Name of the operation in the audit entry: the operationId of the equivalent operation in the contract, if there is
   * one.
   */
  operation:
    | 'createAdmin'
    | 'createApiKey'
    | 'revokeApiKey'
    | 'deleteAdminPasskey'
    | 'endAdminSessions'
    | 'createCompany'
    | 'updateCompany'
    | 'stopSimulations'
    | 'startSimulations';
  /** Resource that the command created or changed. */
  target: { field: string; id: string };
  /** Names of the options that the command was given. */
  fields: string[];
}

/** Records a command in the audit logs of companies, in its transaction. */
export async function recordAsOperator(transaction: Knex.Transaction, entries: OperatorEntry[]): Promise<void> {
  await transaction.batchInsert('audit_log', entries.map(toAuditLogRow));
}

/** Builds the entry of a command about a company, with the names of its options. */
export function buildCompanyEntry(
  operation: 'createCompany' | 'updateCompany',
  companyId: string,
  values: Values,
): OperatorEntry {
  const fields = Object.keys(values).filter((name) => name !== 'company' && name !== 'json');
  return { companyId, operation, target: { field: 'companyId', id: companyId }, fields };
}

function toAuditLogRow({ companyId, operation, target: { field, id }, fields }: OperatorEntry): object {
  return {
    company_id: companyId,
    actor_type: 'operator',
    actor_id: 'operator',
    actor_company_id: companyId,
    operation,
    outcome: 'done',
    targets: JSON.stringify([{ field, count: 1, ids: [id] }]),
    fields,
  };
}
