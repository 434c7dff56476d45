import { type Answer, get } from '../../support/client.ts';
import { fileId, policyId } from '../../support/world-policies.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { forgetMessages } from '../courses/enrollment-state.ts';

export interface Pair {
  learnerId: string;
  policyId: string;
}

/** Returns the id of a policy of the tenant: 1 is live, 2 is live with a draft, 3 is only a draft. */
export const policy = (number: 1 | 2 | 3): string => policyId('tenant', number);

/** Returns every learner with every policy, in the order of a response. */
export function pairsOf(learnerIds: string[], policyIds: string[]): Pair[] {
  return learnerIds.flatMap((id) => policyIds.map((policyId) => ({ learnerId: id, policyId })));
}

/** Formats pairs as a single string, to compare many of them. */
export function textOf(pairs: Pair[]): string {
  return pairs.map((pair) => `${pair.learnerId} ${pair.policyId}`).join('\n');
}

const MADE_HERE = `id::text like '0192b002-%'`;

/** Restores the policies and results of the test world and deletes all messages after every test. */
export function restorePolicies(): void {
  let world: unknown;
  beforeAll(async () => {
    const [row] = await testService.query('select json_agg(r)::text as rows from policy_results as r');
    world = row!.rows;
  });
  afterEach(async () => {
    await forgetMessages();
    for (const statement of [
      'delete from policy_results',
      `update policies set live_version_id = null, published_at = null where ${MADE_HERE}`,
      `delete from policies where ${MADE_HERE}`,
      'delete from signatures',
      'delete from signature_names',
      'delete from signature_defaults',
    ]) {
      await testService.query(statement);
    }
    await testService.query(
      'insert into policy_results select * from json_populate_recordset(null::policy_results, $1)',
      [world],
    );
  });
}

