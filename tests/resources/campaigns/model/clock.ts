import pg from 'pg';

/** Adds the seconds of the real clock, so that times that are unique in production also differ in the test. */
const RUNNING = `+ extract(second from pg_catalog.real_clock_timestamp()) * interval '1 second'`;
/** Postgres functions for the current time that the test replaces, with the SQL added to the test's time. */
const CLOCKS = { now: '', statement_timestamp: '', clock_timestamp: RUNNING };

/** Lets the database of this test file read the time from a table. `setClock` must be called before any other statement. */
export async function injectClock(): Promise<void> {
  const url = new URL(process.env['TEST_ADMIN_URL']!);
  url.pathname = `/${testService.database.name}`;
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`
    set allow_system_table_mods = on;
    create table test_clock (at timestamptz not null);
    grant select on test_clock to public;
    grant update on test_clock to awareness_owner;
    insert into test_clock values (now())`);
  for (const [name, part] of Object.entries(CLOCKS)) {
    await admin.query(`
      alter function pg_catalog.${name}() rename to real_${name};
      create function pg_catalog.${name}() returns timestamptz language plpgsql stable parallel safe cost 1
        as $$ begin return (select at from public.test_clock) ${part}; end $$`);
  }
  // Defaults of columns refer to the replaced functions by their number.
  await admin.query(`
    do $$ declare d record; begin
      for d in select adrelid::regclass as relation, attname, pg_get_expr(adbin, adrelid) as value
                 from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
                where pg_get_expr(adbin, adrelid) ~ 'real_(now|statement_timestamp|clock_timestamp)' and attgenerated = '' loop
        execute format('alter table %s alter column %I set default %s', d.relation, d.attname,
                       replace(d.value, 'real_', ''));
      end loop;
    end $$`);
  await admin.query(`alter database ${testService.database.name} set jit = off`);
  await admin.end();
}

/** Sets the time of the database. */
export async function setClock(at: Date): Promise<void> {
  await testService.query('update test_clock set at = $1', [at.toISOString()]);
}
