/**
 * Runs `work` while inserts and updates on a table fail with the error `code` from row number `from`; if `only` is
 * true, only that row fails.
 */
export async function whileRowsFail(
  {
    table,
    from,
    only = false,
    code = 'query_canceled',
  }: { table: string; from: number; only?: boolean; code?: string },
  work: () => Promise<unknown>,
): Promise<void> {
  await testService.query(`
    create sequence touched;
    grant usage on sequence touched to awareness_service;
    create function fail_later() returns trigger language plpgsql as $$ begin
      if nextval('touched') ${only ? '=' : '>='} ${from} then raise exception 'stuck' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger fails_later before insert or update on ${table} for each row execute function fail_later()`);
  try {
    await work();
  } finally {
    await testService.query('drop function fail_later cascade; drop sequence touched');
  }
}
