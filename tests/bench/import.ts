// Simulates the move from another learning platform, using only the API, and writes IMPORT.md.
//
// Imports learners, past versions of a policy, five years of results and signatures, and memberships of groups, and the
// facts a second time. Compares the reports of each year with sums that are computed from the import. Then enrols
// everybody again, as companies do each year, and compares the reports of last year before and after. Fails if a sum
// differs.
//
//   node tests/bench/import.ts
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { createPdf } from '../../seeds/demo-pdf.ts';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { API_KEY, COMPANY_ID, insertCompany, insertLearners, prepareDatabase } from './dataset.ts';
import * as audit from './import-audit.ts';
import { Client } from './import-client.ts';
import * as facts from './import-facts.ts';
import { startContestant, stopContestant } from './processes.ts';

const IMPORTED_ID = '0192a3b4-0000-7000-8000-b00000000023';
const KEY = apiKeyFrom('benchkey0023', Buffer.alloc(32, 23));
const MAX_FACTS = 10_000;
const MAX_MEMBERSHIPS = 1000;
const YEARS = Array.from({ length: facts.YEARS }, (_, year) => year);

interface Imported {
  learnerIds: string[];
  courseId: string;
  policyId: string;
  /** The policy's versions, oldest first. */
  versionIds: string[];
  /** Both groups. */
  groupIds: string[];
}

interface Step {
  name: string;
  calls: number;
  seconds: number;
  outcome: string;
}

const database = await prepareDatabase(fill);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  RATE_LIMIT_PER_MINUTE: '100000',
});
const client = new Client(service.url, KEY.key);
const steps: Step[] = [];
try {
  const imported: Imported = { learnerIds: [], courseId: '', policyId: '', versionIds: [], groupIds: [] };
  await step('Create 10,000 learners, a course and two groups', () => createAll(imported));
  await step('Publish a policy with four past versions', () => importPolicy(imported));
  await step('Import 20,000 results and 5,000 signatures', () => importFacts(imported));
  await step('Import them again', () => importFacts(imported));
  await step('Import 8,000 periods of membership', () => importMemberships(imported));
  await step('Results of each year (`from`, `to`)', () => audit.auditPeriods(client));
  await step('Results at the end of each year (`asOf`)', () => audit.auditDays(client));
  await step('Results and members of each group at the end of each year', () =>
    audit.auditGroups(client, imported.groupIds),
  );
  await step('Signatures at the end of each year', () => audit.auditSignatures(client, imported.versionIds));
  await step('Knowledge before the import (`knownAt`)', () => audit.auditKnowledge(client));
  const before = await audit.readLastYear(client);
  await step('Enrol 10,000 people again', () => refresh(imported));
  await step('Reports of last year', async () => {
    assert.deepEqual(await audit.readLastYear(client), before, 'the reports of last year have changed');
    return 'the same as before the enrolment';
  });
  const text = report();
  await writeFile(join(import.meta.dirname, 'IMPORT.md'), text);
} finally {
  await stopContestant(service);
  await database.server.stop();
}

async function fill(owner: Knex): Promise<void> {
  // The learners of the company that startContestant reads; LEARNER_ID is the last of them.
  await insertCompany(owner, COMPANY_ID, API_KEY);
  await insertLearners(owner, COMPANY_ID, '1', 5000);
  await insertCompany(owner, IMPORTED_ID, KEY);
}

/** @param work returns the outcome of the step; throws if a sum differs */
async function step(name: string, work: () => Promise<string>): Promise<void> {
  const [firstCall, startedAt] = [client.calls, performance.now()];
  const outcome = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  steps.push({ name, calls: client.calls - firstCall, seconds, outcome });
  console.log(line(steps.at(-1)!));
}

async function createAll(imported: Imported): Promise<string> {
  const learners = Array.from({ length: facts.LEARNERS }, (_, learner) => {
    return { email: facts.emailOf(learner), firstName: 'Learner', lastName: `No ${learner}` };
  });
  const { created } = await client.post('/learners/bulk', { learners });
  imported.learnerIds = created.map(({ learnerId }: { learnerId: string }) => learnerId);
  const course = { name: 'phishing', displayName: 'Phishing', subject: 'Security', difficulty: 2, passMark: 90 };
  imported.courseId = (await client.post('/courses', { ...course, locales: ['en'], durationMinutes: 40 })).id;
  for (const name of ['North', 'South'])
    imported.groupIds.push((await client.post('/groups', { name, managerIds: [] })).id);
  for (const [group, groupId] of imported.groupIds.entries())
    await client.post(`/groups/${groupId}/learners/add`, { learnerIds: membersOf(imported, group) });
  return `${created.length.toLocaleString('en')} created`;
}

