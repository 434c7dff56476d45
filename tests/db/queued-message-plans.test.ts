import pg from 'pg';
import { changeSettings } from '../../src/db/driver/statement-plan.ts';
import { companies, managedCourses } from '../support/world.ts';
import { asSuperuser } from './executed-plans.ts';
import { allStatements, sampleValues } from './samples.ts';
import { rowsReadBy } from './young-database.ts';

// After a bulk call, thousands of learners are enrolled and their messages queued, and the statistics of Postgres say that
// hardly any are. A statement that is given the ids of a batch must still read these messages and their enrolments by id.
// If it read all of the company's, each batch would cost as much as the whole queue.

const MESSAGES = 5000;
const COURSE = managedCourses.phishing;
const IN_BATCH = 10;
/** Maximum number of rows that a statement reads for a batch: a tenth of the queue for each of the tables. */
const MAX_ROWS = 1000;

const STATEMENTS = [
  'message_settle',
  'message_settle_free',
  'message_queued',
  'message_mint_link',
  'message_narrow',
  'simulation_message_fail',
  'simulation_message_take_back',
  'simulation_message_queued',
];

const ofCompany = (name: 'tenant' | 'other') => `company_id = '${companies[name]}' and email like '%@queued.test'`;

let service: pg.Client;
let messageIds: string[];

beforeAll(async () => {
  await asSuperuser(
    'delete from messages',
    'alter table messages set (autovacuum_enabled = false)',
    'alter table enrollments set (autovacuum_enabled = false)',
    insertLearners('other'),
    insertLearners('tenant'),
    insertMessages('sent'),
    `delete from enrollments where company_id = '${companies.tenant}'`,
    enrol('other'),
    'vacuum analyze messages, enrollments, learners',
    enrol('tenant'),
    insertMessages('queued'),
  );
  const batch = await testService.query(
    `select id from messages where status = 'queued' order by id limit ${IN_BATCH}`,
  );
  messageIds = batch.map(({ id }) => id as string);
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
});
afterAll(() => service.end());

function insertLearners(name: 'tenant' | 'other'): string {
  return `insert into learners (company_id, id, email, first_name, last_name)
          select '${companies[name]}', new_id(), n || '@queued.test', 'Ada', 'Queued'
            from generate_series(1, ${MESSAGES}) as n`;
}

function enrol(name: 'tenant' | 'other'): string {
  return `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
          select company_id, id, '${COURSE}', managed_catalogue(), '2026-03-02' from learners where ${ofCompany(name)}`;
}

function insertMessages(status: 'sent' | 'queued'): string {
  return `insert into messages (company_id, id, kind, learner_id, subject_ids, status, settled_at)
          select company_id, gen_random_uuid(), 'course_enrollment', id, '{${COURSE}}', '${status}',
                 ${status === 'sent' ? 'now()' : 'null'}
            from learners where ${ofCompany('tenant')}`;
}

/** Returns the ids of the batch in place of sample ids, and other sample values once for each message. */
function forBatch([first]: unknown[]): unknown[] {
  return /^[0-9a-f-]{36}$/.test(String(first)) ? messageIds : messageIds.map(() => first);
}

it.each(STATEMENTS)('%s reads only the messages of a batch', async (name) => {
  const statement = allStatements().find((one) => one.name === name)!;
  const samples = await sampleValues(service, statement);
  const values = samples.map((sample) => (Array.isArray(sample) ? forBatch(sample) : sample));
  expect(await rowsReadBy(service, changeSettings.text, statement.text, values)).toBeLessThanOrEqual(MAX_ROWS);
});
