import { createHash, randomUUID } from 'node:crypto';
import { type Answer, call, get, patch, post } from '../../support/client.ts';
import { fileId, onePagePdf, policyId } from '../../support/world-policies.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';

/** Returns the id of a policy of the tenant: 1 is live, 2 is live with a draft, 3 is only a draft. */
export const policy = (number: 1 | 2 | 3): string => policyId('tenant', number);
/** The file that all policies of the tenant use. */
export const file = fileId('tenant');

export const read = async (id: string, key: KeyName = 'tenant'): Promise<any> => dataOf(get(`/policies/${id}`, key));

/** Sends a tenant's write while other companies write, so the client does not check that their rows stay unchanged. */
export const race = (method: string, path: string, body?: object): Promise<Answer> =>
  call('tenant', method, path, { body, alone: false });

/** Returns the data of a response, or throws if its status is not 200. */
export async function dataOf(answer: Promise<Answer>): Promise<any> {
  const { status, text, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}

/** Creates a policy of the tenant, live unless the fields say otherwise. */
export const create = (fields: object = {}): Promise<any> =>
  dataOf(post('/policies', { name: 'Acceptable use', pdfFile: file, action: 'live', ...fields }));

export const update = (id: string, fields: object): Promise<any> => dataOf(patch(`/policies/${id}`, fields));
export const publish = (id: string, flags?: object): Promise<any> =>
  dataOf(post(`/policies/${id}/publish-draft`, flags));
export const discard = (id: string): Promise<any> => dataOf(post(`/policies/${id}/discard-draft`));

/** Tables of policies, each after the tables that it references. */
const TABLES = [
  'file_contents',
  'policy_files',
  'signature_defaults',
  'policies',
  'policy_drafts',
  'policy_versions',
  'policy_results',
  'signatures',
  'signature_names',
  'signature_events',
  'policy_templates',
  'policy_template_drafts',
];

/** Restores the policies and templates of the test world and deletes all messages after every test. */
export function restorePolicies(): void {
  beforeAll(async () => {
    await testService.query(
      ['create schema kept', ...TABLES.map((table) => `create table kept.${table} as table ${table}`)].join(';'),
    );
  });
  afterEach(forgetPolicies);
}

/** Restores the policies that `restorePolicies` saved and deletes all messages. */
export async function forgetPolicies(): Promise<void> {
  const inserts = TABLES.map((table) =>
    table.startsWith('signature') && table !== 'signature_defaults'
      ? // Deletes the signatures that restoring the results recorded.
        `delete from ${table}; insert into ${table} table kept.${table}`
      : table === 'policies'
        ? // Versions are inserted after their policies; the update below sets the live versions.
          `insert into policies select (jsonb_populate_record(null::policies,
           to_jsonb(k) || '{"live_version_id": null, "published_at": null}')).* from kept.policies k`
        : `insert into ${table} table kept.${table}`,
  );
  await testService.query(
    [
      'delete from messages',
      'delete from mail_log',
      'delete from graphile_worker._private_jobs',
      ...TABLES.toReversed()
        .filter((table) => table !== 'policy_versions')
        .map((table) => `delete from ${table}`),
      ...inserts,
      `update policies p set live_version_id = k.live_version_id, published_at = k.published_at
         from kept.policies k where k.company_id = p.company_id and k.id = p.id`,
    ].join(';'),
  );
}

interface NewFile {
  company?: CompanyName;
  fileName?: string | null;
  expiresIn?: string;
}

/** Inserts a file with unique contents without the API and returns its reference. */
export async function storeFile({
  company = 'tenant',
  fileName = 'new.pdf',
  expiresIn = '24 hours',
}: NewFile = {}): Promise<string> {
  const id = randomUUID();
  const content = Buffer.concat([onePagePdf, Buffer.from(`% ${id}\n`)]);
  const sha256 = createHash('sha256').update(content).digest();
  await testService.query('insert into file_contents (company_id, sha256, content) values ($1, $2, $3)', [
    companies[company],
    sha256,
    content,
  ]);
  await testService.query(
    `insert into policy_files (company_id, id, sha256, file_name, size_bytes, page_count, expires_at)
     values ($1, $2, $3, $4, $5, 1, now() + $6::interval)`,
    [companies[company], id, sha256, fileName, content.length, expiresIn],
  );
  return id;
}

export interface StoredVersion {
  id: string;
  version: string;
  name: string;
  fileId: string;
  publishedAt: Date;
}

/** Returns the published versions of a policy in order. */
export async function versionsOf(id: string): Promise<StoredVersion[]> {
  const rows = await testService.query(
    `select id, major_version || '.' || minor_version as version, name, file_id as "fileId",
            published_at as "publishedAt"
       from policy_versions where policy_id = $1 order by major_version, minor_version`,
    [id],
  );
  return rows as unknown as StoredVersion[];
}

/** Stores a signature of the learner on the live version, signed now. */
export async function sign(learnerId: string, id: string): Promise<void> {
  const rows = await testService.query(
    `update policy_results r set signed = statement_timestamp(), signed_version_id = p.live_version_id from policies p
      where r.learner_id = $1 and r.policy_id = $2 and p.company_id = r.company_id and p.id = r.policy_id returning r.id`,
    [learnerId, id],
  );
  expect(rows).toHaveLength(1);
}

/** Assigns policies of the tenant and deletes all messages and jobs. */
export async function assign(learnerIds: string[], ...policyIds: string[]): Promise<void> {
  expect(await dataOf(post('/policy-assignments', { policyIds, learnerIds }))).toMatchObject({ success: true });
  await testService.query('delete from messages; delete from mail_log; delete from graphile_worker._private_jobs');
}

/** Returns the version that each assigned learner was last asked to sign, by learner id. */
export async function sentVersionsOf(id: string): Promise<Record<string, string>> {
  const rows = await testService.query(
    'select learner_id, sent_version_id from policy_results where policy_id = $1 and assigned_at is not null',
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.learner_id as string, row.sent_version_id as string]));
}

