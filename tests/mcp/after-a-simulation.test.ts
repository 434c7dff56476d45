/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { insertLearners } from '../resources/tenant-state.ts';
import { companies, id, managedCourses, ownCourseId } from '../support/world.ts';
import { call, read, refusal } from './mcp-support.ts';

const LEARNERS = 3000;
const { phishing, passwords } = managedCourses;
const own = ownCourseId('other');

/**
 * Numbers of learners who clicked, one for each simulation after those of the test world. All have begun, unlike the
 * simulation after them.
 */
const CLICKED = [25, 60, 100];
const simulationOf = (clicked: number): string => id('a', 0x1000 + clicked);

interface Question {
  clicked: number;
  course?: string;
  enrolledFrom?: string;
}

/** Answers a question as the playbook says, and counts the calls, including the call for the playbook. */
async function ask({ clicked, course, enrolledFrom }: Question) {
  let calls = 0;
  const counted = (tool: string, args: object): Promise<any> => {
    calls += 1;
    return read(tool, args, 'other');
  };
  const { text: playbook } = await call('service_get_tool_help', { topic: 'playbook:after-a-simulation' }, 'other');
  calls += 1;
  const { items } = await counted('service_list_simulations', { limit: 200 });
  const last = items.findLast(
    ({ status, visitCount }: any) => ['completed', 'running'].includes(status) && visitCount <= clicked,
  );
  expect(last.id).toBe(simulationOf(clicked));
  expect(last.visitCount).toBe(clicked);
  const courseId =
    course && (await counted('service_list_courses', {})).items.find(({ name }: any) => name === course).id;
  const args = { kind: 'learning', simulationId: last.id, outcome: 'visited', status: 'unfinished', limit: 200 };
  for (const [name, value] of Object.entries(args).filter(([argument]) => argument !== 'simulationId'))
    expect(playbook).toContain(`${name} ${value}`);
  const rows: any[] = [];
  let summary: any;
  for (let cursor: string | undefined = '0'; cursor !== undefined;) {
    const page = await counted('service_get_report', { ...args, ...(courseId && { courseId }), cursor });
    rows.push(...page.rows);
    summary = page.summary;
    cursor = page.nextCursor as string | undefined;
  }
  return { calls, summary, rows: rows.filter(({ enrollDate }) => enrollDate >= (enrolledFrom ?? '')) };
}

/** Finds the expected rows in the database. */
async function answerTo({ clicked, course, enrolledFrom = '1970-01-01' }: Question): Promise<string[]> {
  const rows = await testService.query(
    `select l.email || ' ' || c.name as who from simulation_recipients r
       join learners l on l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
       join enrollments e on e.company_id = l.company_id and e.learner_id = l.id
       join courses c on c.id = e.course_id and c.type = 'training'
      where r.company_id = $1 and r.simulation_id = $2 and r.visited_at is not null and e.finish_date is null
        and ($3::text is null or c.name = $3) and e.enroll_date >= $4::date
      order by l.id, c.id`,
    [companies.other, simulationOf(clicked), course ?? null, enrolledFrom],
  );
  return rows.map(({ who }) => who as string);
}

