import type { Knex } from 'knex';

/** Adds the report button of companies: whether it is on, where it forwards emails, and its tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table company_settings
      add column report_button_enabled boolean not null default false,
      -- Null to use the e-mail address in the company's reporting settings.
      add column report_button_forward_to text check (char_length(report_button_forward_to) <= 254),
      -- Stored in plain text, because the manifests contain the token. It allows its holder only to report emails.
      add column report_button_token text check (report_button_token ~ '^[A-Za-z0-9_-]{64}$'),
      add column report_button_token_at timestamptz(3),
      add column report_button_previous_token text check (report_button_previous_token ~ '^[A-Za-z0-9_-]{64}$'),
      -- Time until which the previous token also works.
      add column report_button_previous_until timestamptz(3),
      -- Last component of the manifest version; grows with each change of the manifests.
      add column report_button_version integer not null default 0,
      add constraint company_settings_report_button check (report_button_token is not null or not report_button_enabled),
      add constraint company_settings_report_button_previous
        check ((report_button_previous_token is null) = (report_button_previous_until is null))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table company_settings drop column report_button_enabled, drop column report_button_forward_to,
      drop column report_button_token, drop column report_button_token_at, drop column report_button_previous_token,
      drop column report_button_previous_until, drop column report_button_version`);
}
