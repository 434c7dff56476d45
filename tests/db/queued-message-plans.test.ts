import pg from 'pg';
import { changeSettings } from '../../src/db/driver/statement-plan.ts';
import { companies } from '../support/world.ts';
import { asSuperuser } from './executed-plans.ts';
import { allStatements, sampleValues } from './samples.ts';
import { rowsReadBy } from './young-database.ts';

// After a bulk call, thousands of messages are queued, and the statistics of Postgres say that hardly any are. A statement
// that is given the ids of a batch must still read these messages by id. If it read all queued messages of the company,
// each batch would cost as much as the whole queue.

const MESSAGES = 5000;
const IN_BATCH = 10;
/** Maximum number of rows that a statement reads for a batch, small tables included; far less than the queue. */
const MAX_ROWS = 2000;

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

let service: pg.Client;
let messageIds: string[];

beforeAll(async () => {
  await asSuperuser(
    'delete from messages',
    'alter table messages set (autovacuum_enabled = false)',
    insertMessages('sent'),
    'vacuum analyze messages',
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

function insertMessages(status: 'sent' | 'queued'): string {
  return `insert into messages (company_id, id, kind, learner_id, subject_ids, status, settled_at)
          select company_id, gen_random_uuid(), 'course_enrollment', id, '{}', '${status}',
                 ${status === 'sent' ? 'now()' : 'null'}
            from learners cross join generate_series(1, 500)
           where company_id = '${companies.tenant}' order by 2 limit ${MESSAGES}`;
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
