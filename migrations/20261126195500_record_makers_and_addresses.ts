import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

const MADE = ['api_keys', 'sources', 'webhook_endpoints'];

/**
 * Which key has made a key, a source or an endpoint; when the address of a learner changed, beside the signatures that were
 * given soon after; and the messages that report changes of who can come in, some of them to the address of before.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of MADE) await knex.raw(`alter table ${table} add column if not exists created_by uuid`);
  await knex.raw(`
    grant insert (created_by), select (created_by) on api_keys to awareness_service;
    alter table learners add column if not exists email_changed_at timestamptz(3);
    alter table signatures add column if not exists email_changed_at timestamptz(3);
    comment on column signatures.email_changed_at is 'When the address of the learner changed, within seven days before';
    alter table messages add column if not exists to_address text;
    comment on column messages.to_address is 'The address of before, for the message about its change, until that is settled';
  `);
  await knex.raw(setEmailKey(`if tg_op = 'UPDATE' then new.email_changed_at := now(); end if;`));
  await knex.raw(recordSignature(', email_changed_at', `, (${CHANGED_BEFORE})`));
  await replaceKinds(knex, ['messages_known_kinds', 'messages_known_recipients'], NEW);
  await dropKinds(knex, ['messages_kinds', 'messages_recipients']);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind in (${list([...NEW.admins, ...NEW.learners])})`);
  await replaceKinds(knex, ['messages_kinds', 'messages_recipients'], { admins: [], learners: [] });
  await dropKinds(knex, ['messages_known_kinds', 'messages_known_recipients']);
  await knex.raw(recordSignature('', ''));
  await knex.raw(setEmailKey(''));
  await knex.raw(`
    alter table messages drop column if exists to_address;
    alter table signatures drop column if exists email_changed_at;
    alter table learners drop column if exists email_changed_at`);
  for (const table of MADE) await knex.raw(`alter table ${table} drop column if exists created_by`);
}

const CHANGED_BEFORE = `
  select l.email_changed_at from learners l
   where l.company_id = new.company_id and l.id = new.learner_id
     and l.email_changed_at between new.signed - interval '7 days' and new.signed`;

function setEmailKey(also: string): string {
  return `
    create or replace function set_learner_email_key() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      new.email_key := lower(new.email);
      ${also}
      return new;
    end $$`;
}

function recordSignature(columns: string, values: string): string {
  return `
    create or replace function record_signature() returns trigger language plpgsql set search_path = public, pg_temp as $$
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
               l.first_name || ' ' || l.last_name, l.email
          from learners l where l.company_id = new.company_id and l.id = new.learner_id
        on conflict do nothing;
        return null;
      end $$`;
}

interface Kinds {
  admins: string[];
  learners: string[];
}

const NEW: Kinds = {
  admins: ['admin_added', 'admin_address_changed', 'passkey_added', 'api_key_created'],
  learners: ['learner_address_changed'],
};
const TO_ADMINS = [
  ...['admin_invite', 'admin_sign_in'],
  ...['api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'],
];
const TO_LEARNERS = [
  ...['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'],
  ...['sign_in', 'policy_receipt', 'simulation'],
];

async function replaceKinds(knex: Knex, names: string[], also: Kinds): Promise<void> {
  const toAdmins = [...TO_ADMINS, ...also.admins];
  const isToAdmin = `kind in (${list(toAdmins)})`;
  const rules = [
    `check (kind in (${list([...toAdmins, ...TO_LEARNERS, ...also.learners])}))`,
    `check ((${isToAdmin}) = (admin_id is not null) and (${isToAdmin}) = (learner_id is null))`,
  ];
  for (const [place, rule] of rules.entries()) await addConstraint(knex, 'messages', names[place]!, rule);
}

async function dropKinds(knex: Knex, names: string[]): Promise<void> {
  for (const name of names) await knex.raw(`alter table messages drop constraint if exists ${name}`);
}

function list(values: string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
