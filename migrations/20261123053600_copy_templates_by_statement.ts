import type { Knex } from 'knex';

/**
 * What a template that the company may see has published, for the service to copy under its own rights. On Citus what a
 * function does under its owner's rights is another session, which sees nothing of the transaction that calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function published_template(template uuid)
      returns table (name text, category text, sha256 bytea, content bytea, file_name text, size_bytes integer,
                     page_count integer)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    declare
      owner uuid;
    begin
      select v.owner_id into owner from visible_templates() v where v.id = template;
      return query
        select t.name, t.category, c.sha256, c.content, f.file_name, f.size_bytes, f.page_count
          from policy_templates t
          join policy_files f on f.company_id = owner and f.id = t.file_id
          join file_contents c on c.company_id = owner and c.sha256 = f.sha256
         where t.company_id = owner and t.id = template and t.published_at is not null;
    end $$;
    revoke all on function published_template(uuid) from public;
    grant execute on function published_template(uuid) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function published_template(uuid)');
}
