import type { components } from '../../../generated/api-types.ts';
import type { LearnerListRow, LearnerRow } from './learner-repository.ts';
import { riskScoreLevel } from './risk-rules.ts';

type Schemas = components['schemas'];

export function toLearnerListItem(row: LearnerListRow): Schemas['LearnerListItem'] {
  return {
    id: row.id,
    email: row.email,
    externalLearnerId: row.external_learner_id,
    name: `${row.first_name} ${row.last_name}`,
    inactive: row.inactive,
  };
}

export function toLearner(row: LearnerRow): Schemas['Learner'] {
  return {
    ...toLearnerListItem(row),
    firstName: row.first_name,
    lastName: row.last_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isManager: row.is_manager,
    locale: row.locale,
    excludedFromAutoEnrol: row.excluded_from_auto_enrol,
    riskScoreLevel: riskScoreLevel(row.risk_score),
    groups: row.groups,
    manager: row.manager,
  };
}
