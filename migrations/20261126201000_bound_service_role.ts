import type { Knex } from 'knex';

/**
 * Bounds what the role of the service can do, for whoever gets hold of its connection: functions that delete by age refuse ages
 * below what the service ever asks for, keys are revoked once and never revived or extended, and the audit log is written by
 * one function, which takes the company from the session and the time from the clock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(REQUIRE_AT_LEAST);
  for (const [signature, checks] of Object.entries(CHECKS))
    await replace(knex, signature, (text) => withChecks(text, checks));
  await knex.raw(beginAsking(SECONDS));
  await knex.raw(GUARD_KEYS);
  await knex.raw(ENTER_AUDIT_ENTRY);
  await knex.raw(`
    revoke insert on audit_log from awareness_service;
    revoke insert (${AUDIT_COLUMNS}) on audit_log from awareness_service;
    revoke update, delete on signature_records from awareness_service`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    grant update, delete on signature_records to awareness_service;
    grant insert (${AUDIT_COLUMNS}) on audit_log to awareness_service;
    drop function enter_audit_entry(${AUDIT_TYPES});
    drop trigger api_keys_guarded on api_keys;
    drop function guard_api_key()`);
  await knex.raw(beginAsking(''));
  for (const [signature, checks] of Object.entries(CHECKS))
    await replace(knex, signature, (text) => withoutChecks(text, checks));
  await knex.raw('drop function require_at_least(text, integer, integer)');
}

type Checks = Record<string, number>;

const [DAYS, SOME] = [30, 1];
/** The smallest value of each argument of a function. */
const CHECKS: Record<string, Checks> = {
  'due_lessons(integer, integer)': { minutes: 0, most: SOME },
  'due_simulations(integer)': { most: SOME },
  'due_webhooks(integer)': { most: SOME },
  'keep_event_days(integer)': { days: DAYS },
  'purge_changes(integer, uuid, integer)': { days: DAYS, most: SOME },
  'purge_idempotency_keys(uuid, integer)': { most: SOME },
  'purge_known_devices(uuid, integer)': { most: SOME },
  'purge_messages(integer)': { days: DAYS },
  'purge_messages(integer, integer)': { days: DAYS, most: SOME },
  'purge_person_sessions(uuid, integer)': { most: SOME },
  'purge_sign_in_links(uuid, integer)': { most: SOME },
  // It takes less than 30 days for 30.
  'purge_signatures(integer, text[], integer)': { days: 0, most: SOME },
  'purge_webhook_tries(integer, uuid[], integer)': { days: 7, most: SOME },
  'queue_for_removed_users(text, date, integer)': { kept_days: DAYS },
};

const REQUIRE_AT_LEAST = `
  create function require_at_least(argument text, value integer, smallest integer) returns void
    language plpgsql immutable as $$
    begin
      if value is null or value < smallest then
        raise exception '% must be at least %, not %', argument, smallest, coalesce(value::text, 'null')
          using errcode = 'invalid_parameter_value';
      end if;
    end $$;
  revoke all on function require_at_least(text, integer, integer) from public;
  grant execute on function require_at_least(text, integer, integer) to awareness_service`;

/** Starts from the definition that the database has. */
async function replace(knex: Knex, signature: string, change: (text: string) => string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { text: string }[] }>('select pg_get_functiondef(?::regprocedure) as text', [
    signature,
  ]);
  const [before, after] = [rows[0]!.text, change(rows[0]!.text)];
  if (after === before) throw new Error(`${signature} has no place for its checks`);
  // Knex takes each question mark for a parameter.
  await knex.raw(after.replaceAll('?', '\\?'));
}

function withChecks(text: string, checks: Checks): string {
  return text.replace(/(AS \$function\$[\s\S]*?\bbegin\b)/, (head) => head + textOf(checks));
}

function withoutChecks(text: string, checks: Checks): string {
  return text.replace(textOf(checks), '');
}

function textOf(checks: Checks): string {
  const calls = Object.entries(checks).map(
    ([name, least]) => ` perform require_at_least('${name}', ${name}, ${least});`,
  );
  return calls.join('');
}

/** In SQL, which runs one statement after another. */
function beginAsking(checks: string): string {
  return `
    create or replace function begin_asking_breach_feed(subject text, source text, known timestamptz, seconds integer)
      returns boolean language sql security definer set search_path = public, pg_temp as $$
      ${checks}
      with mine as (
        insert into breach_feed_answers as a (subject, source, asking_until)
        values (subject, source, now() + make_interval(secs => seconds))
        on conflict (subject) do update set asking_until = excluded.asking_until
          where (a.asking_until is null or a.asking_until < now())
            and (a.source <> excluded.source or a.answered_at is not distinct from known)
        returning true
      ) select exists (select from mine)
    $$`;
}

const SECONDS = `
      select require_at_least('seconds', seconds, 1);
      select require_at_least('3600 less the seconds', 3600 - seconds, 0);`;

// Whoever owns the tables is not guarded: a restored backup may need it.
const GUARD_KEYS = `
  create function guard_api_key() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if not row_security_active(tg_relid) then return new; end if;
      if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
        raise exception 'revoked_at is set once' using errcode = 'restrict_violation';
      end if;
      if new.revoked_at is not null and old.revoked_at is null and new.revoked_at > now() + interval '1 second' then
        raise exception 'revoked_at is not in the future' using errcode = 'restrict_violation';
      end if;
      if old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at) then
        raise exception 'expires_at is never later than before' using errcode = 'restrict_violation';
      end if;
      if old.replaced_by is not null and new.replaced_by is distinct from old.replaced_by then
        raise exception 'replaced_by is set once' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
  revoke all on function guard_api_key() from public;
  create trigger api_keys_guarded before update of revoked_at, expires_at, replaced_by on api_keys
    for each row execute function guard_api_key()`;

const AUDIT_COLUMNS =
  'company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields, request_id, address';
const AUDIT_TYPES = 'text, text, uuid, text, text, text, jsonb, text[], text, text, boolean';

const ENTER_AUDIT_ENTRY = `
  create function enter_audit_entry(actor_type text, actor_id text, actor_company uuid, operation text, outcome text, code text,
                                    targets jsonb, fields text[], request_id text, address text, always boolean)
    returns setof uuid rows 1 language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid := current_company();
    begin
      if not always and pg_current_xact_id_if_assigned() is null then return; end if;
      if company is null then
        raise exception 'no company is open' using errcode = 'insufficient_privilege';
      end if;
      if actor_type = 'operator' or operation !~ '^[a-z][A-Za-z0-9]{0,99}$' or jsonb_typeof(targets) <> 'array' then
        raise exception 'not an entry of the service' using errcode = 'insufficient_privilege';
      end if;
      if actor_company <> company
         and not exists (select from companies c where c.id = company and c.managed_by @> array[actor_company]) then
        raise exception 'the company of the actor does not manage this one' using errcode = 'insufficient_privilege';
      end if;
      insert into audit_log (${AUDIT_COLUMNS})
      values (company, actor_type, actor_id, actor_company, operation, outcome, code, targets, fields, request_id, address)
      on conflict do nothing;
      -- Its row tells the service that there is an entry.
      return next company;
    end $$;
  revoke all on function enter_audit_entry(${AUDIT_TYPES}) from public;
  grant execute on function enter_audit_entry(${AUDIT_TYPES}) to awareness_service`;
