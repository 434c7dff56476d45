import type { Knex } from 'knex';
import { companyId, findCompany, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';
const LEARNER = '018d856a-47c6-7000-8300-000000000002';

/** Builds the row of the domain whose people receive the tenant's simulations. */
export function simulationDomainRow() {
  const company = findCompany('tenant');
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 0)),
    domain: company.domain,
    challenge: '3f'.repeat(16),
    created_at: CREATED_AT,
  };
}

/** Builds an exclusion of past days, so that the demo can send simulations on every day. */
export function simulationExclusionRow(): object {
  const company = findCompany('tenant');
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 1)),
    from_date: '2025-12-24',
    to_date: '2026-01-01',
    note: 'Nobody is here',
    created_at: CREATED_AT,
  };
}

/** Stores a merge of a learner without records, which can be undone for 30 days. */
export async function insertLearnerMerge(transaction: Knex.Transaction): Promise<void> {
  const company = findCompany('tenant');
  const id = fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 2));
  const merged = { id: '018df51f-9660-7000-8300-000000000099', email: `former.record@${company.domain}` };
  await transaction.raw(
    `with merge as (
       insert into learner_merges (company_id, id, learner_id, into_learner_id, current_learner_id, email_key, reason,
                                   actor_type, actor_id, moved)
       select company_id, :id, :mergedId, id, id, :email, 'Imported twice', 'operator', 'seed',
              '{"courses":0,"courseResults":0,"policies":0,"signatures":0,"simulations":0,"groups":0,"managedLearners":0}'
         from learners where company_id = :companyId and id = :learnerId
       returning company_id, id, current_learner_id)
     insert into learner_merge_records (company_id, merge_id, table_name, is_of_merged, rows)
     select l.company_id, merge.id, 'learners', true,
            jsonb_build_array(to_jsonb(l) || jsonb_build_object(
              'id', :mergedId::text, 'email', :email::text, 'email_key', :email::text, 'external_learner_id', null))
       from merge join learners l on l.company_id = merge.company_id and l.id = merge.current_learner_id`,
    { id, companyId: companyId(company), learnerId: LEARNER, mergedId: merged.id, email: merged.email },
  );
}
