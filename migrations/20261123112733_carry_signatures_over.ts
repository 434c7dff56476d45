import type { Knex } from 'knex';

/**
 * The signatures that were given before there was a table of them: the latest of each result, and those of deleted
 * policies. These had names and addresses of their own, which outlived the learner.
 *
 * The release before still records the signatures of policies that it deletes. They are in `signatures` already.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version, minor_version,
                            file_sha256, signed, signed_offline)
    select r.company_id, r.learner_id, r.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256,
           r.signed, r.signed_offline
      from policy_results r
      join policy_versions v on v.company_id = r.company_id and v.id = r.signed_version_id
      join policy_files f on f.company_id = v.company_id and f.id = v.file_id
    on conflict do nothing
  `);
  // Policies that are being deleted come first, and those after them find the trigger: none is deleted here uncopied.
  await knex.raw('lock table signature_records in share row exclusive mode');
  await knex.raw(`
    insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version, minor_version,
                            file_sha256, signed, signed_offline, orphaned_at)
    select company_id, learner_id, policy_id, policy_name, version_id, major_version, minor_version, file_sha256,
           signed, signed_offline, policy_deleted_at
      from signature_records
    on conflict do nothing
  `);
  await knex.raw(`
    insert into signature_names (company_id, learner_id, policy_id, signed, version_id, learner_name, learner_email)
    select s.company_id, s.learner_id, s.policy_id, s.signed, s.version_id,
           coalesce(k.learner_name, l.first_name || ' ' || l.last_name), coalesce(k.learner_email, l.email)
      from signatures s
      join learners l on l.company_id = s.company_id and l.id = s.learner_id
      left join signature_records k on k.company_id = s.company_id and k.learner_id = s.learner_id
       and k.policy_id = s.policy_id and k.signed = s.signed and k.version_id = s.version_id
    on conflict do nothing
  `);
  await knex.raw(`
    delete from signature_records;
    create function keep_no_record() returns trigger
      language plpgsql set search_path = public, pg_temp as $$ begin return null; end $$;
    revoke all on function keep_no_record() from public;
    create trigger signature_records_kept_elsewhere before insert on signature_records
      for each row execute function keep_no_record();
  `);
}

/** Those of deleted policies alone: the others are in the results. Who has no name any more is called by the id. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger signature_records_kept_elsewhere on signature_records;
    drop function keep_no_record();
    insert into signature_records (company_id, id, policy_id, policy_name, version_id, major_version, minor_version,
                                   file_sha256, learner_id, learner_email, learner_name, signed, signed_offline,
                                   policy_deleted_at)
    select s.company_id, new_id(), s.policy_id, s.policy_name, s.version_id, s.major_version, s.minor_version, s.file_sha256,
           s.learner_id, coalesce(n.learner_email, s.learner_id::text), coalesce(n.learner_name, s.learner_id::text),
           s.signed, s.signed_offline, coalesce(s.orphaned_at, now())
      from signatures s
      left join signature_names n on n.company_id = s.company_id and n.learner_id = s.learner_id
       and n.policy_id = s.policy_id and n.signed = s.signed and n.version_id = s.version_id
     where not exists (select from policies p where p.company_id = s.company_id and p.id = s.policy_id)
  `);
}
