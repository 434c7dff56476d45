// Imports the record of another system through the API, and compares what the API shows with figures that the test
// computes from its own input: four policies with five versions each, 300 signatures, and 1,000 course results.
import { createHash } from 'node:crypto';
import { get, patch, post } from '../../support/client.ts';
import { queuedMessages } from '../courses/enrollment-state.ts';
import { onePage, upload } from '../policies/upload-calls.ts';

const YEARS = [2021, 2022, 2023, 2024, 2025];
const PASS_MARKS: Record<number, number> = { 2021: 60, 2022: 65, 2023: 70, 2024: 75, 2025: 80 };
const LEARNERS = 20;
const POLICIES = 4;
const COURSES = 2;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

interface Signature {
  learner: number;
  policy: number;
  year: number;
  signedAt: string;
}

interface Finish {
  learner: number;
  course: number;
  year: number;
  finishedAt: string;
  score: number | null;
  grade: 'pass' | 'fail' | null;
  input: object;
}

/** A third of the pairs ended with a version of 2023; the others were signed until 2025. */
const signatures: Signature[] = numbers(LEARNERS * POLICIES).flatMap((pair) => {
  const [learner, policy] = [pair % LEARNERS, Math.floor(pair / LEARNERS)];
  const years = pair % 4 === 0 ? [2021, 2022, 2023] : [2022, 2023, 2024, 2025];
  const day = String(1 + (pair % 28)).padStart(2, '0');
  return years.map((year) => ({ learner, policy, year, signedAt: `${year}-06-${day}T09:30:00.000Z` }));
});

/** Five finishes of each learner in each course in each year. Every tenth has no score but a grade, or neither. */
const finishes: Finish[] = numbers(LEARNERS * COURSES * YEARS.length * 5).map((n) => {
  const [learner, course] = [n % LEARNERS, Math.floor(n / LEARNERS) % COURSES];
  const rest = Math.floor(n / LEARNERS / COURSES);
  const [year, month] = [YEARS[rest % YEARS.length]!, 1 + 2 * Math.floor(rest / YEARS.length)];
  const finishedAt = `${year}-${String(month).padStart(2, '0')}-15T10:00:00.000Z`;
  const common = { learner, course, year, finishedAt };
  const score = (n * 37) % 101;
  if (n % 10 === 0) {
    const passed = n % 20 === 0 ? n % 40 === 0 : null;
    const grade = passed === null ? null : passed ? 'pass' : 'fail';
    return { ...common, score: null, grade, input: { passed } };
  }
  if (n % 10 === 1) return { ...common, score, grade: 'pass', input: { score, passed: true } };
  const passMark = PASS_MARKS[year]!;
  return { ...common, score, grade: score >= passMark ? 'pass' : 'fail', input: { score, passMark } };
});

