import { join } from 'node:path';
import type { Knex } from 'knex';
import pg from 'pg';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { apiKeyFrom, type NewApiKey } from '../../src/auth/api-key.ts';

export const COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000001';
export const BULK_COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000002';
export const ENROLL_COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000003';
export const SMALL_COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000006';
export const LEARNER_ID = learnerId(5000);
export const LEARNERS = 100_000;
export const API_KEY = apiKeyFrom('benchkey0001', Buffer.alloc(32, 1));
export const BULK_API_KEY = apiKeyFrom('benchkey0002', Buffer.alloc(32, 2));
export const ENROLL_API_KEY = apiKeyFrom('benchkey0003', Buffer.alloc(32, 3));
export const SMALL_API_KEY = apiKeyFrom('benchkey0006', Buffer.alloc(32, 6));
export const SMALL_LIST = 100;
export const ENROLLED_LEARNERS = 10_000;
export const COURSES = 20;
/** Groups of the company, each with as many learners. */
export const GROUPS = 100;
export const GROUP_ID = `0192a3b4-0000-7000-8000-2${'0'.repeat(11)}`;

const DATABASE = 'bench';

export interface BenchDatabase {
  server: EmbeddedPostgres;
  ownerUrl: string;
  serviceUrl: string;
}

/**
 * Creates a database on the embedded Postgres and fills it. By default, it gets a company with 100,000 learners in 100
 * groups and 20 results each, an empty company, a company with 100 learners, and a company with 10,000 learners without
 * enrolments.
 */
export async function prepareDatabase(fillWith: (owner: Knex) => Promise<void> = fill): Promise<BenchDatabase> {
  const dataFolder = join(import.meta.dirname, '../../.postgres/bench');
  const server = await startEmbeddedPostgres({ dataFolder, durable: true, settings: { shared_buffers: '512MB' } });
  const admin = new pg.Client(server.adminUrl);
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.query(`create database ${DATABASE} owner awareness_owner`);
  const ownerUrl = server.databaseUrl('owner', DATABASE);
  await migrate(ownerUrl);
  const owner = openOwnerDatabase(ownerUrl);
  await fillWith(owner);
  await owner.destroy();
  // Flushes the loaded data to disk now, so that the flush does not slow the first writes.
  await admin.query('checkpoint');
  await admin.end();
  return { server, ownerUrl, serviceUrl: server.databaseUrl('service', DATABASE) };
}

function learnerId(number: number): string {
  return `0192a3b4-0000-7000-8000-1${number.toString(16).padStart(11, '0')}`;
}

async function fill(owner: Knex): Promise<void> {
  const keys = [
    { company_id: COMPANY_ID, key: API_KEY },
    { company_id: BULK_COMPANY_ID, key: BULK_API_KEY },
    { company_id: ENROLL_COMPANY_ID, key: ENROLL_API_KEY },
    { company_id: SMALL_COMPANY_ID, key: SMALL_API_KEY },
  ];
  for (const { company_id, key } of keys) await insertCompany(owner, company_id, key);
  await insertLearners(owner, COMPANY_ID, '1', LEARNERS);
  await insertLearners(owner, ENROLL_COMPANY_ID, '4', ENROLLED_LEARNERS);
  await insertLearners(owner, SMALL_COMPANY_ID, '7', SMALL_LIST);
  await owner.raw(
    `insert into groups (company_id, id, name)
     select ?, ('0192a3b4-0000-7000-8000-2' || lpad(to_hex(n), 11, '0'))::uuid, 'Group ' || n
       from generate_series(0, ? - 1) as n`,
    [COMPANY_ID, GROUPS],
  );
  await owner.raw(
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, ('0192a3b4-0000-7000-8000-2' || lpad(to_hex(row_number() over (order by id) % ?), 11, '0'))::uuid, id
       from learners where company_id = ?`,
    [GROUPS, COMPANY_ID],
  );
  await owner.raw(
    `insert into group_managers (company_id, group_id, learner_id)
     select company_id, group_id, min(learner_id::text)::uuid from group_learners where company_id = ? group by 1, 2`,
    [COMPANY_ID],
  );
  await owner.raw(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select managed_catalogue(), ('0192a3b4-0000-7000-8000-3' || lpad(to_hex(n), 11, '0'))::uuid, 'training',
            'course-' || n, 'Course ' || n, 'Subject', 1 + n % 5, 80, '{en}'
       from generate_series(1, ?::integer) as n`,
    [COURSES],
  );
  await owner.raw(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     select l.company_id, l.id, c.id, c.owner_id, '2026-01-05', '2026-01-06', '2026-01-07', 92.5, true
       from learners l cross join courses c where l.company_id = ? order by l.id, c.id`,
    [COMPANY_ID],
  );
  await owner.raw('vacuum analyze');
}

export async function insertCompany(owner: Knex, id: string, { publicId, keyHash }: NewApiKey): Promise<void> {
  await owner('companies').insert({ id, name: 'Bench', account_type: 'tenant', plan_name: 'business' });
  await owner('api_keys').insert({ id, company_id: id, public_id: publicId, key_hash: keyHash, name: 'bench' });
}

/** @param kind the digit that distinguishes the ids of these learners */
export async function insertLearners(owner: Knex, companyId: string, kind: string, count: number): Promise<void> {
  await owner.raw(
    `insert into learners (company_id, id, email, email_key, first_name, last_name, external_learner_id, locale)
     select ?, ('0192a3b4-0000-7000-8000-' || ?::text || lpad(to_hex(n), 11, '0'))::uuid,
            'learner' || n || '@bench.test', 'learner' || n || '@bench.test',
            'First' || n, 'Last' || n, 'HR-' || n, 'en'
       from generate_series(1, ?::integer) as n`,
    [companyId, kind, count],
  );
}
