/** @jest-environment-options {"TEST_DATABASE": "demo", "RATE_LIMIT_PER_MINUTE": "0"} */
import { migrate, migrationStatus, rollBack } from '../../src/commands/database.ts';
import { ask } from '../seeds/seeded.ts';

// From the database of release 0.1.0 with the data of the demo, up, down and up again.
const FIRST = '_create_signatures.ts';
const DELETED = '0192a3b4-0000-7000-8000-6000000000ff';

/** Every figure about policies and simulations, as the demo's tenant is answered. The release knows no external ids. */
async function figures(): Promise<unknown[]> {
  const policies = await ask('tenant', '/policies');
  const details = policies.map(({ id }: { id: string }) => ask('tenant', `/policies/${id}?outcome=all`));
  const { totalMetrics, simulations } = await ask('tenant', '/simulations/metrics');
  const counted = simulations.map((simulation: object) => ({ ...simulation, externalId: undefined }));
  return [policies, await Promise.all(details), totalMetrics, counted];
}

/** Rows of a query as texts. */
const rowsOf = async (text: string): Promise<unknown[]> =>
  (await testService.query(`select q::text as row from (${text}) as q order by 1`)).map(({ row }) => row);
const results = () =>
  rowsOf(`select id, policy_id, learner_id, assigned_at, asked_at, reminded_at, sent_version_id, visit,
                 visited_version_id, signed, signed_version_id, signed_offline from policy_results`);
const signatures = () =>
  rowsOf(`select s.*, n.learner_name, n.learner_email from signatures s
            left join signature_names n using (company_id, learner_id, policy_id, signed, version_id)`);

async function goBack(): Promise<void> {
  const { ownerUrl } = testService.database;
  const { applied } = await migrationStatus(ownerUrl);
  await rollBack(ownerUrl, applied.length - applied.findIndex((name) => name.endsWith(FIRST)));
}

/** Records signatures on a policy that is deleted, of a learner who is there and of one who is not, as release 0.1.0 did. */
async function deletePolicyAsBefore(): Promise<void> {
  await testService.query(
    `insert into signature_records
     select r.company_id, new_id(), $1, 'Gone', r.signed_version_id, 1, 0, sha256('x'), who.id, who.email, who.name, r.signed, false, now()
       from (select * from policy_results where signed is not null order by id limit 1) as r,
            lateral (select l.id, l.email, 'As of then' from learners l
                      where l.company_id = r.company_id and l.id = r.learner_id
                     union all select new_id(), 'left@acme-industries.test', 'Who Left') as who (id, email, name)`,
    [DELETED],
  );
}

test('every figure is as before, every signature is there, and names stay only of learners', async () => {
  const before = await figures();
  expect(JSON.stringify(before)).toMatch(/"signedCount":[1-9]/);
  await goBack();
  await deletePolicyAsBefore();
  const asSigned = await results();

  await migrate(testService.database.ownerUrl);
  expect(await figures()).toEqual(before);
  expect(await results()).toEqual(asSigned);
  const missing = `select from policy_results r where signed is not null and not exists (
    select from signatures s join signature_names n using (company_id, learner_id, policy_id, signed, version_id)
      join policy_versions v on v.id = s.version_id join policy_files f on f.id = v.file_id and f.sha256 = s.file_sha256
      join learners l on l.id = s.learner_id and l.email = n.learner_email
     where s.company_id = r.company_id and s.learner_id = r.learner_id and s.policy_id = r.policy_id
       and s.signed = r.signed and s.version_id = r.signed_version_id and s.signed_offline = r.signed_offline)`;
  expect(await testService.query(missing)).toEqual([]);
  const gone = await testService.query(
    `select n.learner_name as name, n.learner_email as email, orphaned_at is not null as ends from signatures s
       left join signature_names n using (company_id, learner_id, policy_id, signed, version_id)
      where policy_id = $1 order by 1 nulls last`,
    [DELETED],
  );
  expect(gone).toEqual([
    { name: 'As of then', email: expect.stringContaining('@'), ends: true },
    { name: null, email: null, ends: true },
  ]);
  expect(await testService.query('select from signature_records')).toEqual([]);

  const kept = await signatures();
  await goBack();
  expect(await testService.query('select from signature_records')).toHaveLength(2);
  await migrate(testService.database.ownerUrl);
  expect(await signatures()).toEqual(kept);
  expect(await figures()).toEqual(before);
}, 120_000);
