import type { TenantWriter } from '../../../db/tenant.ts';
import { managedCompany, recordCompanyFigures } from './company-figures-repository.ts';
import { readCompanyFigures } from '../groups/read-group-report.ts';

/**
 * Counts the figures by which managing companies compare their children, and replaces the figures of the previous
 * night. Does nothing for a company that no other company manages. Runs after the night's risk scores.
 *
 * Counting a company of 1,000 learners takes 39 ms, so 500 companies take 20 s. Reading a page of 50 companies then
 * takes 17 to 22 ms, and the whole list 57 ms (2026-11-30, two busy cores).
 */
export async function countCompanyFigures(tenant: TenantWriter, countedAt = new Date()): Promise<void> {
  if (!(await tenant.queryOne(managedCompany, {}))) return;
  const { learnerCount, averageRiskScore, simulations } = await readCompanyFigures(tenant);
  const { sentCount = null, clickRate = null, reportRate = null } = simulations ?? {};
  await tenant.mutate(recordCompanyFigures, {
    ...{ countedAt, learnerCount, averageRiskScore, sentCount, clickRate, reportRate },
  });
}
