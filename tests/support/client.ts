import { Agent, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { TestService } from './service-environment.ts';
import { companies, type KeyName, keys } from './world.ts';

declare global {
  var testService: TestService;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; empty if the response has no JSON body. */
  body: { data?: any; error?: { code: string; message: string; details: { field: string; message: string }[] } };
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether no other company writes during the call; if false, the rows of other companies are not compared. */
  alone?: boolean;
}

/**
 * Calls the service and expects the response to match the contract. For a write, it also expects that no row of another
 * company changes.
 */
export async function call(
  key: KeyName | null,
  method: string,
  path: string,
  { body, headers = {}, alone = true }: CallOptions = {},
): Promise<Answer> {
  const watched = alone && method !== 'GET' && method !== 'HEAD';
  const before = watched ? await fingerprintOfOthers(key) : '';
  const answer = await send(method, path, {
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${keys[key]}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  if (watched) expect(await fingerprintOfOthers(key)).toBe(before);
  return answer;
}

export interface Sent {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and expects the response to match the contract. Needs half the work of `fetch`. */
export async function send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers: { ...length, ...headers }, agent };
    request(`${testService.url}/v1${path}`, options, resolve).on('error', reject).end(body);
  });
  const text = await readText(response);
  const status = response.statusCode!;
  expectContract(method, `/v1${path}`, status, response.headers['content-type'] ?? '', text);
  return {
    status,
    headers: new Headers(response.headers as Record<string, string>),
    text,
    body: jsonOf(text, response.headers['content-type']),
  };
}

const NO_JSON = /^(application\/(pdf|zip|jsonl|x-ndjson)|text\/csv)/;

/** Parses the JSON body of a response; returns an empty object if the body is empty, a file, CSV or JSON Lines. */
export function jsonOf(text: string, type: string | null | undefined): Answer['body'] {
  return (text && !NO_JSON.test(type ?? '') ? JSON.parse(text) : {}) as Answer['body'];
}

export function expectContract(method: string, path: string, status: number, type: string, text: string): void {
  if (method === 'HEAD' || (method === 'OPTIONS' && status === 204)) return;
  expect(testService.checkResponse(method, path.split('?')[0]!, status, type, text)).toBeUndefined();
}

/** Calls the service, by default with the key of the company `tenant`: `get('/learners')`. */
export const get = (path: string, key: KeyName = 'tenant') => call(key, 'GET', path);
export const post = (path: string, body?: unknown, key: KeyName = 'tenant') => call(key, 'POST', path, { body });
export const patch = (path: string, body: unknown, key: KeyName = 'tenant') => call(key, 'PATCH', path, { body });
export const put = (path: string, body: unknown, key: KeyName = 'tenant') => call(key, 'PUT', path, { body });
export const del = (path: string, body?: unknown, key: KeyName = 'tenant') => call(key, 'DELETE', path, { body });

/** Expects an error with this status and code and, if `fields` are given, with exactly these fields in its details. */
export function expectError(answer: Answer, status: number, code: string, fields?: string[]): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
  if (fields) expect(answer.body.error?.details?.map((detail) => detail.field)).toEqual(fields);
}

export const TENANT_TABLES = [
  'learners',
  'learner_search_words',
  'learner_versions',
  'learner_merges',
  'learner_merge_records',
  'learner_imports',
  'learner_import_rows',
  'group_versions',
  'membership_periods',
  'membership_versions',
  'groups',
  'group_learners',
  'group_managers',
  'directory_learners',
  'directory_groups',
  'roles',
  'identity_providers',
  'provider_identities',
  'used_assertions',
  'admins',
  'passkeys',
  'audit_log',
  'enrollments',
  'enrollment_attempts',
  'attempt_versions',
  'policy_result_versions',
  'removed_policy_versions',
  'course_progress',
  'auto_enrolled_courses',
  'course_result_events',
  'corrections',
  'course_contents',
  'package_contents',
  'course_packages',
  'package_files',
  'package_progress',
  'mail_log',
  'messages',
  'mail_bounces',
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
  'simulations',
  'simulation_versions',
  'simulation_recipients',
  'simulation_recipient_versions',
  'simulation_recipient_addresses',
  'simulation_events',
  'simulation_domains',
  'simulation_exclusions',
  'simulation_settings',
  'former_recipients',
  'former_recipient_versions',
  'risk_history',
  'learner_risks',
  'group_risks',
  'company_settings',
  'company_figures',
  'running_totals',
  'board_schedules',
  'board_recipients',
  'board_reports',
  'board_deliveries',
  'sources',
  'sync_index',
  'events',
  'event_readers',
  'webhook_endpoints',
  'webhook_retries',
  'webhook_delivery_attempts',
  'idempotency_keys',
  'sign_in_links',
  'person_sessions',
  'sign_ins',
  'certificates',
  'campaigns',
  'campaign_conditions',
  'campaign_items',
  'campaign_assignments',
  'campaign_changes',
  'campaign_mail_days',
  'campaign_digests',
];

