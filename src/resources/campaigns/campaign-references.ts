import { type Caller, hasScope } from '../../auth/caller.ts';
import { insufficientScope, invalidField, requireExisting, requireModules } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { findCourses } from '../courses/course-keys.ts';
import { requireGroups } from '../learners/shared/known-groups.ts';
import { requireLearners } from '../learners/shared/known-learners.ts';
import { lockPolicies } from '../policies/policy-repository.ts';
import { findTemplateStates } from '../simulations/sending/plan-references.ts';
import type { Declaration } from './campaign-rules.ts';
import type { SimulationServices } from './simulations/begin-simulations.ts';
import { splitItems } from './campaign-repository.ts';

const simulations = query<{ simulationIds: string[] }, { id: string }>(
  'campaign_simulations',
  (p) => sql`select id from simulations where company_id = ${p.companyId} and id = any(${p.simulationIds}::uuid[])`,
);

/** Modules of the company, and the settings of simulations. */
export interface Available extends Pick<Caller, 'modules'>, Pick<SimulationServices, 'simulations'> {}

/**
 * Requires that everything that a campaign refers to exists, and prevents its deletion until the transaction ends.
 * @throws not_found or invalid_request naming the field, or module_not_enabled
 */
export async function requireReferences(
  tenant: TenantWriter,
  { items, include, exclude }: Pick<Declaration, 'items' | 'include' | 'exclude'>,
  { modules, simulations: config }: Available,
): Promise<void> {
  requireItemModules(items, modules);
  const { courseIds, policyIds, templateIds } = splitItems(items);
  const templates = await findTemplateStates(tenant, templateIds);
  const known = new Set([
    ...(await findCourses(tenant, courseIds)).keys(),
    ...(await lockPolicies(tenant, policyIds)).keys(),
    ...templates.keys(),
  ]);
  for (const [position, { type, id }] of items.entries()) {
    const place = `body/items/${position}`;
    if (type === 'simulationTemplate' && !config) {
      throw invalidField(`${place}/type`, 'requires simulations; ask the operator of the service to enable them');
    }
    requireExisting(type === 'simulationTemplate' ? 'simulation template' : type, [id], known, place);
    if (templates.get(id)?.isRetired) throw invalidField(`${place}/id`, 'must not be retired');
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

/** Requires that the company has the modules of all items. @throws module_not_enabled */
export function requireItemModules(items: Declaration['items'], modules: Caller['modules']): void {
  const { courseIds, policyIds, templateIds } = splitItems(items);
  const needed = { smlearn: courseIds, smpolicy: policyIds, smphish: templateIds };
  requireModules(
    Object.entries(needed).map(([module, ids]) => (ids.length > 0 ? module : null)),
    modules,
  );
}

async function requireSimulations(tenant: TenantReader, simulationIds: string[], field: string): Promise<void> {
  if (simulationIds.length === 0) return;
  const rows = await tenant.queryAll(simulations, { simulationIds });
  requireExisting('simulation', simulationIds, new Set(rows.map(({ id }) => id)), field);
}

/** Reports whether a campaign with this status starts simulations and assigns items. */
export function isActive(status: Declaration['status']): boolean {
  return status === 'scheduled' || status === 'running';
}

/** Requires the scope for sending simulations if the campaign can start one. @throws insufficient_scope */
export function requireSending(
  caller: Pick<Caller, 'scopes'>,
  { items, status }: Pick<Declaration, 'items' | 'status'>,
) {
  if (!isActive(status) || splitItems(items).templateIds.length === 0) return;
  if (!hasScope(caller, 'simulations:send')) throw insufficientScope('simulations:send');
}
