import type { components } from '../../../generated/api-types.ts';
import type { CompanyRow } from './company-repository.ts';

type Schemas = components['schemas'];

/** The plan value of a free trial. */
const FREE_TRIAL = 'freeTrial';

export function toFeatures(row: CompanyRow): Schemas['CompanyFeatures'] {
  return {
    smlearn: row.smlearn,
    smphish: row.smphish,
    smpolicy: row.smpolicy,
    smbreachproenabled: row.smbreachproenabled,
    smbreachprodomains: row.smbreachprodomains,
  };
}

export function toCompany(row: CompanyRow): Schemas['Company'] {
  return {
    id: row.id,
    name: row.name,
    accountType: row.account_type,
    plan: toPlan(row),
    features: toFeatures(row),
  };
}

export function toChildCompany(row: CompanyRow): Schemas['ChildCompany'] {
  const plan = toPlan(row);
  return { id: row.id, name: row.name, accountType: row.account_type, plan, isTrial: plan.isTrial };
}

function toPlan(row: CompanyRow): Schemas['CompanyPlan'] {
  return {
    name: row.plan_name,
    learnerCount: row.active_learner_count,
    learnerLimit: row.learner_limit,
    domainLock: row.domain_lock,
    domain: row.domain,
    isTrial: row.plan_name === FREE_TRIAL,
  };
}
