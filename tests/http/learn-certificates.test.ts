import { PDFDocument } from '@cantoo/pdf-lib';
import { del, get, post } from '../support/client.ts';
import { askPage, Learner } from '../support/learner.ts';
import { companies, learnerId, managedCourses, unknownId } from '../support/world.ts';

const me = learnerId('tenant', 2);
let browser: Learner;
let attemptId: string;
let page: string;

const numberIn = (html: string): string => /href="\/certificates\/([\w-]+)"/.exec(html)![1]!;
async function make(): Promise<string> {
  expect(await browser.post(page)).toMatchObject({ status: 303 });
  return numberIn((await browser.get(page)).html);
}

/** Lets the learner pass the course on a given day instead of today. */
async function passOn(day: string, eventId: string): Promise<void> {
  await testService.query('delete from enrollments where learner_id = $1 and course_id = $2', [
    me,
    managedCourses.phishing,
  ]);
  const finish = { finishedAt: `${day}T08:00:00Z`, score: 90, eventId };
  await post('/course-results', {
    results: [{ learner: { id: me }, course: { id: managedCourses.phishing }, ...finish }],
  });
  const rows = (await get(`/learners/${me}/course-results?attempts=all`)).body.data as any[];
  const row = rows.find(({ courseId, finishDate }) => courseId === managedCourses.phishing && finishDate === day);
  page = `/learn/certificates/${row.attemptId}`;
}

beforeEach(async () => {
  await post('/course-enrollments', { courseIds: [managedCourses.phishing], learnerIds: [me] });
  await testService.query(
    `update enrollments set start_date = enroll_date, finish_date = enroll_date, score = 90, passed = true
      where learner_id = $1 and course_id = $2 and finish_date is null`,
    [me, managedCourses.phishing],
  );
  const rows = await testService.query('select attempt_id from enrollments where learner_id = $1 and course_id = $2', [
    me,
    managedCourses.phishing,
  ]);
  attemptId = rows[0]!.attempt_id as string;
  page = `/learn/certificates/${attemptId}`;
  browser = await Learner.of('tenant', 2);
});
afterEach(async () => {
  await testService.query('delete from certificates');
  await testService.query('delete from graphile_worker._private_jobs; delete from messages; delete from mail_log');
});

