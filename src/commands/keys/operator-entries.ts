import type { Knex } from 'knex';
import type { Values } from './command.ts';

export interface OperatorEntry {
  companyId: string;
  /** As the contract calls it, where it has one that does the same. */
  operation:
    | 'createAdmin'
    | 'createApiKey'
    | 'revokeApiKey'
    | 'createCompany'
    | 'updateCompany'
    | 'stopSimulations'
    | 'startSimulations';
  /** What it made or changed. */
  target: { field: string; id: string };
  /** The names of what it was given. */
  fields: string[];
}

/** Enters what a command does into the audit logs of companies, in its transaction. */
export async function recordAsOperator(transaction: Knex.Transaction, entries: OperatorEntry[]): Promise<void> {
  await transaction.batchInsert('audit_log', entries.map(toAuditLogRow));
}

/** The entry of a command about a company, with the options that it was given. */
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
