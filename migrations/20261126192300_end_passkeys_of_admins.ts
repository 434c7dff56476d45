import type { Knex } from 'knex';

/** Whoever is behind another address must not come in by a passkey of whoever was behind the address before. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(endSignIns('delete from passkeys where company_id = new.company_id and admin_id = new.id;'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(endSignIns(''));
}

function endSignIns(also: string): string {
  return `
    create or replace function end_sign_ins_of_admin() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        ${also}
        delete from sign_in_links where company_id = new.company_id and admin_id = new.id;
        delete from person_sessions where company_id = new.company_id and admin_id = new.id;
        update messages set setup_token = null
         where company_id = new.company_id and admin_id = new.id and status = 'queued' and setup_token is not null
           and kind <> 'admin_invite';
        return null;
      end $$`;
}
