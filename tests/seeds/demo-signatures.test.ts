/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { openServicePool } from '../support/service-pool.ts';
import { requestSignatures } from '../../src/resources/policies/signatures/request-signatures.ts';
import { ask, END, holders } from './seeded.ts';

/** Last day with activity in the demo. */
const LAST_DAY = '2026-11-18';

interface Result {
  company: string;
  policy: string;
  learner_id: string;
  inactive: boolean;
  learner_date: Date;
  last_training: string | null;
  assigned_at: Date | null;
  asked_at: Date | null;
  reminded_at: Date | null;
  visited_at: Date | null;
  signed: Date | null;
  signed_offline: boolean;
  sent_date: Date;
  visited_date: Date | null;
  signed_date: Date | null;
  /** Publication dates of the versions that follow the visited and the signed version. */
  after_visited: Date | null;
  after_signed: Date | null;
}

let results: Result[];

const published = (column: string) => `(select published_at from policy_versions v
  where v.company_id = r.company_id and v.id = r.${column}) as ${column.replace('version_id', 'date')}`;
const nextPublished = (column: string) => `(select min(n.published_at) from policy_versions v join policy_versions n
   on n.company_id = v.company_id and n.policy_id = v.policy_id and n.published_at > v.published_at
  where v.company_id = r.company_id and v.id = r.${column}) as after_${column.replace('_version_id', '')}`;

beforeAll(async () => {
  results = (await testService.query(`
    select c.name as company, p.name as policy, learner_id, inactive, l.created_at as learner_date, r.*,
           (select greatest(max(enroll_date), max(start_date), max(finish_date))::text from enrollments e
             where e.company_id = r.company_id and e.learner_id = r.learner_id) as last_training,
           ${published('sent_version_id')}, ${published('visited_version_id')}, ${published('signed_version_id')},
           ${nextPublished('visited_version_id')}, ${nextPublished('signed_version_id')}
      from policy_results r
      join companies c on c.id = r.company_id
      join policies p on p.company_id = r.company_id and p.id = r.policy_id
      join learners l on l.company_id = r.company_id and l.id = r.learner_id`)) as unknown as Result[];
});

const isAssigned = ({ assigned_at }: Result) => assigned_at !== null;
const isInForce = ({ signed, asked_at }: Result) => asked_at !== null && signed !== null && signed >= asked_at;
const datesOf = ({ assigned_at, asked_at, reminded_at, visited_at, signed }: Result) =>
  [assigned_at, asked_at, reminded_at, visited_at, signed].filter((date) => date !== null);
const ofAcme = () => results.filter(({ company }) => company === 'Acme Industries');

test('most assigned policies are signed, some are only opened, some are untouched', () => {
  for (const rows of [results.filter(isAssigned), ofAcme().filter(isAssigned)]) {
    const signed = rows.filter(isInForce).length / rows.length;
    expect(signed).toBeGreaterThan(0.75);
    expect(signed).toBeLessThan(0.97);
    expect(rows.filter((row) => row.signed === null && row.visited_at !== null).length).toBeGreaterThan(2);
    expect(rows.filter((row) => row.signed === null && row.visited_at === null).length).toBeGreaterThan(5);
  }
  expect(ofAcme().length).toBeGreaterThan(1000);
});

test('some signatures are requested again after a new version, and that version is not signed', () => {
  const again = ofAcme().filter((row) => isAssigned(row) && row.signed !== null && !isInForce(row));
  const afterVersion = again.filter(({ policy, asked_at, sent_date }) => {
    return policy === 'Acceptable use' && asked_at!.getTime() === sent_date.getTime();
  });
  expect(afterVersion.length).toBeGreaterThan(15);
  expect(again.length).toBeGreaterThan(afterVersion.length);
  const upToDate = afterVersion.filter(({ signed_date, sent_date }) => signed_date! >= sent_date);
  expect(upToDate).toEqual([]);
});

test('some policies are signed on paper, and some reminders lead to a signature', () => {
  const onPaper = results.filter(({ signed_offline }) => signed_offline);
  expect(onPaper.length).toBeGreaterThan(20);
  expect(onPaper.filter(({ visited_at }) => visited_at === null).length).toBeGreaterThan(5);
  const reminded = results.filter(({ reminded_at }) => reminded_at !== null);
  const late = reminded.filter(isInForce);
  expect(late.length).toBeGreaterThan(20);
  expect(reminded.length - late.length).toBeGreaterThan(20);
  expect(late.filter(({ signed, reminded_at }) => signed! < reminded_at!)).toEqual([]);
});

