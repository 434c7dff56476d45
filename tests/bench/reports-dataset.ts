import type { Knex } from 'knex';

/** Years of facts, of which the last is 2026. */
export const YEARS = 10;
/** The number of learners in a group, whatever the size of the company. */
const GROUP = 500;

/**
 * Gives the learners of a company ten years of facts: a result of one course and a result of a gap analysis each year,
 * three signed policies and three simulations. Every learner is in a group of 500, whose first member manages the rest.
 * @param kind the digit that distinguishes the ids of the company
 */
export async function addTenYears(owner: Knex, companyId: string, kind: string): Promise<void> {
  const statements = ['analyze learners', ...PEOPLE, ...COURSES, ...POLICIES, ...SIMULATIONS];
  for (const statement of statements)
    await owner.raw(statement, statement.includes(':') ? { companyId, kind, years: YEARS } : {});
}

/** Returns the id of the first group of a company. */
export function firstGroupOf(kind: string): string {
  return `0192a3b4-0000-7000-8000-${kind}f0000000000`;
}

const PEOPLE = [
  `with numbered as (
     select id, row_number() over (order by id) - 1 as n,
            first_value(id) over (partition by (row_number) / ${GROUP} order by id) as manager
       from (select id, row_number() over (order by id) - 1 as row_number from learners where company_id = :companyId) as l)
   update learners l
      set department = 'Department ' || n % 50, country = 'DE', location = 'Berlin', inactive = n % 100 = 7,
          manager_id = nullif(manager, l.id), created_at = '2016-01-01', recorded_at = '2016-01-01',
          risk_score = n % 100
     from numbered where l.company_id = :companyId and l.id = numbered.id`,
  `update learners set recorded_at = '2016-01-01' where company_id = :companyId`,
  `delete from learner_versions where company_id = :companyId`,
  `insert into groups (company_id, id, name, created_at, recorded_at)
   select :companyId, ('0192a3b4-0000-7000-8000-' || :kind::text || 'f' || lpad(to_hex(n), 10, '0'))::uuid,
          'Group ' || n, '2016-01-01', '2016-01-01'
     from generate_series(0, (select count(*) - 1 from learners where company_id = :companyId) / ${GROUP}) as n`,
  `insert into group_learners (company_id, group_id, learner_id, recorded_at)
   select :companyId,
          ('0192a3b4-0000-7000-8000-' || :kind::text || 'f' || lpad(to_hex((row_number() over (order by id) - 1) / ${GROUP}), 10, '0'))::uuid,
          id, '2016-01-01'
     from learners where company_id = :companyId`,
];

// A course of the catalogue, and a gap analysis.
const COURSES = ['training', 'gap_analysis'].flatMap((type) => {
  const course = `(select id, owner_id from courses where type = '${type}' order by id limit 1) as c`;
  const attempt = (year: string) =>
    `l.company_id, l.id, c.id, c.owner_id, make_date(${year}, 3, 1), make_date(${year}, 3, 2), make_date(${year}, 3, 3),
     50 + (${year} % 10) * 5, ${year} % 3 > 0, make_date(${year}, 3, 3)`;
  const columns = `company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date, score, passed,
                   recorded_at`;
  return [
    `insert into enrollments (${columns}, attempt)
     select ${attempt('2026')}, :years
       from learners l cross join ${course} where l.company_id = :companyId order by l.id`,
    `insert into enrollment_attempts (${columns}, attempt, attempt_id)
     select ${attempt('y')}, y - 2026 + :years, new_id()
       from learners l cross join ${course} cross join generate_series(2027 - :years, 2025) as y
      where l.company_id = :companyId order by l.id, y`,
  ];
});

const POLICIES = [
  `insert into policies (company_id, id, name, is_public, major_version, minor_version, created_at)
   select :companyId, new_id(), 'Policy ' || n, false, 1, 0, '2016-01-01' from generate_series(1, 3) as n`,
  `insert into file_contents (company_id, sha256, content) select :companyId, sha256('policy'), ''`,
  `insert into policy_files (company_id, id, sha256, size_bytes, page_count, expires_at)
   select :companyId, new_id(), sha256('policy'), 1, 1, '2099-01-01'`,
  `insert into policy_versions (company_id, id, policy_id, major_version, minor_version, name, file_id, published_at)
   select p.company_id, new_id(), p.id, 1, 0, p.name, f.id, '2016-01-02'
     from policies p cross join lateral (select id from policy_files f where f.company_id = p.company_id limit 1) as f
    where p.company_id = :companyId`,
  `update policies p set file_id = v.file_id, live_version_id = v.id, published_at = v.published_at
     from policy_versions v where v.company_id = p.company_id and v.policy_id = p.id and p.company_id = :companyId`,
  `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, sent_version_id, signed,
                               signed_version_id, recorded_at)
   select p.company_id, new_id(), p.id, l.id, '2017-01-01', '2017-01-01', p.live_version_id, '2017-01-02',
          p.live_version_id, '2017-01-02'
     from learners l join policies p on p.company_id = l.company_id where l.company_id = :companyId order by l.id`,
];

const SIMULATIONS = [
  `insert into simulations (company_id, id, name, status, delivery_method, start_date, created_at)
   select :companyId, new_id(), 'Simulation ' || y, 'completed', 'email', make_date(y, 6, 1), make_date(y, 5, 1)
     from unnest(array[2018, 2022, 2026]) as y`,
  `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at, opened_at, visited_at,
                                      compromised_at)
   select l.company_id, s.id, l.id, s.start_date, s.start_date, s.start_date + interval '1 hour',
          s.start_date + interval '1 hour', s.start_date + interval '1 hour'
     from learners l join simulations s on s.company_id = l.company_id where l.company_id = :companyId order by l.id`,
];