beforeAll(async () => {
  await insertLearners('other', LEARNERS);
  // Long names and mail domains make the rows long, too.
  await testService.query(
    `update learners set first_name = 'Maximiliane Antonia Viktoria', last_name = 'von Hohenstein-Lüdenscheidt zu Altenburg',
            email = replace(email, '@many.test', '.hohenstein-luedenscheidt@subsidiary-of.example-industries.test')
      where company_id = $1 and email like 'many%'`,
    [companies.other],
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     select l.company_id, l.id, c.id, c.owner_id, case when c.id = $3 then date '2026-05-04' else date '2026-03-02' end,
            case when n % 4 > 0 then date '2026-05-05' end, case when n % 4 = 3 then date '2026-05-06' end,
            case when n % 4 = 3 then 90 end, case when n % 4 = 3 then true end
       from learners l join courses c on c.id = any($2), lateral (select abs(hashtext(l.id::text || c.id)) as n) as hash
      where l.company_id = $1 and l.email like 'many%'`,
    [companies.other, [phishing, passwords, own], own],
  );
  for (const clicked of CLICKED) {
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       values ($1, $2, 'Parcel notice', 'completed', 'email', '2026-05-04Z')`,
      [companies.other, simulationOf(clicked)],
    );
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, visited_at)
       select company_id, $2, id, '2026-05-04Z',
              case when row_number() over (order by hashtext(id::text)) <= $3::integer then timestamptz '2026-05-05Z' end
         from learners where company_id = $1 and email like 'many%'`,
      [companies.other, simulationOf(clicked), clicked],
    );
  }
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     values ($1, $2, 'Not yet', 'scheduled', 'email', '2030-01-01Z')`,
    [companies.other, id('a', 0x2000)],
  );
});

describe('learners who clicked in the last simulation and have unfinished training', () => {
  test.each(CLICKED)('any course: %i clicked, and at most five calls find them', async (clicked) => {
    const { calls, rows, summary } = await ask({ clicked });
    const who = rows.map(({ learnerEmail, courseName }) => `${learnerEmail} ${courseName}`);
    expect(who).toEqual(await answerTo({ clicked }));
    expect(who.length).toBeGreaterThan(clicked);
    expect(summary.learnerCount).toBe(new Set(rows.map(({ learnerId }) => learnerId as string)).size);
    expect(calls).toBeLessThanOrEqual(5);
  });

  test.each(CLICKED)('a course by its name: %i clicked, and four calls find them', async (clicked) => {
    const question = { clicked, course: 'strong-passwords' };
    const { calls, rows } = await ask(question);
    const who = rows.map(({ learnerEmail, courseName }) => `${learnerEmail} ${courseName}`);
    expect(who).toEqual(await answerTo(question));
    expect(who.length).toBeGreaterThan(clicked / 3);
    expect(calls).toBe(4);
  });

  test.each(CLICKED)('a course assigned since: %i clicked, and at most five calls find them', async (clicked) => {
    const question = { clicked, enrolledFrom: '2026-05-04' };
    const { calls, rows } = await ask(question);
    expect(new Set(rows.map(({ courseName }) => courseName as string))).toEqual(new Set(['own-other']));
    expect(rows.map(({ learnerEmail, courseName }) => `${learnerEmail} ${courseName}`)).toEqual(
      await answerTo(question),
    );
    expect(calls).toBeLessThanOrEqual(5);
  });
});

test('two calls reach the newest of 1,005 simulations', async () => {
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method)
     select $1, ('0192b00a-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Old ' || n, 'draft', 'email'
       from generate_series(1, 1000) as n`,
    [companies.msp],
  );
  const { total } = await read('service_list_simulations', { limit: 200 }, 'msp');
  expect(total).toBe(1005);
  const { items, nextCursor } = await read(
    'service_list_simulations',
    { limit: 200, cursor: String(total - 20) },
    'msp',
  );
  expect(nextCursor).toBeUndefined();
  expect(items.at(-1).name).toBe('Old 1000');
});

test('outcome and simulationId are rejected without each other, naming the missing one', async () => {
  const ofNone = await refusal('service_get_report', { kind: 'learning', outcome: 'visited' });
  expect(ofNone).toMatch(/^`simulationId` .*outcome/);
  const without = await refusal('service_get_report', { kind: 'learning', simulationId: simulationOf(25) }, 'other');
  expect(without).toMatch(/^`outcome` .*simulationId/);
});

test('filters of the learning report are rejected by name for other reports', async () => {
  for (const filter of [{ status: 'unfinished' }, { outcome: 'visited' }, { simulationId: simulationOf(25) }]) {
    const text = await refusal('service_get_report', { kind: 'course_results', ...filter });
    expect(text).toContain(Object.keys(filter)[0]);
  }
});
