/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { ask } from './seeded.ts';

const count = async (from: string) =>
  (await testService.query(`select count(*)::integer as rows from ${from}`))[0]!.rows;

test('each start and each finish in the demo was recorded as a result', async () => {
  const begun = 'enrollments e where start_date is not null';
  expect(await count(begun)).toBeGreaterThan(4000);
  const told = `exists (select from course_result_events f
                         where f.company_id = e.company_id and f.learner_id = e.learner_id and f.course_id = e.course_id
                           and (f.started_at at time zone 'utc')::date = e.start_date
                           and (e.finish_date is null or (f.finished_at at time zone 'utc')::date = e.finish_date))`;
  expect(await count(`${begun} and not ${told}`)).toBe(0);
});

test('some learners passed at the second attempt, which reports show', async () => {
  const results = (await ask('tenant', '/reports/course-results')) as Record<string, any>[];
  const repeated = results.filter(({ attempts }) => attempts > 1);
  expect(repeated.length).toBeGreaterThan(3);
  const { learnerId, courseId } = repeated[0]!;
  const all = (await ask('tenant', `/learners/${learnerId}/course-results?attempts=all`)) as Record<string, any>[];
  const grades = all.filter((one) => one.courseId === courseId).toSorted((a, b) => a.attempt - b.attempt);
  expect(grades.map(({ grade }) => grade)).toEqual(['fail', 'pass']);
});

test('each signature was recorded as an event, on paper with a note of the folder', async () => {
  const told = `exists (select from signature_events e
                         where e.company_id = s.company_id and e.learner_id = s.learner_id and e.policy_id = s.policy_id
                           and e.signed = s.signed and e.version_id = s.version_id and e.offline = s.signed_offline
                           and (not e.offline or e.note like 'Folder 20__'))`;
  expect(await count('signatures')).toBeGreaterThan(1000);
  expect(await count(`signatures s where not ${told}`)).toBe(0);
  expect(await count('signatures where signed_offline')).toBeGreaterThan(20);
});

test.each(['scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported'])(
  'each %s milestone was recorded as an event of an external simulation',
  async (type) => {
    const reached = `simulation_recipients r join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
                      where r.${type}_at is not null`;
    const told = `exists (select from simulation_events e
                           where e.company_id = r.company_id and e.simulation_id = r.simulation_id
                             and e.learner_id = r.learner_id and e.type = '${type}' and e.occurred_at = r.${type}_at)`;
    expect(await count(reached)).toBeGreaterThan(100);
    expect(await count(`${reached} and not (s.external_id is not null and ${told})`)).toBe(0);
  },
);

test('a visit by a mail gateway was withdrawn, and is shown as withdrawn', async () => {
  const listed = (await ask('tenant', '/simulations')) as { id: string; name: string }[];
  const { id } = listed.find(({ name }) => name === 'Supplier bank details')!;
  const { recipients } = (await ask('tenant', `/simulations/${id}`)) as { recipients: Record<string, unknown>[] };
  const withdrawn = recipients.filter((recipient) => recipient.withdrawn !== null);
  expect(withdrawn).toMatchObject([{ visit: null, withdrawn: '2026-10-11T02:14:09.000Z' }]);
  const visits = await testService.query(
    `select verdict, reasons from simulation_events where address = '203.0.113.80' order by occurred_at`,
  );
  const scanned = { verdict: 'automated', reasons: ['many_recipients'] };
  expect(visits).toEqual([scanned, scanned, scanned]);
});