/** Inserts live policies without the API, with ids in the order of their numbers from 1, and returns the ids. */
export async function insertPolicies(company: CompanyName, count: number): Promise<string[]> {
  const parameters = [companies[company], count, fileId(company)];
  const ids = (prefix: string) => `('${prefix}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await testService.query(
    `insert into policies (company_id, id, name, is_public, file_id, major_version, minor_version)
     select $1::uuid, ${ids('0192b002')}, 'Überblick 🦊 ' || n, false, $3::uuid, 1, 0
       from generate_series(1, $2::integer) as n order by random()`,
    parameters,
  );
  await testService.query(
    `insert into policy_versions (company_id, id, policy_id, major_version, minor_version, name, file_id, published_at)
     select $1::uuid, ${ids('0192b003')}, ${ids('0192b002')}, 1, 0, 'Überblick 🦊 ' || n, $3::uuid, '2026-03-02T08:00:00Z'
       from generate_series(1, $2::integer) as n`,
    parameters,
  );
  const rows = await testService.query(
    `update policies p set live_version_id = v.id, published_at = '2026-03-02T08:00:00Z'
       from policy_versions v
      where p.company_id = $1 and p.id::text like '0192b002-%' and v.company_id = p.company_id and v.policy_id = p.id
     returning p.id`,
    [companies[company]],
  );
  return rows.map((row) => row.id as string).sort();
}

export interface StoredResult {
  assignedAt?: string | null;
  askedAt?: string | null;
  signed?: string | null;
  remindedAt?: string | null;
}

/** Inserts policy results without the API, by default assigned and asked on 4 May 2026. */
export async function storeResults(
  company: CompanyName,
  learnerIds: string[],
  policyIds: string[],
  { assignedAt = '2026-05-04T08:00:00Z', askedAt = assignedAt, signed = null, remindedAt = null }: StoredResult = {},
): Promise<void> {
  await testService.query(
    `insert into policy_results (company_id, id, learner_id, policy_id, assigned_at, asked_at, reminded_at,
                                 sent_version_id, signed, signed_version_id)
     select $1, new_id(), learner_id, p.id, $4, $5, $7::timestamptz, p.live_version_id, $6::timestamptz,
            case when $6::timestamptz is not null then p.live_version_id end
       from unnest($2::uuid[]) as learner_id cross join policies p where p.id = any($3::uuid[]) and p.company_id = $1
      order by random()`,
    [companies[company], learnerIds, policyIds, assignedAt, askedAt, signed, remindedAt],
  );
}

/** Stores a signature of the learner on the live version of a policy, signed now. */
export async function sign(learner: string, policyId: string): Promise<void> {
  await testService.query(
    `update policy_results r set signed = statement_timestamp(), signed_version_id = p.live_version_id
       from policies p where r.learner_id = $1 and r.policy_id = $2 and p.company_id = r.company_id and p.id = r.policy_id`,
    [learner, policyId],
  );
}

/** Records that a learner was reminded of a policy the given time ago, such as `59 minutes`. */
export async function storeReminder(learner: string, policyId: string, ago: string): Promise<void> {
  await testService.query(
    'update policy_results set reminded_at = now() - $3::interval where learner_id = $1 and policy_id = $2',
    [learner, policyId, ago],
  );
}

export interface Result {
  id: string;
  policyId: string;
  assignedAt: Date | null;
  askedAt: Date | null;
  remindedAt: Date | null;
  signed: Date | null;
  sentVersionId: string | null;
}

/** Returns the results of a learner by policy id. */
export async function resultsOf(learner: string): Promise<Result[]> {
  const rows = await testService.query(
    `select id, policy_id as "policyId", assigned_at as "assignedAt", asked_at as "askedAt",
            reminded_at as "remindedAt", signed, sent_version_id as "sentVersionId"
       from policy_results where learner_id = $1 order by policy_id`,
    [learner],
  );
  return rows as unknown as Result[];
}

/** Returns the ids of the policies assigned to a learner, in order. */
export async function assignedTo(learner: string): Promise<string[]> {
  return (await resultsOf(learner)).filter((result) => result.assignedAt).map((result) => result.policyId);
}

/** Counts the assignments of a company. */
export async function countAssignments(company: CompanyName): Promise<number> {
  const [row] = await testService.query(
    'select count(*)::integer as count from policy_results where company_id = $1 and assigned_at is not null',
    [companies[company]],
  );
  return row!.count as number;
}

/** Returns the assigned and signed counts of a policy from the API. */
export async function countsOf(policyId: string): Promise<{ assigned: number; signed: number }> {
  const { body } = await get(`/policies/${policyId}`);
  return { assigned: body.data.assignedCount, signed: body.data.signedCount };
}

/** Expects a time within 10 seconds of now. */
export function expectNow(time: Date | null): void {
  expect(Math.abs(Number(time) - Date.now())).toBeLessThan(10_000);
}

export interface QueuedMessage {
  kind: string;
  learnerId: string;
  policyIds: string[];
}

/**
 * Returns the queued messages of all companies by learner, with the policies of each in order. Expects that each
 * message has one due job whose payload is only the company and the message. Replaced messages also have a job.
 */
export async function queuedMessages(): Promise<QueuedMessage[]> {
  const messages = await testService.query(
    `select company_id, id, kind, learner_id as "learnerId", status, reason, attempts, setup_token,
            array(select c::text from unnest(subject_ids) as c order by 1) as "policyIds"
       from messages order by learner_id, kind, id`,
  );
  const jobs = await testService.query(
    `select identifier, payload, run_at <= now() as due, attempts
       from graphile_worker._private_jobs as j join graphile_worker._private_tasks as t on t.id = j.task_id`,
  );
  const named = (...names: unknown[]): string => names.sort().join(' ');
  expect(jobs.map(({ payload }) => named(...Object.values(payload as object))).sort()).toEqual(
    messages.map((message) => named(message.company_id, message.id)).sort(),
  );
  expect(jobs.filter((job) => job.identifier !== 'send_message' || !job.due || job.attempts !== 0)).toEqual([]);
  return messages
    .filter(({ status, reason }) => status !== 'cancelled' || reason !== 'replaced')
    .map(({ kind, learnerId, policyIds, status, attempts, setup_token }) => {
      expect({ status, attempts, setup_token }).toEqual({ status: 'queued', attempts: 0, setup_token: null });
      return { kind, learnerId, policyIds } as QueuedMessage;
    });
}

/** Returns the expected message of a kind to a learner. */
export function message(
  kind: 'policy_request' | 'policy_reminder',
  learner: string,
  ...policyIds: string[]
): QueuedMessage {
  return { kind, learnerId: learner, policyIds: policyIds.toSorted() };
}

/** Expects that the messages name each of the pairs exactly once and no other pairs. */
export function expectEachNamedOnce(messages: QueuedMessage[], pairs: Pair[]): void {
  const named = messages.flatMap((sent) => pairsOf([sent.learnerId], sent.policyIds));
  expect(textOf(named).split('\n').sort()).toEqual(textOf(pairs).split('\n').sort());
}

/** Returns the pairs completed in any of the responses, each formatted as a string. */
export function completedIn(answers: Answer[]): Set<string> {
  return new Set(answers.flatMap(({ body }) => (body.data.completed as Pair[]).map((pair) => textOf([pair]))));
}
