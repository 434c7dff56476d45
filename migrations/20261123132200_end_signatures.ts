import type { Knex } from 'knex';

/**
 * Ends signatures whose learner or policy was deleted, so many days after that was found, with what stands beside them.
 * Only the owner's function may: it deletes no other, and none before thirty days, whatever it is asked for.
 *
 * A call looks at so many signatures of one company, in the order of their key after the one that it is given, and
 * returns the key of the last; null when there is none. So no call is longer the more signatures there are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function purge_signatures(days integer, after text[] default '{}', most integer default 5000) returns text[]
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
        last text[];
        ends timestamptz := now() - greatest(days, 30) * interval '1 day';
      begin
        -- All that follow one without a key are of a greater company.
        select s.company_id into company from signatures s
         where (s.company_id, s.learner_id, s.policy_id, s.signed, s.version_id)
               > (coalesce(after[1]::uuid, ${NONE}), after[2]::uuid, after[3]::uuid, after[4]::timestamptz, after[5]::uuid)
         order by s.company_id, s.learner_id, s.policy_id, s.signed, s.version_id limit 1;
        if company is null then
          return null;
        end if;
        if after[1]::uuid is distinct from company then
          after := array[company::text, ${NONE}];
        end if;
        select array[b.company_id, b.learner_id, b.policy_id, b.signed, b.version_id]::text[] into last
          from (select * from signatures s where ${isAfter('s')}
                 order by s.learner_id, s.policy_id, s.signed, s.version_id limit greatest(most, 1)) as b
         order by b.learner_id desc, b.policy_id desc, b.signed desc, b.version_id desc limit 1;

        update signatures s set orphaned_at = now()
         where ${isLookedAt('s')} and s.orphaned_at is null
           and (not exists (select from learners l where l.company_id = company and l.id = s.learner_id)
                or not exists (select from policies p where p.company_id = company and p.id = s.policy_id));${['signature_names', 'signature_events'].map(deleteBeside).join('')}
        delete from signatures s where ${isLookedAt('s')} and s.orphaned_at < ends;
        return last;
      end $$;
    revoke all on function purge_signatures(integer, text[], integer) from public;
    grant execute on function purge_signatures(integer, text[], integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_signatures(integer, text[], integer)');
}

/** Before every id. */
const NONE = `'00000000-0000-0000-0000-000000000000'`;

function isAfter(row: string): string {
  return `${row}.company_id = company and (${row}.learner_id, ${row}.policy_id, ${row}.signed, ${row}.version_id)
               > (after[2]::uuid, after[3]::uuid, after[4]::timestamptz, after[5]::uuid)`;
}

function isLookedAt(row: string): string {
  return `${isAfter(row)}
           and (${row}.learner_id, ${row}.policy_id, ${row}.signed, ${row}.version_id)
               <= (last[2]::uuid, last[3]::uuid, last[4]::timestamptz, last[5]::uuid)`;
}

// The range stands on both tables, so that neither is read beyond it, whatever the plan.
function deleteBeside(table: string): string {
  return `
        delete from ${table} n using signatures s
         where ${isLookedAt('n')}
           and ${isLookedAt('s')}
           and s.learner_id = n.learner_id and s.policy_id = n.policy_id and s.signed = n.signed
           and s.version_id = n.version_id and s.orphaned_at < ends;`;
}
