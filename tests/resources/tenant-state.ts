import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, expectError, fingerprintOf } from '../support/client.ts';
import { companies, type CompanyName } from '../support/world.ts';

/** Expects the error of a call by the tenant, and that the call changed nothing. Returns the answer. */
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

/** The fields that an error names. */
export function fieldsOf({ body }: Answer): string[] {
  return (body.error?.details ?? []).map((detail) => detail.field);
}

/** Expects that none of the calls failed on the side of the service, and returns how often each status came. */
export async function expectNoFailure(requests: Promise<Answer>[]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (const { status, text } of await Promise.all(requests)) {
    if (status >= 500) throw new Error(`${status} ${text}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/** Sets the plan of the tenant: what is left out is neither limited nor locked. */
export async function setPlan({ limit = null as number | null, domainLock = false }): Promise<void> {
  await testService.query('update companies set learner_limit = $2, domain_lock = $3 where id = $1', [
    companies.tenant,
    limit,
    domainLock,
  ]);
}

/** Inserts learners past the API, with ids and addresses in the order of their numbers from 1. */
export async function insertLearners(company: CompanyName, count: number): Promise<void> {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, inactive)
     select $1::uuid, ('0192b000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            'many' || n || '@many.test', 'Zoë 🦊', 'No ' || n, n % 7 = 0
       from generate_series(1, $2::integer) as n order by random()`,
    [companies[company], count],
  );
}

/** Takes away what the tests have created, and the plan's limits. */
export async function forgetNewLearners(): Promise<void> {
  await forgetNewLearnersOf('tenant');
  await setPlan({});
}

/** Takes away the learners of a company that are not those of the test world. */
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

/** The tenant's learner of an address, whatever its case. */
export async function findStored(email: string): Promise<StoredLearner | undefined> {
  const rows = await testService.query('select * from learners where company_id = $1 and lower(email) = lower($2)', [
    companies.tenant,
    email,
  ]);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0] as StoredLearner | undefined;
}

/** Expects that the number of active learners that the plan goes by is the number there is, and returns it. */
export async function countActive(company: CompanyName = 'tenant'): Promise<number> {
  const [row] = await testService.query(
    `select (select coalesce(max(active), 0) from company_seats where company_id = $1) as known,
            (select count(*)::integer from learners where company_id = $1 and not inactive) as counted`,
    [companies[company]],
  );
  expect(row!.known).toBe(row!.counted);
  return row!.counted as number;
}

/** Makes each such statement on a table wait for a moment first, so that what races with it gets in between. */
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

/** Resolves when a call is in the statement that `whileSlow` makes wait, or is over. */
export async function untilBegun(call: Promise<Answer>): Promise<void> {
  let over = false;
  void call.finally(() => (over = true));
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  while (!over && (await testService.query(waiting)).length === 0) await pause(5);
}

/** Resolves after the moment in which a call that was just sent is in the middle of its work. */
export const meanwhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** Ids of the groups of a learner, in order. */
export async function groupsOf(learnerId: string): Promise<string[]> {
  const rows = await testService.query('select group_id from group_learners where learner_id = $1 order by 1', [
    learnerId,
  ]);
  return rows.map((row) => row.group_id as string);
}

/** Ids of the members and of the managers of a group, in order. */
export async function peopleOf(groupId: string): Promise<{ members: string[]; managers: string[] }> {
  const [row] = await testService.query(
    `select array(select learner_id::text from group_learners where group_id = $1 order by 1) as members,
            array(select learner_id::text from group_managers where group_id = $1 order by 1) as managers`,
    [groupId],
  );
  return row as { members: string[]; managers: string[] };
}
