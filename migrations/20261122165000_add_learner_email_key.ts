import type { Knex } from 'knex';
import { addConstraint, createIndexConcurrently, inBatches, setNotNull } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/**
 * Keeps a learner's address in lower case, to find it by an index. `lower` is not leakproof, so row-level security lets
 * no index be searched for `lower(email)`: to look for one address read every learner.
 *
 * No generated column, which would rewrite the table while nobody can use it. A writer may set the column itself, which
 * is quicker in bulk; the trigger is for those that do not, such as the release that runs during the migration.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table learners add column if not exists email_key text');
  await knex.raw(`
    create or replace function set_learner_email_key() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      new.email_key := lower(new.email);
      return new;
    end $$;

    create or replace trigger learners_email_key before insert or update of email on learners
      for each row when (new.email_key is distinct from lower(new.email)) execute function set_learner_email_key();
  `);
  await inBatches(knex, { table: 'learners', set: 'email_key = lower(email)', where: 'email_key is null' });
  await addConstraint(knex, 'learners', 'learners_email_key_check', 'check (email_key = lower(email))');
  await setNotNull(knex, 'learners', 'email_key');
  await replaceUniqueIndex(knex, 'email_key');
}

export async function down(knex: Knex): Promise<void> {
  await replaceUniqueIndex(knex, 'lower(email)');
  await knex.raw(`
    drop trigger if exists learners_email_key on learners;
    drop function if exists set_learner_email_key();
    alter table learners drop column if exists email_key;
  `);
}

/** The index keeps its name, by which the service knows that an address is taken. */
async function replaceUniqueIndex(knex: Knex, key: string): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'learners_email_new',
    on: `learners (company_id, ${key})`,
    unique: true,
  });
  // One transaction: with both dropped and renamed, or neither, it can run again.
  await knex.raw(`
    drop index if exists learners_email;
    alter index learners_email_new rename to learners_email;
  `);
}
