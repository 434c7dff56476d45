/** SQL condition: `c` is a tenant table. It includes the tables of later migrations. */
const isTenantTable = `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')
  and c.relname <> 'api_keys' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`;

async function names(sql: string): Promise<unknown[]> {
  return (await testService.query(sql)).map((row) => row.name);
}

test('tenant tables exist', async () => {
  expect((await names(`select c.relname as name from pg_class c where ${isTenantTable}`)).length).toBeGreaterThan(3);
});

test('every tenant table has row-level security by company for reads and writes', async () => {
  const bare = await names(`select c.relname as name from pg_class c where ${isTenantTable} and (
    not c.relrowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid
      and pg_get_expr(p.polqual, p.polrelid) = '(company_id = current_company())'
      and pg_get_expr(p.polwithcheck, p.polrelid) = '(company_id = current_company())'))`);
  expect(bare).toEqual([]);
});

// Exceptions: indexes that find setup links, sources, bounced messages and the people of an address before the company
// is known, and one that counts invitations to an address.
const FOUND_WITHOUT_COMPANY = `i.indexrelid::regclass::text in ('admins_setup_link', 'mail_log_invites', 'sources_id',
  'certificates_number', 'simulation_recipient_addresses_address', 'messages_id')`;

const firstColumn = `(select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0])`;

test('every primary key of a tenant table starts with company_id, and every index includes it', async () => {
  const strays = await names(`select i.indexrelid::regclass::text as name
    from pg_index i join pg_class c on c.oid = i.indrelid
    where ${isTenantTable} and not ${FOUND_WITHOUT_COMPANY}
      and case when i.indisprimary then ${firstColumn} is distinct from 'company_id'
          else not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id'
                              and a.attnum = any(i.indkey)) end`);
  expect(strays).toEqual([]);
});

// For a company missing from the statistics, Postgres estimates one row. For a foreign-key check, it might then use any
// index that starts with the company, and read the whole company each time.
test('in referenced tables, only indexes of the referenced columns start with the company', async () => {
  const strays = await names(`select i.indexrelid::regclass::text as name from pg_index i
    where i.indpred is null and ${firstColumn} in ('company_id', 'owner_id')
      and exists (select from pg_constraint k where k.contype = 'f' and k.confrelid = i.indrelid
                     and cardinality(k.confkey) > 1 and not k.confkey <@ i.indkey::smallint[])`);
  // Allowed, because a policy has few versions and a company few simulations.
  expect(strays.toSorted()).toEqual([
    'policy_versions_company_id_policy_id_major_version_minor_ve_key',
    'policy_versions_pkey',
    'simulations_external_id',
  ]);
});

test('every foreign key between tenant tables is composite with company_id on both sides', async () => {
  const strays = await names(`select k.conname as name from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class target on target.oid = k.confrelid
    where k.contype = 'f' and ${isTenantTable} and target.relname <> 'companies'
      and target.relname not in ('courses', 'simulation_templates')
      and (select attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1]) <> 'company_id'`);
  expect(strays).toEqual([]);
});

test('the database rejects an enrolment in a course of another company, regardless of the given owner', async () => {
  for (const owner of ['c.owner_id', 'l.company_id', 'managed_catalogue()']) {
    await expect(
      testService.query(`insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
        select l.company_id, l.id, c.id, ${owner}, current_date from learners l, courses c
         where c.custom_of <> l.company_id limit 1`),
    ).rejects.toThrow(/enrollments_(course|check)/);
  }
});

test('the database rejects a group with a learner of another company', async () => {
  await expect(
    testService.query(`insert into group_learners (company_id, group_id, learner_id)
      select g.company_id, g.id, l.id from groups g, learners l where l.company_id <> g.company_id limit 1`),
  ).rejects.toThrow(/group_learners_learner/);
});

test('the count of active learners is correct after every kind of change', async () => {
  await testService.query(`insert into learners (company_id, id, email, first_name, last_name, inactive)
    select id, gen_random_uuid(), n || '@count.test', 'A', 'B', n = 3 from companies, generate_series(1, 3) as n`);
  await testService.query(`update learners set inactive = not inactive where email like '2@%' or email like '3@%'`);
  await testService.query(`delete from learners where email like '1@%'`);
  const wrong = await names(`select c.id as name from companies c left join company_seats s on s.company_id = c.id
    where (select count(*) from learners l where l.company_id = c.id and not l.inactive) <> coalesce(s.active, 0)`);
  expect(wrong).toEqual([]);
});
