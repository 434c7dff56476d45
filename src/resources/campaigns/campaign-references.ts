import { requireExisting, requireModules } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { findCourses } from '../courses/course-keys.ts';
import { requireGroups } from '../learners/shared/known-groups.ts';
import { requireLearners } from '../learners/shared/known-learners.ts';
import { lockPolicies } from '../policies/policy-repository.ts';
import type { Declaration } from './campaign-rules.ts';
import { splitItems } from './campaign-repository.ts';

const simulations = query<{ simulationIds: string[] }, { id: string }>(
  'campaign_simulations',
  (p) => sql`select id from simulations where company_id = ${p.companyId} and id = any(${p.simulationIds}::uuid[])`,
);

/**
 * Requires that everything exists that a campaign refers to, and keeps it until the transaction ends.
 * @throws not_found naming the field, or module_not_enabled
 */
export async function requireReferences(
  tenant: TenantWriter,
  { items, include, exclude }: Pick<Declaration, 'items' | 'include' | 'exclude'>,
  modules: readonly string[],
): Promise<void> {
  const { courseIds, policyIds } = splitItems(items);
  requireModules([courseIds.length > 0 ? 'smlearn' : null, policyIds.length > 0 ? 'smpolicy' : null], modules);
  const known = new Set([
    ...(await findCourses(tenant, courseIds)).keys(),
    ...(await lockPolicies(tenant, policyIds)).keys(),
  ]);
  for (const [position, { type, id }] of items.entries()) {
    requireExisting(type, [id], known, `body/items/${position}`);
  }
  for (const [name, conditions] of Object.entries({ include, exclude })) {
    for (const [position, condition] of conditions.entries()) {
      const place = `body/audience/${name}/${position}`;
      const { groupIds = [], learnerIds = [], managerIds = [], failedSimulationIds = [] } = condition;
      await requireGroups(tenant, groupIds, `${place}/groupIds`);
      await requireLearners(tenant, learnerIds, `${place}/learnerIds`);
      await requireLearners(tenant, managerIds, `${place}/managerIds`);
      await requireSimulations(tenant, failedSimulationIds, `${place}/failedSimulationIds`);
    }
  }
}

async function requireSimulations(tenant: TenantReader, simulationIds: string[], field: string): Promise<void> {
  if (simulationIds.length === 0) return;
  const rows = await tenant.queryAll(simulations, { simulationIds });
  requireExisting('simulation', simulationIds, new Set(rows.map(({ id }) => id)), field);
}
