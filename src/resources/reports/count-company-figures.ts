import type { TenantWriter } from '../../db/tenant.ts';
import { managedCompany, recordCompanyFigures } from './company-figures-repository.ts';
import { readCompanyFigures } from './read-group-report.ts';

/**
 * Counts the figures that the managers of a company compare, and replaces those of the night before. Does nothing for a
 * company that no other company manages. Runs after the night's risk scores.
 */
export async function countCompanyFigures(tenant: TenantWriter, countedAt = new Date()): Promise<void> {
  if (!(await tenant.queryOne(managedCompany, {}))) return;
  const { learnerCount, averageRiskScore, simulations } = await readCompanyFigures(tenant);
  const { sentCount = null, clickRate = null, reportRate = null } = simulations ?? {};
  await tenant.mutate(recordCompanyFigures, {
    ...{ countedAt, learnerCount, averageRiskScore, sentCount, clickRate, reportRate },
  });
}
