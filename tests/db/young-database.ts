import pg from 'pg';
import { companies, id, ownCourseId } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { asSuperuser, type PlanNode, rowsRead } from './executed-plans.ts';
import { growTenant } from './large-company.ts';

/** Timeout for statements that read too much; all others finish earlier, even on a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Connects to a database whose statistics are older than most rows of `tenant`: as if the company had just imported them.
 * @param many the number of copies in most tables
 */
export async function connectToYoungDatabase(many?: number): Promise<pg.Client> {
  const tables = await testService.query(
    `select format('alter table %s set (autovacuum_enabled = false)', oid::regclass) as text from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  await asSuperuser(...tables.map(({ text }) => text as string), 'analyze');
  const service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  await growTenant(testService.database.name, { analyze: false, ...(many !== undefined && { many }) });
  const added = id('1', 65_536);
  await asSuperuser(`set session_replication_role = replica;
    update policy_results set policy_id = '${policyId('tenant', 1)}' where learner_id > '${added}';
    update simulation_recipients set simulation_id = '${simulationId('tenant', 1)}' where learner_id > '${added}';
    update enrollments set course_owner_id = company_id, course_id = '${ownCourseId('tenant')}' where learner_id > '${added}'`);
  return service;
}

/** Returns the number of rows that a statement reads when run as the service runs it. */
export function rowsReadBy(
  service: pg.Client,
  settings: string,
  text: string,
  values: unknown[] = [],
): Promise<number> {
  return inTransaction(service, settings, async () => {
    const { rows } = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    return rowsRead(rows[0]!['QUERY PLAN'][0].Plan);
  });
}

/** Runs work in a transaction of `tenant` with the settings of the service, and rolls it back. */
export async function inTransaction<Result>(
  service: pg.Client,
  settings: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await service.query('begin');
  try {
    await service.query(settings, [String(TIMEOUT_MS), companies.tenant]);
    return await work();
  } finally {
    await service.query('rollback');
  }
}

/** Removes all statistics, as if no table had ever been analyzed. */
export async function forgetStatistics(): Promise<void> {
  await asSuperuser(
    'delete from pg_statistic',
    `update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace`,
  );
}
