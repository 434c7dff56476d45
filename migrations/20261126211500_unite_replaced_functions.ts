import type { Knex } from 'knex';

/**
 * Joins changes that were made to the same functions side by side: a signature records both the trimmed name and when the
 * learner's address changed, and the numbers that `due_webhooks_by_company` takes have a smallest value, as those of the
 * other functions with the owner's rights.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(recordSignature(', email_changed_at', `, (${CHANGED_BEFORE})`));
  await replaceDueWebhooks(knex, (text) => text.replace(/\bbegin\b/, (begin) => begin + CHECKS));
}

export async function down(knex: Knex): Promise<void> {
  await replaceDueWebhooks(knex, (text) => text.replace(CHECKS, ''));
  await knex.raw(recordSignature('', ''));
}

const CHANGED_BEFORE = `
          select l.email_changed_at from learners l
           where l.company_id = new.company_id and l.id = new.learner_id
             and l.email_changed_at between new.signed - interval '7 days' and new.signed`;

function recordSignature(columns: string, values: string): string {
  return `
    create or replace function record_signature()
     returns trigger
     language plpgsql
     set search_path = public, pg_temp
    as $$
          begin
            insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version,
                                    minor_version, file_sha256, signed, signed_offline, signed_from${columns})
            select v.company_id, new.learner_id, v.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256,
                   new.signed, new.signed_offline, new.signed_from${values}
              from policy_versions v join policy_files f on f.company_id = v.company_id and f.id = v.file_id
             where v.company_id = new.company_id and v.id = new.signed_version_id
            on conflict do nothing;
            insert into signature_names (company_id, learner_id, policy_id, signed, version_id, learner_name, learner_email)
            select l.company_id, l.id, new.policy_id, new.signed, new.signed_version_id,
                   rtrim(l.first_name || ' ' || l.last_name), l.email
              from learners l where l.company_id = new.company_id and l.id = new.learner_id
            on conflict do nothing;
            return null;
          end $$`;
}

const CHECKS = ` perform require_at_least('most', most, 1); perform require_at_least('share', share, 1);`;

/** Starts from the definition that the database has. */
async function replaceDueWebhooks(knex: Knex, change: (text: string) => string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { text: string }[] }>(
    `select pg_get_functiondef('due_webhooks_by_company(integer, integer, uuid[], uuid[])'::regprocedure) as text`,
  );
  const [before, after] = [rows[0]!.text, change(rows[0]!.text)];
  if (after === before) throw new Error('due_webhooks_by_company has no place for its checks');
  // Knex takes each question mark for a parameter.
  await knex.raw(after.replaceAll('?', '\\?'));
}