/** Returns the queued messages by learner (kind, learner, policies) and expects one job for each. */
export async function queuedMessages(): Promise<[kind: string, learnerId: string, ...policyIds: string[]][]> {
  const rows = await testService.query(
    `with jobs as (
       select payload ->> 'messageId' as id, payload ->> 'companyId' as company, count(*)::integer as count
         from graphile_worker._private_jobs group by 1, 2
     )
     select kind, learner_id, array(select s::text from unnest(subject_ids) as s order by 1) as subjects, jobs.count
       from messages m left join jobs on jobs.id = m.id::text and jobs.company = company_id::text
      where status = 'queued' order by learner_id, kind, m.id`,
  );
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
  return rows.map(({ kind, learner_id, subjects }) => [
    kind as string,
    learner_id as string,
    ...(subjects as string[]),
  ]);
}

/** Runs `work` while every statement of a kind on a table fails with a timeout. */
export async function whileStuck(
  statement: 'insert' | 'update' | 'delete',
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await testService.query(`
    create function get_stuck() returns trigger language plpgsql
      as $$ begin raise exception 'stuck' using errcode = 'query_canceled'; end $$;
    create trigger sticks before ${statement} on ${table} execute function get_stuck()`);
  try {
    await work();
  } finally {
    await testService.query('drop function get_stuck cascade');
  }
}

/** Returns the tenant's signature default: the id of the policy that owns it, if any, and its type. */
export async function signatureDefault(): Promise<{ policyIds: string[]; type: string | null }> {
  const { policyIds, type } = await testService
    .query('select policy_id, type from signature_defaults where company_id = $1', [companies.tenant])
    .then(([row]) => ({
      policyIds: row?.policy_id ? [row.policy_id as string] : [],
      type: row?.type as string | undefined,
    }));
  return { policyIds, type: type ?? null };
}
