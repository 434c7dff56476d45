import type { Schemas } from '../../../contract/contract.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pagedQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';

type Exclusion = Schemas['SimulationExclusion'];

const exclusion = sql`
  x.id, x.learner_id as "learnerId", x.group_id as "groupId", x.from_date as "from", x.to_date as "to", x.note,
  x.created_at as "createdAt"`;

export const listExclusions = pagedQuery<object, Exclusion>(
  'simulation_exclusion_list',
  BY_ID,
  (p) => sql`select ${exclusion} from simulation_exclusions x where x.company_id = ${p.companyId}`,
);

const insert = mutation<Omit<Exclusion, 'createdAt'>, Exclusion>(
  'simulation_exclusion_insert',
  (p) => sql`
    insert into simulation_exclusions as x (company_id, id, learner_id, group_id, from_date, to_date, note)
    values (${p.companyId}, ${p.id}, ${p.learnerId}, ${p.groupId}, ${p.from}, ${p.to}, ${p.note})
    returning ${exclusion}`,
);

/** @throws not_found for a learner or a group that the company does not have */
export async function insertExclusion(tenant: TenantWriter, created: Omit<Exclusion, 'createdAt'>): Promise<Exclusion> {
  return (await tenant.mutate(insert, created))[0]!;
}

const remove = mutation<{ simulationExclusionId: string }, { id: string }>('simulation_exclusion_remove', (p, knex) =>
  knex('simulation_exclusions')
    .where({ company_id: p.companyId, id: p.simulationExclusionId })
    .delete()
    .returning('id'),
);

/** @throws not_found */
export async function removeExclusion(tenant: TenantWriter, simulationExclusionId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { simulationExclusionId }))[0], 'simulation exclusion');
}
