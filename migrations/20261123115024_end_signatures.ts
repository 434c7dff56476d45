import type { Knex } from 'knex';

/**
 * Ends signatures whose learner or policy was deleted, so many days after that was found. Only the owner's function may:
 * it deletes no other, and none before thirty days, whatever it is asked for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function purge_signatures(days integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
      begin
        for company in select distinct company_id from signatures loop
          update signatures s set orphaned_at = now()
           where s.company_id = company and s.orphaned_at is null
             and (not exists (select from learners l where l.company_id = company and l.id = s.learner_id)
                  or not exists (select from policies p where p.company_id = company and p.id = s.policy_id));
          delete from signature_names n using signatures s
           where n.company_id = company and s.company_id = company and s.learner_id = n.learner_id
             and s.policy_id = n.policy_id and s.signed = n.signed and s.version_id = n.version_id
             and s.orphaned_at < now() - greatest(days, 30) * interval '1 day';
          delete from signatures s
           where s.company_id = company and s.orphaned_at < now() - greatest(days, 30) * interval '1 day';
        end loop;
      end $$;
    revoke all on function purge_signatures(integer) from public;
    grant execute on function purge_signatures(integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_signatures(integer)');
}
