import type { components } from '../../../generated/api-types.ts';
import type { AccountRow, BreachedServiceRow, BreachRow, ExposedAccountRow } from './breach-repository.ts';

type Schemas = components['schemas'];

function toAccount(row: AccountRow): Schemas['AffectedAccount'] {
  return {
    email: row.email,
    domain: row.domain,
    externalLearnerId: row.external_learner_id,
    accountType: row.account_type,
  };
}

export function toExposedAccount(row: ExposedAccountRow): Schemas['ExposedAccount'] {
  const breaches = row.breaches.map(({ id, title, breach_date }) => ({ id, name: title, breachDate: breach_date }));
  return { ...toAccount(row), breaches };
}

export function toLearnerBreach(row: BreachRow): Schemas['LearnerBreach'] {
  return {
    id: row.id,
    name: row.title,
    category: row.category,
    breachDate: row.breach_date,
    dataClassNames: row.data_classes,
  };
}

export function toBreachedService(row: BreachedServiceRow): Schemas['BreachedService'] {
  return {
    ...toLearnerBreach(row),
    accountCount: row.accounts.length,
    affectedAccounts: row.accounts.map(toAccount),
  };
}