test('an ended assignment keeps its signature', () => {
  const ended = results.filter((row) => !isAssigned(row));
  expect(ended.length).toBeGreaterThan(10);
  expect(ended.filter(({ signed, asked_at, reminded_at }) => !signed || asked_at || reminded_at)).toEqual([]);
  const policies = new Set(ended.map(({ policy }) => policy));
  expect(results.some((row) => policies.has(row.policy) && isAssigned(row))).toBe(true);
});

test('dates of a result are in order, after the learner was created, and not in the future', () => {
  for (const row of results) {
    const { learner_date, assigned_at, asked_at, reminded_at, visited_at, signed } = row;
    const problems = [
      datesOf(row).some((date) => date < learner_date) && 'before the learner',
      datesOf(row).some((date) => date.toISOString() >= END) && 'in the future',
      assigned_at && asked_at! < assigned_at && 'asked before assigned',
      reminded_at && reminded_at <= asked_at! && 'reminded before asked',
      assigned_at && [visited_at, signed].some((date) => date && date < assigned_at) && 'done before assigned',
      visited_at && signed && !row.signed_offline && isInForce(row) && visited_at > signed && 'opened after signing',
    ].filter(Boolean);
    expect({ row, problems }).toEqual({ row, problems: [] });
  }
});

test('sent, opened and signed versions match the time of the action', () => {
  const during = (time: Date | null, from: Date | null, to: Date | null) =>
    time === null ? from === null : from !== null && from <= time && (to === null || time < to);
  for (const row of results) {
    expect({ row, ok: during(row.visited_at, row.visited_date, row.after_visited) }).toEqual({ row, ok: true });
    expect({ row, ok: during(row.signed, row.signed_date, row.after_signed) }).toEqual({ row, ok: true });
    if (row.asked_at) expect(row.sent_date <= (row.reminded_at ?? row.asked_at)).toBe(true);
  }
});

test('inactive learners have no recent activity, and stopped in different months', () => {
  const inactive = results.filter((row) => row.inactive);
  expect(inactive.length).toBeGreaterThan(40);
  const late = inactive.filter((row) => datesOf(row).some((date) => date.toISOString() > '2026-10-02'));
  expect(late).toEqual([]);
  const months = inactive.map((row) =>
    datesOf(row)
      .sort((a, b) => a.getTime() - b.getTime())
      .at(-1)!
      .toISOString()
      .slice(0, 7),
  );
  expect(new Set(months).size).toBeGreaterThan(6);
});

test('learners sign only on working days and in working hours', () => {
  const signatures = results.flatMap(({ signed }) => signed ?? []);
  expect(signatures.filter((date) => [0, 6].includes(date.getUTCDay()))).toEqual([]);
  expect(signatures.filter((date) => date.getUTCHours() < 6 || date.getUTCHours() > 17)).toEqual([]);
  expect(new Set(signatures.map((date) => date.toISOString().slice(0, 10))).size).toBeGreaterThan(150);
});

test('the service requests no further signature on the last day of the demo', async () => {
  const pool = openServicePool(1);
  const rows = () => testService.query('select t::text from policy_results t order by id, company_id');
  try {
    const before = await rows();
    const access = new TenantAccess(pool);
    const companies = await testService.query('select id from companies');
    for (const { id } of companies) await requestSignatures(access.ofJob(id as string), LAST_DAY);
    expect(await rows()).toEqual(before);
    expect(await testService.query('select id from messages')).toEqual([]);
    for (const { id } of companies) await requestSignatures(access.ofJob(id as string), '2028-01-01');
    expect(await rows()).not.toEqual(before);
  } finally {
    await pool.end();
  }
});

test.each(holders.filter((holder) => holder !== 'otherTenant'))(
  'the key of %s reads the policy results of a learner',
  async (holder) => {
    const { name } = await ask(holder, '/company');
    const { learner_id } = results.find(({ company, signed }) => company === name && signed)!;
    const own = results.filter((row) => row.learner_id === learner_id);
    const listed = (await ask(holder, `/learners/${learner_id}/policy-results`)) as { signed: string | null }[];
    expect(listed).toHaveLength(own.length);
    expect(listed.some(({ signed }) => signed !== null)).toBe(true);
  },
);
