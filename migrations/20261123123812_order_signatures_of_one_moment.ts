import type { Knex } from 'knex';

/**
 * Of two signatures at the very same moment, that of the later version is the latest, and of the same version the one
 * that was given in the service. So the latest is the same in whichever order they arrive.
 */
export async function up(knex: Knex): Promise<void> {
  await keepForward(
    knex,
    `(new.signed, new.signed_version_id, not new.signed_offline)
                  > (old.signed, old.signed_version_id, not old.signed_offline)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await keepForward(knex, 'new.signed > old.signed');
}

async function keepForward(knex: Knex, isLater: string): Promise<void> {
  await knex.raw(`
    create or replace function keep_signatures_forward() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
      begin
        if tg_op = 'UPDATE' then
          if (old.company_id, old.policy_id, old.learner_id) <> (new.company_id, new.policy_id, new.learner_id) then
            raise exception 'a result stays whose it is'
              using errcode = 'check_violation', constraint = 'policy_results_forward';
          end if;
          if (old.visit is not null and new.visit is null) or new.visit < old.visit then
            raise exception 'a visit is followed by later ones'
              using errcode = 'check_violation', constraint = 'policy_results_forward';
          end if;
          if old.signed is not null and (${isLater}) is not true
             and (new.signed, new.signed_version_id, new.signed_offline, new.signed_from)
                 is distinct from (old.signed, old.signed_version_id, old.signed_offline, old.signed_from) then
            raise exception 'a signature is followed by later ones'
              using errcode = 'check_violation', constraint = 'policy_results_forward';
          end if;
          if (new.signed, new.signed_version_id) is not distinct from (old.signed, old.signed_version_id) then
            return new;
          end if;
        end if;
        if exists (select from policy_versions v
                    where v.company_id = new.company_id and v.id = new.signed_version_id
                      and v.published_at > new.signed) then
          raise exception 'a version is signed after it was published'
            using errcode = 'check_violation', constraint = 'policy_results_published';
        end if;
        return new;
      end $$`);
}