async function dataOf(answer: Promise<{ status: number; text: string; body: any }>): Promise<any> {
  const { status, text, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}

/** Shuffles the items, in the same way in every run. */
const shuffle = <T>(items: readonly T[]): T[] => items.map((_, index) => items[(index * 7919) % items.length]!);

const emails = numbers(LEARNERS).map((n) => `import${n}@tenant.test`);
let learnerIds: string[];
let policyIds: string[];
let courseIds: string[];
/** SHA-256 of the files, by policy and year. */
const hashes = new Map<string, string>();

async function uploadVersion(policy: number, year: number): Promise<string> {
  const bytes = Buffer.concat([onePage, Buffer.from(`% policy ${policy} of ${year}\n`)]);
  hashes.set(`${policy} ${year}`, createHash('sha256').update(bytes).digest('hex'));
  return (await dataOf(upload(bytes))).pdfFile;
}

const publishedAt = (year: number) => `${year}-03-01T08:00:00.000Z`;

async function createPolicy(policy: number): Promise<string> {
  const pdfFile = await uploadVersion(policy, 2025);
  const created = {
    name: `Import ${policy}`,
    pdfFile,
    action: 'live',
    majorVersion: 5,
    publishedAt: publishedAt(2025),
  };
  return (await dataOf(post('/policies', created))).id;
}

async function recordVersions(policy: number): Promise<void> {
  for (const year of shuffle(YEARS.slice(0, -1))) {
    const past = {
      pdfFile: await uploadVersion(policy, year),
      publishedAt: publishedAt(year),
      majorVersion: year - 2020,
    };
    await dataOf(post(`/policies/${policyIds[policy]}/versions`, past));
  }
}

async function importFacts(): Promise<void> {
  const signed = shuffle(signatures).map(({ learner, policy, year, signedAt }) => ({
    ...{ learner: { email: emails[learner] }, policyId: policyIds[policy], signedAt, offline: false },
    eventId: `old-signature-${learner}-${policy}-${year}`,
  }));
  expect(await dataOf(post('/policy-signatures', { signatures: signed }))).toMatchObject({ success: true });
  const results = shuffle(finishes).map(({ learner, course, finishedAt, input }) => ({
    ...{ learner: { email: emails[learner] }, course: { externalId: `old-course-${course}` }, finishedAt, ...input },
    eventId: eventIdOf({ learner, course, finishedAt }),
  }));
  expect(await dataOf(post('/course-results', { results }))).toMatchObject({ success: true });
}

const eventIdOf = ({ learner, course, finishedAt }: Pick<Finish, 'learner' | 'course' | 'finishedAt'>) =>
  `old-result-${learner}-${course}-${finishedAt}`;

/** Returns everything that the API returns about the imported records. */
async function audit() {
  const policies = await Promise.all(
    policyIds.map((id) => dataOf(get(`/policies/${id}?outcome=all&includeSignatures=true`))),
  );
  const attempts = await Promise.all(
    learnerIds.map((id) => dataOf(get(`/learners/${id}/course-results?attempts=all`))),
  );
  const recorded = (await Promise.all(learnerIds.map((id) => dataOf(get(`/course-results?learnerId=${id}`))))).flat();
  const years = await Promise.all(
    YEARS.map((year) => dataOf(get(`/reports/course-results?attempts=all&from=${year}-01-01&to=${year}-12-31`))),
  );
  const outcomes = await dataOf(get('/reports/policy-results?outcome=signed'));
  return { policies, attempts, recorded, years, outcomes };
}

beforeAll(async () => {
  const learners = emails.map((email, n) => ({ email, firstName: `Import ${n}`, lastName: 'Old' }));
  await dataOf(post('/learners/bulk', { learners }));
  const all = await dataOf(get('/learners'));
  learnerIds = emails.map((email) => all.find((learner: any) => learner.email === email).id);
  courseIds = [];
  for (const n of numbers(COURSES)) {
    const course = { name: `import-${n}`, subject: 'Import', difficulty: 2, passMark: 95, locales: ['en'] };
    courseIds.push((await dataOf(post('/courses', { externalId: `old-course-${n}`, ...course }))).id);
  }
  await testService.query('delete from messages');
  policyIds = [];
  for (const policy of numbers(POLICIES)) policyIds.push(await createPolicy(policy));
  for (const policy of numbers(POLICIES)) await recordVersions(policy);
  await importFacts();
});

test('the input has 300 signatures and 1,000 results', () => {
  expect([signatures.length, finishes.length]).toEqual([300, 1000]);
  expect(new Set(finishes.map(eventIdOf)).size).toBe(1000);
});

test('each policy has its versions in order, and each signature is on the version live at its time', async () => {
  const { policies } = await audit();
  policies.forEach(({ versions, liveVersionId, signatures: shown, results, assignedCount, signedCount }, policy) => {
    const yearOf = new Map<string, number>(
      versions.map(({ id, publishedAt: at }: any) => [id, Number(at.slice(0, 4))]),
    );
    expect(versions.map(({ publishedAt: at }: any) => at)).toEqual(YEARS.toReversed().map(publishedAt));
    expect(yearOf.get(liveVersionId)).toBe(2025);
    const own = signatures.filter((one) => one.policy === policy);
    const toKey = (key: unknown[]) => key.join(' ');
    expect(
      shown.map((one: any) => toKey([one.learnerId, yearOf.get(one.versionId), one.signed, one.sha256])).toSorted(),
    ).toEqual(
      own
        .map(({ learner, year, signedAt }) => {
          return toKey([learnerIds[learner], year, signedAt, hashes.get(`${policy} ${year}`)]);
        })
        .toSorted(),
    );
    const latest = new Map(own.map(({ learner, year }) => [learnerIds[learner], year]));
    expect(results).toHaveLength(latest.size);
    for (const { learner, signedVersionId } of results)
      expect(yearOf.get(signedVersionId)).toBe(latest.get(learner.id));
    expect([assignedCount, signedCount]).toEqual([LEARNERS, LEARNERS]);
  });
});

test('the report shows which signatures are on an earlier version than the live one', async () => {
  const { outcomes } = await audit();
  const rows = outcomes.filter(({ policyId }: any) => policyIds.includes(policyId));
  expect(rows).toHaveLength(LEARNERS * POLICIES);
  const outdated = rows.filter(({ policy, signedVersionId }: any) => policy.liveVersionId !== signedVersionId);
  const expected = numbers(LEARNERS * POLICIES).filter((pair) => pair % 4 === 0);
  expect(outdated.map(({ learnerId, policyId }: any) => `${learnerId} ${policyId}`).toSorted()).toEqual(
    expected.map((pair) => `${learnerIds[pair % LEARNERS]} ${policyIds[Math.floor(pair / LEARNERS)]}`).toSorted(),
  );
});

test('each result has its score, and the grade of its time', async () => {
  const { attempts, recorded } = await audit();
  attempts.forEach((shown: any[], learner) => {
    for (const [course, courseId] of courseIds.entries()) {
      const own = finishes
        .filter((one) => one.learner === learner && one.course === course)
        .toSorted((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1));
      const rows = shown.filter((one) => one.courseId === courseId).toSorted((a, b) => a.attempt - b.attempt);
      expect(rows.map(({ finishDate, score, grade, attempt }) => [finishDate, score, grade, attempt])).toEqual(
        own.map(({ finishedAt, score, grade }, index) => [finishedAt.slice(0, 10), score, grade, index + 1]),
      );
    }
  });
  const grades = new Map<string, unknown>(recorded.map(({ eventId, grade }) => [eventId, grade]));
  expect(grades).toEqual(new Map(finishes.map((finish) => [eventIdOf(finish), finish.grade])));
});

test('the report of each year counts its results', async () => {
  const { years } = await audit();
  const count = (rows: { grade: string | null }[]) =>
    ['pass', 'fail', null].map((grade) => rows.filter((row) => row.grade === grade).length);
  years.forEach((rows: any[], index) => {
    const own = rows.filter(({ courseId }) => courseIds.includes(courseId));
    expect(count(own)).toEqual(count(finishes.filter(({ year }) => year === YEARS[index])));
  });
});

test('nobody is sent a message', async () => {
  expect(await queuedMessages()).toEqual([]);
});

test('a second import, and a new pass mark, change nothing', async () => {
  const before = await audit();
  for (const policy of numbers(POLICIES)) await recordVersions(policy);
  await importFacts();
  expect(await audit()).toEqual(before);
  for (const id of courseIds) await dataOf(patch(`/courses/${id}`, { passMark: 5 }));
  const after = await audit();
  expect(after).toEqual(before);
});

test("a year's results have their grades again after being voided and restored", async () => {
  const seen = async () => {
    const { attempts, years } = await audit();
    const row = ({ learnerId, courseId, finishDate, score, grade }: any) =>
      [learnerId, courseId, finishDate, score, grade].join(' ');
    return [attempts.flat().map(row).toSorted(), years.map((rows: any[]) => rows.length)];
  };
  const before = await seen();
  const ofYear = finishes.filter(({ year }) => year === 2023).map(eventIdOf);
  const correct = (action: string) => {
    const common = { kind: 'course_result', action, reason: 'Imported by mistake' };
    return dataOf(post('/corrections', { corrections: ofYear.map((eventId) => ({ ...common, eventId })) }));
  };
  expect(await correct('void')).toMatchObject({ success: true });
  expect((await seen())[0]).toHaveLength(before[0]!.length - ofYear.length);
  expect(await correct('restore')).toMatchObject({ success: true });
  expect(await seen()).toEqual(before);
});
