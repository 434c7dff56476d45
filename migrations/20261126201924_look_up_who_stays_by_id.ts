import type { Knex } from 'knex';

/** A row that has an id, which is looked up for each of thousands. */
const stays = (table: string, id: string, company: string) => `(
             select o.id from public.${table} o where o.company_id = ${company} and o.id = ${id} limit 1) is not null`;

/**
 * The functions that bulk deletions run once, with all that they have removed.
 * @param company how they name it. A subquery hides it while Postgres plans: of a company that its statistics do not know
 *   it expects no rows, and then looked for each learner among all learners of the company.
 */
async function replaceFunctions(knex: Knex, company: string): Promise<void> {
  const named = (table: string, field: string) => stays(table, `(r.data ->> '${field}')::uuid`, company);
  await knex.raw(`
    create or replace function public.note_changes_of_staying(company uuid, of_kind text, of_ids uuid[], of_targets uuid[])
    returns void language plpgsql as $$
      declare
        staying uuid[];
        targets uuid[];
      begin
        select array_agg(r.id), array_agg(r.target) into staying, targets
          from unnest(of_ids, of_targets) as r (id, target) where ${stays('learners', 'r.id', company)};
        if staying is null then return; end if;
        perform public.note_changes(company, of_kind, gen_random_uuid(), staying,
                                    case when of_targets is not null then targets end);
      end $$;

    create or replace function public.write_events_of_staying(company uuid, of_types text[], of_facts jsonb[])
    returns void language plpgsql as $$
      declare
        types text[];
        facts jsonb[];
      begin
        select array_agg(r.type), array_agg(r.data) into types, facts
          from unnest(of_types, of_facts) as r (type, data)
         where ${named('learners', 'learnerId')}
           and (r.data -> 'groupId' is null or ${named('groups', 'groupId')})
           and (r.data -> 'policyId' is null or ${named('policies', 'policyId')});
        perform public.write_events(company, types, facts);
      end $$;
  `);
}

export async function up(knex: Knex): Promise<void> {
  await replaceFunctions(knex, '(select company)');
}

export async function down(knex: Knex): Promise<void> {
  await replaceFunctions(knex, 'company');
}
