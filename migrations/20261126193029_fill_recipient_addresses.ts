import type { Knex } from 'knex';

export const config = { transaction: false };

/** Of recipients from before, today's address is the only one known. One company at a time, so that no lock is held long. */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>('select id from companies order by id');
  for (const { id } of rows) {
    await knex.raw(
      `insert into simulation_recipient_addresses (company_id, simulation_id, email_key, learner_id, since)
       select r.company_id, r.simulation_id, l.email_key, r.learner_id, coalesce(r.sent_at, r.scheduled_at, now())
         from simulation_recipients r
         join learners l on l.company_id = r.company_id and l.id = r.learner_id
        where r.company_id = :id
       on conflict do nothing`,
      { id },
    );
  }
}

/** The table goes with the migration before. */
export async function down(): Promise<void> {}