/**
 * Columns with the company id in tables that have no `company_id`. Managed courses and templates belong to no company,
 * so no company can write them.
 */
const BY_ANOTHER_COLUMN: Record<string, string> = {
  companies: 'id',
  courses: 'owner_id',
  simulation_templates: 'owner_id',
};

/** Returns a value that changes when a row of any company other than the key's is written. */
async function fingerprintOfOthers(key: KeyName | null): Promise<string> {
  const own = key !== null && key in companies ? companies[key as keyof typeof companies] : companies.tenant;
  return fingerprint('company_id <> $1', own);
}

/**
 * Returns a value that changes when a row of the company is written, to prove that a rejected call changed nothing. The
 * audit log is left out, because a rejected call can be recorded there.
 * @param unwatched further tables that are left out
 */
export function fingerprintOf(company: keyof typeof companies, unwatched: readonly string[] = []): Promise<string> {
  const tables = TENANT_TABLES.filter((table) => table !== 'audit_log' && !unwatched.includes(table));
  return fingerprint('company_id = $1', companies[company], tables);
}

/** Fingerprints of one snapshot. No writing transaction has ended as long as the snapshot is the same. */
let known = { snapshot: '', hashes: new Map<string, string>() };

/**
 * Hashes each row's location and transaction, which is far less work than reading the contents. The text contains the
 * company's id, because Postgres plans a statement with a parameter six times instead of once.
 */
async function fingerprint(where: string, company: string, tables = TENANT_TABLES): Promise<string> {
  if (process.env.TEST_CITUS_BIN) return fingerprintOfContents(where, company, tables);
  const asked = `${where.replace('$1', company)} ${tables.length}`;
  const [now] = await testService.query('select pg_current_snapshot()::text as snapshot', [], 'snapshot');
  const found = now!.snapshot === known.snapshot && known.hashes.get(asked);
  if (found) return found;
  const condition = where.replace('$1', `'${company}'`);
  const ofTables = tables.map((table) => `select tableoid, ctid, xmin from ${table} where ${condition}`);
  for (const [table, column] of Object.entries(BY_ANOTHER_COLUMN)) {
    ofTables.push(`select tableoid, ctid, xmin from ${table} where ${condition.replace('company_id', column)}`);
  }
  const [row] = await testService.query(
    `select pg_current_snapshot()::text as snapshot,
            coalesce(bit_xor(hash_record_extended((tableoid, ctid, xmin), 0)), 0)::text as hash
       from (${ofTables.join(' union all ')}) as rows`,
    [],
    asked,
  );
  const { snapshot, hash } = row as { snapshot: string; hash: string };
  if (snapshot !== known.snapshot) known = { snapshot, hashes: new Map() };
  known.hashes.set(asked, hash);
  return hash;
}

/** Hashes the rows' contents, because Citus does not return the location of a row. */
async function fingerprintOfContents(where: string, company: string, tables: string[]): Promise<string> {
  const ofTables = [...Object.keys(BY_ANOTHER_COLUMN), ...tables].map((table) => {
    const ofCompany = where.replace('company_id', BY_ANOTHER_COLUMN[table] ?? 'company_id');
    return `select sum(hashtextextended(t::text, 0)::numeric) as hash from ${table} t where ${ofCompany}`;
  });
  const [row] = await testService.query(
    `select coalesce(sum(hash), 0) as hash from (${ofTables.join(' union all ')}) as tables`,
    [company],
  );
  return row!.hash as string;
}
