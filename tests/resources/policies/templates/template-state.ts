import { createHash } from 'node:crypto';
import pg from 'pg';
import { until } from '../../../support/until.ts';
import { type Answer, call, get, post } from '../../../support/client.ts';
import { companies, type CompanyName, MANAGED_CATALOGUE } from '../../../support/world.ts';
import { fileId, onePagePdf } from '../../../support/world-policies.ts';

/** Creates a template from the file of the test world, which is past its expiry but in use. */
export function create(key: CompanyName, fields: object = {}): Promise<Answer> {
  return post('/policy-templates', { name: 'Remote work', pdfFile: fileId(key), action: 'draft', ...fields }, key);
}

/** Creates a template and returns its id. */
export async function createdId(key: CompanyName, fields: object = {}): Promise<string> {
  const { status, body } = await create(key, fields);
  expect(status).toBe(200);
  return body.data.id as string;
}

/** Sends a call while other companies write, so the client does not check that their rows stay unchanged. */
export const race = (key: CompanyName, method: string, path: string, body?: object): Promise<Answer> =>
  call(key, method, path, { body, alone: false });

export interface ListItem {
  id: string;
  name: string;
  source: string;
}

/** Returns the templates that a company lists. */
export async function listed(key: CompanyName, query = ''): Promise<ListItem[]> {
  const { status, body } = await get(`/policy-templates${query}`, key);
  expect(status).toBe(200);
  return body.data as ListItem[];
}

export async function listedIds(key: CompanyName, query = ''): Promise<string[]> {
  return (await listed(key, query)).map(({ id }) => id);
}

/** Reports whether a company sees a template, and expects that the list and the read by id agree. */
export async function sees(key: CompanyName, templateId: string): Promise<boolean> {
  const isListed = (await listedIds(key)).includes(templateId);
  expect((await get(`/policy-templates/${templateId}`, key)).status).toBe(isListed ? 200 : 404);
  return isListed;
}

/** Inserts a file without the API, with unique contents unless `text` is given, and returns its reference. */
export async function storeFile(
  owner: CompanyName | 'managed',
  { expiresIn = '1 day', text = String(Math.random()) } = {},
): Promise<string> {
  const content = Buffer.concat([onePagePdf, Buffer.from(`%${text}\n`)]);
  const sha256 = createHash('sha256').update(content).digest();
  const company = owner === 'managed' ? MANAGED_CATALOGUE : companies[owner];
  await testService.query('insert into file_contents values ($1, $2, $3) on conflict do nothing', [
    company,
    sha256,
    content,
  ]);
  const [row] = await testService.query(
    `insert into policy_files (company_id, id, sha256, size_bytes, page_count, expires_at)
     values ($1, gen_random_uuid(), $2, $3, 1, now() + $4::interval) returning id`,
    [company, sha256, content.length, expiresIn],
  );
  return row!.id as string;
}

/** Returns the `text` that `storeFile` put into the file of a policy. */
export async function textOfPolicy(policyId: string): Promise<string> {
  const [row] = await testService.query(
    `select convert_from(c.content, 'utf8') as text
       from policies p
       join policy_files f on f.company_id = p.company_id and f.id = p.file_id
       join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
      where p.id = $1`,
    [policyId],
  );
  return (row!.text as string).trimEnd().split('%').at(-1)!;
}

/** Makes a company a child of another company, or removes its parent. */
export async function moveBelow(company: CompanyName, parent: CompanyName | null): Promise<void> {
  await testService.query(
    `update companies set parent_id = $2::uuid,
            managed_by = coalesce((select array[id] || managed_by from companies where id = $2::uuid), '{}')
      where id = $1`,
    [companies[company], parent && companies[parent]],
  );
}

/**
 * Holds the first call before its insert into the table until the second call has ended or waited 500 ms, then lets
 * both end.
 */
export async function whileHeld(
  table: string,
  first: () => Promise<Answer>,
  second: () => Promise<unknown>,
): Promise<Answer> {
  const holder = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await holder.connect();
  await holder.query(`
    select pg_advisory_lock(1);
    create function wait_for_holder() returns trigger language plpgsql as $$ begin
      perform pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1); return null; end $$;
    create trigger waits before insert on ${table} execute function wait_for_holder()`);
  try {
    const held = first();
    const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
    await until(async () => (await testService.query(waiting)).length > 0);
    const passing = second();
    await Promise.race([passing, pause(500)]);
    await holder.query('select pg_advisory_unlock(1)');
    await Promise.allSettled([held, passing]);
    await passing;
    return await held;
  } finally {
    await holder.query('select pg_advisory_unlock_all(); drop function wait_for_holder cascade');
    await holder.end();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts the messages and jobs of all companies. */
export async function countQueued(): Promise<number> {
  const [row] = await testService.query(
    `select (select count(*) from messages)::integer + (select count(*) from graphile_worker._private_jobs)::integer
            as count`,
  );
  return row!.count as number;
}

const IN_THE_WORLD = "id::text like '0192a3b4-0000-7000-8000-%'";
const KEPT = ['policy_templates', 'policy_template_drafts', 'companies'];

/** Saves templates and company parents; returns a function that restores them and deletes new policies and files. */
export async function rememberTemplates(): Promise<() => Promise<void>> {
  const kept = new Map<string, unknown>();
  for (const table of KEPT) {
    const [row] = await testService.query(`select json_agg(t)::text as rows from ${table} as t`);
    kept.set(table, row!.rows);
  }
  return async () => {
    await testService.query('delete from policy_templates');
    await testService.query(`delete from policies where not ${IN_THE_WORLD}`);
    for (const table of KEPT.slice(0, 2)) {
      await testService.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        kept.get(table),
      ]);
    }
    await testService.query(
      `delete from policy_files where not ${IN_THE_WORLD} and id not in (select file_id from policy_templates)`,
    );
    await testService.query(
      `update companies c set parent_id = k.parent_id, managed_by = k.managed_by
         from json_populate_recordset(null::companies, $1) as k where k.id = c.id`,
      [kept.get('companies')],
    );
  };
}

/** Restores the templates of the test world after every test. */
export function restoreTemplates(): void {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    restore = await rememberTemplates();
  });
  afterEach(() => restore());
}
