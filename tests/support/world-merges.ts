import type { Knex } from 'knex';
import { companies, type CompanyName, id, learnerId } from './world.ts';

/** Returns the id of a company's merge, of a learner without records into learner 3. */
export function learnerMergeId(company: CompanyName): string {
  return id('e', 0x8000 + Object.keys(companies).indexOf(company));
}

/** Inserts the merge of a company, with the kept row of the merged learner. */
export async function createMerge(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const merged = {
    id: id('e', 0x8100 + Object.keys(companies).indexOf(company)),
    email: `merged@${company}.test`.toLowerCase(),
  };
  await knex('learner_merges').insert({
    ...{ company_id, id: learnerMergeId(company), learner_id: merged.id, email_key: merged.email },
    ...{ into_learner_id: learnerId(company, 3), current_learner_id: learnerId(company, 3) },
    ...{ actor_type: 'operator', actor_id: 'the test world', moved: NOTHING },
  });
  await knex.raw(
    `insert into learner_merge_records (company_id, merge_id, table_name, is_of_merged, rows)
     select company_id, ?, 'learners', true,
            jsonb_build_array(to_jsonb(l) || jsonb_build_object('id', ?::text, 'email', ?::text, 'email_key', ?::text,
                                                                'external_learner_id', null))
       from learners l where company_id = ? and id = ?`,
    [learnerMergeId(company), merged.id, merged.email, merged.email, company_id, learnerId(company, 3)],
  );
}

const NOTHING = {
  ...{ courses: 0, courseResults: 0, policies: 0, signatures: 0, simulations: 0, groups: 0, managedLearners: 0 },
};