describe('the certificate of a passed course', () => {
  test('is issued once on request, as a PDF that anybody can verify', async () => {
    expect((await browser.get(`${page}.pdf`)).status).toBe(404);
    expect((await browser.get(page)).html).not.toContain('href="/certificates');
    const number = await make();
    expect(await make()).toBe(number);
    expect(number).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const pdf = await fetch(`${testService.url}${page}.pdf`, { headers: { cookie: browser.cookie } });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const document = await PDFDocument.load(await pdf.arrayBuffer());
    expect([document.getPageCount(), document.getTitle()]).toEqual([1, expect.stringContaining('Certificate: ')]);
    const checked = await askPage(`/certificates/${number}`);
    expect(checked.status).toBe(200);
    expect(checked.html).toContain('The tenant company');
    expect(checked.headers.get('x-robots-tag')).toBe('noindex');
    expect(
      await testService.query(
        `select actor_id, targets from audit_log where company_id = $1 and operation = 'issueCertificate'`,
        [companies.tenant],
      ),
    ).toMatchObject([{ actor_id: me, targets: [{ field: 'attemptId', ids: [attemptId] }] }]);
  });

  test('shows no name, and confirms a submitted name case-insensitively', async () => {
    const number = await make();
    const [{ first_name: first, last_name: last }] = (await testService.query(
      'select first_name, last_name from learners where id = $1',
      [me],
    )) as [{ first_name: string; last_name: string }];
    const compare = async (name: string) => {
      const body = new URLSearchParams({ name });
      return (await askPage(`/certificates/${number}`, { method: 'POST', body })).html;
    };
    expect((await askPage(`/certificates/${number}`)).html).not.toContain(first);
    expect(await compare(`${first} ${last}`.toUpperCase())).toContain('Yes:');
    const other = await compare('<b>Eve</b>');
    expect(other).toContain('No:');
    expect(other).toContain('&lt;b>Eve');
    expect(other).not.toContain(first);
  });

  test('is found by its number in any case and without hyphens', async () => {
    const number = await make();
    expect((await askPage(`/certificates/${number.toLowerCase().replaceAll('-', '')}`)).status).toBe(200);
  });

  test("shows when it expires, from the course's validity at the time of issue", async () => {
    const setMonths = (months: number | null) =>
      testService.query('update courses set valid_for_months = $2 where id = $1', [managedCourses.phishing, months]);
    const certifiedOn = async (day: string) => {
      await passOn(day, `valid-${day}`);
      const number = await make();
      return [(await browser.get(page)).html, (await askPage(`/certificates/${number}`)).html] as const;
    };
    await setMonths(24);
    const [own, open] = await certifiedOn('2026-02-28');
    await setMonths(12);
    expect([own, open]).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('Valid until 28 February 2028.')),
    );
    const [, expired] = await certifiedOn('2024-02-29');
    await setMonths(null);
    expect(expired).toContain('This certificate has expired');
    expect(expired).toContain('It was valid until 28 February 2025.');
  });

  test('stays with its attempt when a later attempt begins', async () => {
    const number = await make();
    await post('/course-enrollments', { courseIds: [managedCourses.phishing], learnerIds: [me] });
    expect(numberIn((await browser.get(page)).html)).toBe(number);
  });

  test.each(['0'.repeat(20), 'x', '%00', 'A'.repeat(5000), '<script>'])('the number %s returns 404', async (number) => {
    const { status, html } = await askPage(`/certificates/${encodeURIComponent(number)}`);
    expect(status).toBe(404);
    expect(html).not.toContain('<script>');
    expect((await askPage(`/certificates/${encodeURIComponent(number)}`, { method: 'POST' })).status).toBe(404);
  });

  test('belongs to one learner and only to passed attempts', async () => {
    await make();
    for (const other of [await Learner.of('tenant', 3), await Learner.of('other', 1)]) {
      for (const path of [page, `${page}.pdf`]) expect((await other.get(path)).status).toBe(404);
      expect((await other.post(page)).status).toBe(404);
    }
    await post('/course-enrollments', { courseIds: [managedCourses.passwords], learnerIds: [me] });
    const [open] = await testService.query(
      'select attempt_id from enrollments where learner_id = $1 and course_id = $2',
      [me, managedCourses.passwords],
    );
    for (const id of [open!.attempt_id as string, unknownId, 'x']) {
      expect((await browser.get(`/learn/certificates/${id}`)).status).toBe(404);
      expect((await browser.post(`/learn/certificates/${id}`)).status).toBe(404);
    }
    expect(await testService.query('select from certificates')).toHaveLength(1);
  });

  test('is no longer valid if its result was voided, and valid again once the result is restored', async () => {
    await passOn('2026-04-05', 'certified');
    const number = await make();
    const check = async () => (await askPage(`/certificates/${number}`)).html;
    expect(await check()).toContain('This certificate is genuine');
    expect(await check()).toContain('5 April 2026');
    const correct = (item: object) =>
      post('/corrections', { corrections: [{ kind: 'course_result', reason: 'Another person took it', ...item }] });
    await correct({ eventId: 'certified', action: 'void' });
    expect(await check()).toContain('This certificate is no longer valid');
    expect((await browser.get(`${page}.pdf`)).status).toBe(404);
    await correct({ eventId: 'certified', action: 'restore' });
    expect(await check()).toContain('This certificate is genuine');
    const replacement = { eventId: 'certified-2', finishedAt: '2026-04-07T08:00:00Z', score: 95 };
    await correct({ eventId: 'certified', action: 'replace', replacement });
    expect(await check()).toContain('7 April 2026');
    expect((await browser.get(`${page}.pdf`)).status).toBe(200);
    await testService.query('delete from corrections; delete from course_result_events');
  });

  test('is deleted with its learner', async () => {
    const number = await make();
    await del(`/learners/${me}`);
    expect((await askPage(`/certificates/${number}`)).status).toBe(404);
  });
});
