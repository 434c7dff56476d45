import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, expectError, fingerprintOf } from '../support/client.ts';
import { companies, type CompanyName } from '../support/world.ts';

/** Expects an error from a call by the tenant, and that the call changed nothing. Returns the response. */
export async function expectRefused(
  request: () => Promise<Answer>,
  status: number,
  code: string,
  fields?: string[],
): Promise<Answer> {
  const before = await fingerprintOf('tenant');
  const answer = await request();
  expectError(answer, status, code, fields);
  expect(await fingerprintOf('tenant')).toBe(before);
  return answer;
}

/** Returns the fields that an error names. */
export function fieldsOf({ body }: Answer): string[] {
  return (body.error?.details ?? []).map((detail) => detail.field);
}

/** Expects no 5xx from the calls, and returns the number of responses with each status. */
export async function expectNoFailure(requests: Promise<Answer>[]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (const { status, text } of await Promise.all(requests)) {
    if (status >= 500) throw new Error(`${status} ${text}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/** Sets the plan of the tenant; omitted fields mean no limit and no lock. */
export async function setPlan({ limit = null as number | null, domainLock = false }): Promise<void> {
  await testService.query('update companies set learner_limit = $2, domain_lock = $3 where id = $1', [
    companies.tenant,
    limit,
    domainLock,
  ]);
}

/** Inserts learners in the database, with ids and addresses numbered from 1. Every seventh learner is inactive. */
export async function insertLearners(company: CompanyName, count: number): Promise<void> {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, inactive)
     select $1::uuid, ('0192b000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            'many' || n || '@many.test', 'Zoë 🦊', 'No ' || n, n % 7 = 0
       from generate_series(1, $2::integer) as n order by random()`,
    [companies[company], count],
  );
}

/** Deletes the learners that tests created, and removes the limits of the plan. */
export async function forgetNewLearners(): Promise<void> {
  await forgetNewLearnersOf('tenant');
  await setPlan({});
}

/** Deletes the learners of a company that are not part of the test world. */
export async function forgetNewLearnersOf(company: CompanyName): Promise<void> {
  const inTheWorld = "id::text like '0192a3b4-0000-7000-8000-%'";
  await testService.query(`delete from learners where company_id = $1 and not ${inTheWorld}`, [companies[company]]);
}

export interface StoredLearner {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  external_learner_id: string | null;
  inactive: boolean;
}

/** Finds the tenant's learner with an address, in any case. */
export async function findStored(email: string): Promise<StoredLearner | undefined> {
  const rows = await testService.query('select * from learners where company_id = $1 and lower(email) = lower($2)', [
    companies.tenant,
    email,
  ]);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0] as StoredLearner | undefined;
}

/** Returns the number of active learners, and expects the counter of the plan to match it. */
export async function countActive(company: CompanyName = 'tenant'): Promise<number> {
  const [row] = await testService.query(
    `select (select coalesce(max(active), 0) from company_seats where company_id = $1) as known,
            (select count(*)::integer from learners where company_id = $1 and not inactive) as counted`,
    [companies[company]],
  );
  expect(row!.known).toBe(row!.counted);
  return row!.counted as number;
}

/** Runs `work` while each statement of a kind on a table waits 150 ms, so that concurrent calls can interleave. */
export async function whileSlow(
  statement: 'insert' | 'update' | 'delete',
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await testService.query(`
    create function wait_a_moment() returns trigger language plpgsql
      as $$ begin perform pg_sleep(0.15); return null; end $$;
    create trigger waits before ${statement} on ${table} execute function wait_a_moment()`);
  try {
    await work();
  } finally {
    await testService.query('drop function wait_a_moment cascade');
  }
}

/** Resolves when a call is in the statement that `whileSlow` delays, or has ended. */
export async function untilBegun(call: Promise<Answer>): Promise<void> {
  let over = false;
  void call.finally(() => (over = true));
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  while (!over && (await testService.query(waiting)).length === 0) await pause(5);
}

/** Resolves after 50 ms, when a call that was just sent is probably at work. */
export const meanwhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** Returns the ids of a learner's groups, in order. */
export async function groupsOf(learnerId: string): Promise<string[]> {
  const rows = await testService.query('select group_id from group_learners where learner_id = $1 order by 1', [
    learnerId,
  ]);
  return rows.map((row) => row.group_id as string);
}

/** Returns the ids of a group's members and managers, in order. */
export async function peopleOf(groupId: string): Promise<{ members: string[]; managers: string[] }> {
  const [row] = await testService.query(
    `select array(select learner_id::text from group_learners where group_id = $1 order by 1) as members,
            array(select learner_id::text from group_managers where group_id = $1 order by 1) as managers`,
    [groupId],
  );
  return row as { members: string[]; managers: string[] };
}

/** Counts the calls that wait for the lock of a company's seats. */
export async function countWaitingForSeats(): Promise<number> {
  // Reads pg_stat_activity because the locks are on another node on Citus.
  const waiting = await testService.query(
    `select from pg_stat_activity where state = 'active' and wait_event_type is not null
        and datname = current_database() and query like '%company_seats%' and pid <> pg_backend_pid()`,
  );
  return waiting.length;
}
