import type { Knex } from 'knex';

/**
 * Every signature that was given, for good: policy_results keeps the latest of each learner and policy. A trigger writes
 * them, so that nothing that signs can leave its evidence out, the release before included.
 *
 * A signature names its learner by id alone. The name and address of that day stand beside it, and go with the learner.
 * No foreign key leads from them to the signature: while the table is new, its checks read the whole table for each row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table signatures (
      company_id uuid not null references companies (id),
      learner_id uuid not null,
      policy_id uuid not null,
      policy_name text not null,
      version_id uuid not null,
      major_version integer not null,
      minor_version integer not null,
      file_sha256 bytea not null,
      signed timestamptz(3) not null,
      signed_offline boolean not null,
      -- The network address that it came from; null when that is not known.
      signed_from text,
      -- When its learner or its policy was found to be deleted.
      orphaned_at timestamptz(3),
      primary key (company_id, learner_id, policy_id, signed, version_id)
    );
    create index signatures_policy on signatures (company_id, policy_id);

    create table signature_names (
      company_id uuid not null,
      learner_id uuid not null,
      policy_id uuid not null,
      signed timestamptz(3) not null,
      version_id uuid not null,
      learner_name text not null,
      learner_email text not null,
      primary key (company_id, learner_id, policy_id, signed, version_id),
      constraint signature_names_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
  `);
  for (const table of ['signatures', 'signature_names']) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select, insert on ${table} to awareness_service;
    `);
  }
  await knex.raw(`
    alter table policy_results add column signed_from text;

    create function record_signature() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
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
               l.first_name || ' ' || l.last_name, l.email
          from learners l where l.company_id = new.company_id and l.id = new.learner_id
        on conflict do nothing;
        return null;
      end $$;
    revoke all on function record_signature() from public;

    create trigger policy_results_signed_at_once after insert on policy_results
      for each row when (new.signed is not null) execute function record_signature();
    create trigger policy_results_signed_later after update of signed, signed_version_id on policy_results
      for each row when (new.signed is not null
        and (new.signed, new.signed_version_id) is distinct from (old.signed, old.signed_version_id))
      execute function record_signature();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger policy_results_signed_later on policy_results;
    drop trigger policy_results_signed_at_once on policy_results;
    drop function record_signature();
    alter table policy_results drop column signed_from;
    drop table signature_names, signatures;
  `);
}
