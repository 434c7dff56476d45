import type { Knex } from 'knex';

const BOTH_NAMES = `l.first_name || ' ' || l.last_name`;

/** Certificates and signatures name a person with one name without a space behind it. */
export async function up(knex: Knex): Promise<void> {
  await replace(knex, `rtrim(${BOTH_NAMES})`);
}

export async function down(knex: Knex): Promise<void> {
  await replace(knex, BOTH_NAMES);
}

async function replace(knex: Knex, name: string): Promise<void> {
  await knex.raw(`
    create or replace function find_certificate(asked text)
     returns TABLE(company_name text, course_name text, finish_date date, holder text)
     language plpgsql
     stable security definer
     set search_path = public, pg_temp
    as $$
          begin
            return query
              select k.name, c.course_name, c.finish_date, ${name}
                from certificates c
                join companies k on k.id = c.company_id
                join learners l on l.company_id = c.company_id and l.id = c.learner_id
               where c.number = asked;
          end $$`);
  await knex.raw(`
    create or replace function record_signature()
     returns trigger
     language plpgsql
     set search_path = public, pg_temp
    as $$
          begin
            insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version,
                                    minor_version, file_sha256, signed, signed_offline, signed_from)
            select v.company_id, new.learner_id, v.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256,
                   new.signed, new.signed_offline, new.signed_from
              from policy_versions v join policy_files f on f.company_id = v.company_id and f.id = v.file_id
             where v.company_id = new.company_id and v.id = new.signed_version_id
            on conflict do nothing;
            insert into signature_names (company_id, learner_id, policy_id, signed, version_id, learner_name, learner_email)
            select l.company_id, l.id, new.policy_id, new.signed, new.signed_version_id,
                   ${name}, l.email
              from learners l where l.company_id = new.company_id and l.id = new.learner_id
            on conflict do nothing;
            return null;
          end $$`);
}
