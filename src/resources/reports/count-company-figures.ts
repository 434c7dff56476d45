import type { TenantWriter } from '../../db/tenant.ts';
import { managedBy, recordCompanyFigures } from './company-figures-repository.ts';
import { readCompanyFigures } from './read-group-report.ts';

/**
 * Counts the figures that the managers of a company compare, and replaces those of the night before. Does nothing for a
 * company that no other company manages. Runs after the night's risk scores.
 */
export async function countCompanyFigures(tenant: TenantWriter): Promise<void> {
  if (!(await tenant.queryOne(managedBy, {}))?.isManaged) return;
  const { learnerCount, averageRiskScore, simulations } = await readCompanyFigures(tenant);
  const { sentCount = null, clickRate = null, reportRate = null } = simulations ?? {};
  await tenant.mutate(recordCompanyFigures, { learnerCount, averageRiskScore, sentCount, clickRate, reportRate });
}
