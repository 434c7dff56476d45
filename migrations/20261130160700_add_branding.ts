import type { Knex } from 'knex';

/** Adds the branding of companies: the name, colour, logo and reply address that people see. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table company_settings
      add column brand_name text check (char_length(brand_name) between 1 and 100),
      -- Background of buttons with white text.
      add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
      add column brand_reply_to text check (char_length(brand_reply_to) <= 254),
      add column brand_logo bytea check (length(brand_logo) <= 65536),
      -- Object with mediaType, width and height; null if there is no logo.
      add column brand_logo_facts jsonb,
      -- Part of the URLs of the style sheet and the logo, which changes with their content. Null if there is neither.
      add column brand_version text check (brand_version ~ '^[0-9a-f]{12}$'),
      add constraint company_settings_brand_logo check ((brand_logo is null) = (brand_logo_facts is null))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table company_settings drop column brand_name, drop column brand_color, drop column brand_reply_to,
      drop column brand_logo, drop column brand_logo_facts, drop column brand_version`);
}
