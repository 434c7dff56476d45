import type { Knex } from 'knex';
import type { Schemas } from '../src/contract/contract.ts';
import type { DemoCompany } from './demo-companies.ts';
import { companyId } from './demo-ids.ts';
import type { PolicyFacts } from './demo-policy-rows.ts';
import { expectSuccess, type Teller } from './demo-service.ts';
import type { CreatedSimulation } from './demo-simulations.ts';

/** The facts of a company, as its systems report them to the service. */
export interface Facts {
  results: Schemas['CourseResultInput'][];
  policies: PolicyFacts;
  /** The company's simulations, oldest first. */
  simulations: CreatedSimulation[];
}

/** Maximum number of facts in one call. */
const MAX_FACTS = 10_000;

/** Reports the facts of a company to the service. */
export async function tellFacts(
  { owner, company, call }: Teller,
  { results, policies, simulations }: Facts,
): Promise<void> {
  for (const part of splitIntoParts(results))
    expectSuccess(await call('recordCourseResults', { body: { results: part } }));
  for (const part of splitIntoParts(policies.signatures)) {
    expectSuccess(await call('recordPolicySignatures', { body: { signatures: part } }));
  }
  // The result is not checked for success, because a repeated call reports learners who are no longer assigned.
  for (const ending of policies.endings) await call('removePolicyAssignments', { body: ending });
  for (const { simulation } of simulations) await call('createSimulation', { body: simulation });
  await fixSimulations(owner, company, simulations);
  // One call after the other, so that a learner's results are recorded in chronological order.
  for (const { events } of simulations) {
    for (const part of events) expectSuccess(await call('recordSimulationEvents', { body: { events: part } }));
  }
}

/** Gives simulations the ids that the documentation shows, and their creation dates. */
async function fixSimulations(owner: Knex, company: DemoCompany, simulations: CreatedSimulation[]): Promise<void> {
  for (const { simulation, fixed } of simulations) {
    await owner('simulations')
      .where({ company_id: companyId(company), external_id: simulation.externalId })
      .update({ ...fixed, updated_at: fixed.created_at });
  }
}

/** Writes values that no operation accepts: the recipients of a draft, and the time when a visit was withdrawn. */
export async function completeSimulations(
  transaction: Knex.Transaction,
  company: DemoCompany,
  simulations: CreatedSimulation[],
): Promise<void> {
  for (const { fixed, draftedIds, withdrawnAt } of simulations) {
    const simulation = { company_id: companyId(company), simulation_id: fixed.id };
    const drafted = draftedIds.map((learner_id) => ({ ...simulation, learner_id }));
    await transaction.batchInsert('simulation_recipients', drafted);
    if (!withdrawnAt) continue;
    await transaction('simulation_recipients')
      .where(simulation)
      .whereNotNull('withdrawn_at')
      .update({ withdrawn_at: withdrawnAt });
  }
}

function splitIntoParts<T>(facts: T[]): T[][] {
  const count = Math.ceil(facts.length / MAX_FACTS);
  return Array.from({ length: count }, (_, index) => facts.slice(index * MAX_FACTS, (index + 1) * MAX_FACTS));
}