/** Returns the members of a group today. */
function membersOf({ learnerIds }: Imported, group: number): string[] {
  return learnerIds.slice(0, facts.TRAINED).filter((_, learner) => facts.groupOf(learner, facts.YEARS) === group);
}

async function importPolicy(imported: Imported): Promise<string> {
  for (const year of YEARS.toReversed()) {
    const [version, publishedAt] = [`${year + 1}.0`, facts.publishedAt(year)];
    const print = { texts: ['acceptable-use.en' as const], issuer: 'Import', version, date: publishedAt };
    const { pdfFile } = await client.post('/policies/upload', (await createPdf(print)).content);
    const past = { pdfFile, majorVersion: year + 1, publishedAt };
    if (imported.policyId) await client.post(`/policies/${imported.policyId}/versions`, past);
    else imported.policyId = (await client.post('/policies', { name: 'Acceptable use', action: 'live', ...past })).id;
  }
  const { versions } = await client.get(`/policies/${imported.policyId}`);
  imported.versionIds = versions.map(({ id }: { id: string }) => id).toReversed();
  return `${versions.length} versions`;
}

async function importFacts({ courseId, policyId }: Imported): Promise<string> {
  const results = await client.postAll('/course-results', 'results', [...facts.results(courseId)], MAX_FACTS);
  const all = [...facts.signatures(policyId)];
  const signatures = await client.postAll('/policy-signatures', 'signatures', all, MAX_FACTS);
  const completed = [...results, ...signatures].flatMap((answer) => answer.completed);
  assert.equal(completed.length, facts.YEARS * (facts.TRAINED + facts.SIGNERS));
  return `${completed.length.toLocaleString('en')} completed, none failed`;
}

async function importMemberships({ learnerIds, groupIds }: Imported): Promise<string> {
  const moved = facts.endOf(facts.YEARS_BEFORE_MOVE - 1);
  let changed = 0;
  for (const [group, groupId] of groupIds.entries()) {
    const memberships = learnerIds.slice(0, facts.TRAINED).map((learnerId, learner) => {
      const isNow = facts.groupOf(learner, facts.YEARS) === group;
      const former = { from: facts.startOf(0), to: moved };
      return { learnerId, periods: [isNow ? { from: facts.startOf(facts.YEARS_BEFORE_MOVE) } : former] };
    });
    const path = `/groups/${groupId}/membership-history`;
    const answers = await client.postAll(path, 'memberships', memberships, MAX_MEMBERSHIPS);
    changed += answers.flatMap(({ changedIds }) => changedIds).length;
  }
  assert.equal(changed, 2 * facts.TRAINED);
  return `${changed.toLocaleString('en')} recorded`;
}

async function refresh({ learnerIds, courseId }: Imported): Promise<string> {
  await client.post('/course-enrollments', { learnerIds, courseIds: [courseId] });
  await audit.auditOpen(client);
  return 'everybody has an open attempt; those with results their sixth';
}

function line({ name, calls, seconds, outcome }: Step): string {
  return `| ${name} | ${calls} | ${seconds.toFixed(1)} | ${outcome} |`;
}

function report(): string {
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  return `# Import

Written by \`make bench-import\`: the move from another learning platform with 10,000 people, only through the API. 4,000
people have a result in each of five years, each judged by the pass mark of its year, and 1,000 people a signature. After
three years, the two groups changed their members. The command computes the sums of each year from the import, and fails
if a report differs. Then it enrols everybody again.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres with
fsync, ${new Date().toISOString().slice(0, 10)}. The load was ${loadavg()[0]!.toFixed(1)} at the end. All steps took ${total.toFixed(0)} seconds.

| Step | Calls | Seconds | Outcome |
| --- | --- | --- | --- |
${steps.map(line).join('\n')}
`;
}
