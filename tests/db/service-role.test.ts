import pg from 'pg';
import { companies, spareKeyId } from '../support/world.ts';

const service = new pg.Client({ connectionString: testService.database.serviceUrl });
beforeAll(() => service.connect());
afterAll(() => service.end());

/** Runs a statement as the service's role in the scope of a company, and rolls it back. */
async function attempt(text: string, values: unknown[] = [], company = companies.tenant): Promise<pg.QueryResult> {
  await service.query('begin');
  try {
    await service.query(`set local app.company_id = '${company}'`);
    return await service.query(text, values);
  } finally {
    await service.query('rollback');
  }
}

interface Argument {
  name: string;
  type: string;
}
interface OwnerFunction {
  signature: string;
  name: string;
  arguments: Argument[];
}

/** Lists the functions that the service can run with the rights of the tables' owner. */
async function ownerFunctions(): Promise<OwnerFunction[]> {
  const rows = await testService.query(
    `select p.oid::regprocedure::text as signature, p.proname as name,
            coalesce((select json_agg(json_build_object('name', a.name, 'type', format_type(a.type, null)) order by a.place)
                        from unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) with ordinality as a (name, type, place)),
                     '[]') as arguments
       from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype
        and has_function_privilege('awareness_service', p.oid, 'execute') order by 1`,
  );
  return rows as unknown as OwnerFunction[];
}

/** Harmless arguments by type, used while another argument is tested. */
const HARMLESS: Record<string, string> = {
  integer: '100',
  uuid: `'${companies.tenant}'`,
  text: `'x'`,
  date: `'2026-01-01'`,
  bytea: `'x'`,
  jsonb: `'[]'`,
  boolean: 'false',
  xid8: `'3'`,
  'timestamp with time zone': 'now()',
};
const harmless = (type: string) => (type.endsWith('[]') ? `'{}'` : HARMLESS[type]!);

/** Arguments for which 0 is harmless: fewer than 30 days count as 30, or nothing is found. */
const ZERO_IS_HARMLESS = ['purge_signatures days', 'due_follow_up_training minutes'];
/** Functions that only read the events of a company's children; Postgres rejects a negative `limit`. */
const READS = /^events_of_children/;

test("the functions with the owner's rights are found", async () => {
  const names = (await ownerFunctions()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['rotate_event_log_partitions', 'purge_messages', 'write_audit_entry']));
});

test('each numeric argument of such a function has a minimum', async () => {
  const accepted: string[] = [];
  for (const { name, arguments: of, signature } of await ownerFunctions()) {
    for (const [place, { name: argument, type }] of of.entries()) {
      if (type !== 'integer' && type !== 'interval') continue;
      const zeroToo = !ZERO_IS_HARMLESS.includes(`${name} ${argument}`) && !READS.test(name);
      for (const value of ['(-2147483647)', '(-3)', '(-1)', ...(zeroToo ? ['0'] : []), 'null']) {
        if (value === 'null' && READS.test(name)) continue;
        const values = of.map((one, index) => (index === place ? value : harmless(one.type)));
        const typed = values.map((one, index) => `${one}::${of[index]!.type}`).join(', ');
        const isRefused = await attempt(`select * from ${name}(${typed})`).then(
          () => false,
          (error: pg.DatabaseError) => ['22023', '2201W', '22008'].includes(error.code!),
        );
        if (!isRefused) accepted.push(`${signature} takes ${value} for ${argument}`);
      }
    }
  }
  expect(accepted).toEqual([]);
});

test.each(['rotate_event_log_partitions(29)', 'purge_messages(29, 10)', 'purge_sync_index(29)'])(
  '%s is rejected, because the service keeps these rows for at least 30 days',
  async (call) => {
    await expect(attempt(`select ${call}`)).rejects.toThrow('days must be at least 30, not 29');
  },
);

test('a lease of the breach feed cannot exceed an hour', async () => {
  await expect(attempt(`select lease_breach_feed_refresh('a.test', 'x', null, 3601)`)).rejects.toThrow('at least 0');
});

