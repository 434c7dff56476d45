import type { Knex } from 'knex';

/**
 * By night: makes the partitions of the next two months, and drops those whose last entry is older than the 400 days
 * that entries are kept. The entries of a month without a partition are in the default one. A month that has not begun has
 * none there, so that its partition can be made.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function turn_audit_log() returns void
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' set timezone = 'UTC'
      as $$
      declare
        -- No parameter: whoever may call this could have all entries go.
        oldest timestamptz := now() - interval '400 days';
        month timestamptz;
        part text;
      begin
        for month in
          select date_trunc('month', now()) + n * interval '1 month' from generate_series(1, 2) as n
        loop
          part := to_char(month, '"audit_log_"YYYY_MM');
          continue when to_regclass(part) is not null;
          execute format('create table %I partition of audit_log for values from (%L) to (%L)',
                         part, month, month + interval '1 month');
          execute format('alter table %I enable row level security', part);
        end loop;
        for part in
          select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
             and to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < oldest
        loop
          execute format('drop table %I', part);
        end loop;
        delete from audit_log_default where occurred_at < oldest;
      end $$;
    revoke all on function turn_audit_log() from public;
    grant execute on function turn_audit_log() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function turn_audit_log()');
}
