import type { Knex } from 'knex';

/** Migrations that were applied under another name, by that name. They were dated in the future. */
const RENAMED: Record<string, string> = {
  '20261121000000_create_tenancy.ts': '20261121150000_create_tenancy.ts',
  '20261121100000_create_admins.ts': '20261121170000_create_admins.ts',
  '20261121110000_create_training.ts': '20261121171000_create_training.ts',
  '20261121120000_create_messages.ts': '20261121172000_create_messages.ts',
  '20261122090000_create_policies.ts': '20261121180000_create_policies.ts',
  '20261122091000_create_policy_templates.ts': '20261121181000_create_policy_templates.ts',
  '20261122092000_add_policy_messages.ts': '20261121182000_add_policy_messages.ts',
  '20261122100000_add_modules_to_keys.ts': '20261121191000_add_modules_to_keys.ts',
  '20261123090000_create_simulations.ts': '20261121200000_create_simulations.ts',
  '20261123091000_create_breaches.ts': '20261121201000_create_breaches.ts',
  '20261123092000_create_risk_history.ts': '20261121202000_create_risk_history.ts',
  '20261124090000_date_signature_settings.ts': '20261121213000_date_signature_settings.ts',
  '20261124091000_settle_template_sharing.ts': '20261121214000_settle_template_sharing.ts',
  '20261125090000_create_oauth.ts': '20261121215000_create_oauth.ts',
  '20261126090000_widen_enrollments_course.ts': '20261122011500_widen_enrollments_course.ts',
  '20261127090000_add_learner_email_key.ts': '20261122165000_add_learner_email_key.ts',
  '20261127091000_create_mail_log.ts': '20261122175000_create_mail_log.ts',
  '20261127091001_index_messages_by_time.ts': '20261122175001_index_messages_by_time.ts',
};

/** The name that a migration has now. */
export function currentName(name: string): string {
  return RENAMED[name] ?? name;
}

/** What the database has, eldest first. */
export async function appliedNames(database: Knex): Promise<string[]> {
  if (!(await database.schema.hasTable('knex_migrations'))) return [];
  const rows = await database<{ id: number; name: string }>('knex_migrations').select('name').orderBy('id');
  return rows.map(({ name }) => name);
}

/** Gives the migrations that a database knows under an old name the name that they have now. */
export async function renameApplied(database: Knex): Promise<void> {
  const known = await appliedNames(database);
  if (known.every((name) => currentName(name) === name)) return;
  await database.raw(
    `update knex_migrations set name = renamed.current
       from unnest(?::text[], ?::text[]) as renamed (old, current) where name = renamed.old`,
    [Object.keys(RENAMED), Object.values(RENAMED)],
  );
}
