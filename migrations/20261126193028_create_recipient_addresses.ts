import type { Knex } from 'knex';

/**
 * The addresses at which the recipients of a simulation were mailed. What is told by an address later is about them,
 * whoever has the address by then. They are deleted with the recipient, and so with the learner. The index without a
 * company is for the mailbox for reports, which knows nothing but the sender's address.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table simulation_recipient_addresses (
      company_id uuid not null,
      simulation_id uuid not null,
      email_key text not null check (email_key = lower(email_key)),
      learner_id uuid not null,
      since timestamptz(3) not null check (isfinite(since)),
      primary key (company_id, simulation_id, email_key, learner_id),
      constraint simulation_recipient_addresses_recipient foreign key (company_id, simulation_id, learner_id)
        references simulation_recipients (company_id, simulation_id, learner_id) on delete cascade
    );
    create index simulation_recipient_addresses_recipient
      on simulation_recipient_addresses (company_id, simulation_id, learner_id);
    create index simulation_recipient_addresses_address on simulation_recipient_addresses (email_key);
    alter table simulation_recipient_addresses enable row level security;
    create policy own_company on simulation_recipient_addresses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on simulation_recipient_addresses to awareness_service;
    grant update (since) on simulation_recipient_addresses to awareness_service;

    create function find_recipients_of_address(address text) returns table (company_id uuid, learner_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select distinct l.company_id, l.id
            from simulation_recipient_addresses a
            join learners l on l.company_id = a.company_id and l.id = a.learner_id and not l.inactive
           where a.email_key = lower(address) order by 1, 2 limit 20;
      end $$;
    revoke all on function find_recipients_of_address(text) from public;
    grant execute on function find_recipients_of_address(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_recipients_of_address(text); drop table simulation_recipient_addresses');
}