describe('an API key', () => {
  const ofKey = (change: string) =>
    attempt(`update api_keys set ${change} where id = $1 returning id`, [spareKeyId('tenant')]);
  const as = (state: string) => testService.query(`update api_keys set ${state} where id = $1`, [spareKeyId('tenant')]);
  afterEach(() => as('revoked_at = null, expires_at = null, replaced_by = null'));

  test('can be revoked once and never reactivated', async () => {
    await as(`revoked_at = '2026-01-01'`);
    for (const value of ['null', 'now()', `'2025-12-31'`])
      await expect(ofKey(`revoked_at = ${value}`)).rejects.toThrow('cannot be changed once it is set');
    expect((await ofKey('revoked_at = least(revoked_at, now())')).rowCount).toBe(1);
  });

  test('cannot be revoked in the future', async () => {
    await expect(ofKey(`revoked_at = now() + interval '1 day'`)).rejects.toThrow('cannot be in the future');
    expect((await ofKey('revoked_at = now()')).rowCount).toBe(1);
  });

  test('cannot get a later expiry, and can be replaced once', async () => {
    await as(`expires_at = '2099-01-01', replaced_by = id`);
    for (const value of ['null', `'2099-01-02'`])
      await expect(ofKey(`expires_at = ${value}`)).rejects.toThrow('only be moved earlier');
    await expect(ofKey('replaced_by = null')).rejects.toThrow('cannot be changed once it is set');
    expect((await ofKey(`expires_at = '2098-01-01'`)).rowCount).toBe(1);
  });

  test.each(['id', 'company_id', 'public_id', 'key_hash', 'scopes', 'created_at', 'created_by', 'name'])(
    'keeps its %s',
    async (column) => {
      await expect(ofKey(`${column} = ${column}`)).rejects.toThrow(/permission denied/);
    },
  );
});

describe('the audit log', () => {
  const enter = (changes: Partial<Record<string, unknown>> = {}, company = companies.tenant) => {
    const entry = { type: 'key', actor: company, operation: 'updateGroup', targets: '[]', ...changes };
    return attempt(
      `select write_audit_entry($1, 'x', $2, $3, 'done', null, $4, '{}', null, null, true)`,
      [entry.type, entry.actor, entry.operation, entry.targets],
      company,
    );
  };

  test('accepts records only through its function', async () => {
    const columns = `company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields`;
    const insert = `insert into audit_log (${columns}) values ($1, 'key', 'x', $1, 'deleteAdmin', 'done', '[]', '{}')`;
    await expect(attempt(insert, [companies.tenant])).rejects.toThrow(/permission denied/);
    await expect(attempt('insert into audit_log_default select * from audit_log')).rejects.toThrow(/permission denied/);
  });

  test("accepts a record of the session's company, with the current time", async () => {
    await service.query('begin');
    await service.query(`set local app.company_id = '${companies.tenant}'`);
    await service.query(
      `select write_audit_entry('key', 'x', $1, 'updateGroup', 'done', null, '[]', '{}', null, null, true)`,
      [companies.tenant],
    );
    const { rows } = await service.query(
      `select company_id, abs(extract(epoch from clock_timestamp() - occurred_at)) < 60 as is_now
         from audit_log where actor_id = 'x'`,
    );
    await service.query('rollback');
    expect(rows).toEqual([{ company_id: companies.tenant, is_now: true }]);
  });

  test.each<[string, object]>([
    ['of an operator', { type: 'operator' }],
    ['of a company that does not manage this one', { actor: companies.other }],
    ['with an invalid operation', { operation: 'drop table' }],
    ['with targets that are not a list', { targets: '{}' }],
  ])('rejects a record %s', async (_case, changes) => {
    await expect(enter(changes)).rejects.toMatchObject({ code: '42501' });
  });

  test.each<[string, object]>([
    ['of an operator', { actorType: 'operator' }],
    ['without an actor', { actorType: undefined }],
    ['with an invalid operation', { operation: 'drop table' }],
  ])('rejects a record %s about a read of a child', async (_case, changes) => {
    const entry = { actorType: 'key', actorId: 'x', operation: 'listEvents', ...changes };
    const read = attempt('select audit_child_reads($1, $2)', [[companies.childA], entry], companies.msp);
    await expect(read).rejects.toMatchObject({ code: '42501' });
  });

  test('accepts a record of the parent company, and none without a company', async () => {
    await expect(enter({ actor: companies.msp }, companies.childA)).resolves.toBeDefined();
    await expect(
      service.query(`select write_audit_entry('key', 'x', $1, 'a', 'done', null, '[]', '{}', null, null, true)`, [
        companies.tenant,
      ]),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

/** Evidence tables: the service can only insert into them. */
const EVIDENCE = [
  ...['audit_log', 'events', 'signatures', 'signature_names', 'signature_events'],
  ...['certificates', 'course_result_events', 'risk_history', 'mail_log', 'sync_index', 'webhook_delivery_attempts'],
];

test.each(EVIDENCE)('%s can be neither changed nor emptied by the service', async (table) => {
  await expect(attempt(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  await expect(attempt(`truncate ${table}`)).rejects.toThrow(/permission denied/);
  const [column] = await testService.query(
    `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped limit 1`,
    [table],
  );
  const name = column!.attname as string;
  await expect(attempt(`update ${table} set ${name} = ${name}`)).rejects.toThrow(/permission denied/);
});
