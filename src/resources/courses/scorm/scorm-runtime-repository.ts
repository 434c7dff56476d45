import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { CourseNames } from '../course-names.ts';
import type { PackageState } from './package-state.ts';
import { type Enrolment, MAX_NUMBER } from './scorm-runtime-rules.ts';
import type { Pair } from '../results/result-event-rules.ts';
import type { ManifestItem } from './inspection/manifest-items.ts';
import { toPathKey } from './inspection/path-names.ts';

/** The package of a course, with the learner's attempt and progress. */
export interface ScormRuntime extends Enrolment, CourseNames {
  passMark: number;
  score: number | null;
  packageId: string;
  standard: 'scorm_1_2' | 'scorm_2004';
  launchPath: string;
  /**
   * Time at which the learner began the attempt with this package, and the stored state; both null if there is no such
   * attempt.
   */
  begunAt: string | null;
  state: PackageState | null;
}

const byPair = pointQuery<Pair, ScormRuntime>(
  'scorm_by_pair',
  (p) => sql`
    select c.display_name as "displayName", c.localized_names as "localizedNames", c.pass_mark as "passMark",
           c.retired_at is not null as "isRetired",
           e.attempt_id as "attemptId", e.start_date as "startDate", e.finish_date as "finishDate", e.passed, e.score,
           k.id as "packageId", k.standard, k.launch_path as "launchPath", g.begun_at as "begunAt", g.state
      from course_packages k
      join courses c on c.owner_id = ${p.companyId} and c.id = k.course_id and c.removed_at is null
      left join enrollments e on e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId}
       and e.course_id = ${p.courseId}
      left join package_progress g on g.company_id = ${p.companyId} and g.learner_id = ${p.learnerId}
       and g.course_id = ${p.courseId} and g.attempt_id = e.attempt_id and g.package_id = k.id
     where k.company_id = ${p.companyId} and k.course_id = ${p.courseId} and k.ended_at is null`,
);

/** Returns the package of a course for a learner; undefined if the course has no package. */
export function findRuntime(tenant: TenantReader, pair: Pair): Promise<ScormRuntime | undefined> {
  return tenant.queryOne(byPair, pair);
}

const lock = mutation<Pair>(
  'scorm_lock',
  (p) => sql`
    select attempt_id from enrollments
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and course_id = ${p.courseId}
       for no key update`,
);

/** Blocks other changes to the learner's enrolment in the course until the transaction ends. */
export async function lockEnrollment(tenant: TenantWriter, pair: Pair): Promise<void> {
  await tenant.mutate(lock, pair);
}

interface Opened extends Pair {
  attemptId: string;
  packageId: string;
  begunAt: string;
  tokenHash: Buffer;
  /** Hash of the session that opened the window; null if the window was opened from the link in a message. */
  sessionHash: Buffer | null;
}

const open = mutation<Opened & { state: string }>(
  'scorm_open',
  (p) => sql`
    insert into package_progress (company_id, learner_id, course_id, attempt_id, package_id, begun_at, state, token_hash,
                                  session_hash, opened_at)
    select ${p.companyId}, e.learner_id, e.course_id, ${p.attemptId}::uuid, ${p.packageId}::uuid,
           ${p.begunAt}::timestamptz, ${p.state}::jsonb, ${p.tokenHash}::bytea, ${p.sessionHash}::bytea,
           statement_timestamp()
      from enrollments e
     where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.course_id = ${p.courseId}
    on conflict (company_id, learner_id, course_id) do update
       set attempt_id = excluded.attempt_id, package_id = excluded.package_id, begun_at = excluded.begun_at,
           state = excluded.state, token_hash = excluded.token_hash, session_hash = excluded.session_hash,
           opened_at = excluded.opened_at, report_number = 0`,
  { state: '{}' },
);

/** Opens a package in a window. Any other window that has the package open becomes stale. */
export async function saveRuntime(tenant: TenantWriter, opened: Opened, state: PackageState): Promise<void> {
  await tenant.mutate(open, { ...opened, state: JSON.stringify({ ...state, lastReports: undefined }) });
}

/** A window that has a package open. */
export interface ScormRuntimeWindow extends CourseNames {
  attemptId: string;
  begunAt: string;
  /**
   * Whether the window stores reports: the attempt is the newest, and is either unfinished or suspended by the package.
   */
  isOpen: boolean;
  isFinished: boolean;
  score: number | null;
  passed: boolean | null;
  passMark: number;
  standard: ScormRuntime['standard'];
  launchPath: string;
  /** Items of the manifest, each with its runtime data (`launchData`, `masteryScore`, …). */
  items: ManifestItem[];
  state: PackageState;
  reportNumber: number;
}

/** Condition that any item of the package has suspended the attempt of the progress `g`. */
export const IS_SUSPENDED = sql`
  (g.state ->> 'exit' = 'suspend' or jsonb_path_exists(g.state, '$.others.*.exit ? (@ == "suspend")'))`;

const byToken = pointQuery<Pair & { tokenHash: Buffer }, ScormRuntimeWindow>(
  'scorm_by_token',
  (p) => sql`
    select g.attempt_id as "attemptId", g.begun_at as "begunAt", k.launch_path as "launchPath", k.standard, k.items, g.state,
           g.report_number as "reportNumber",
           c.display_name as "displayName", c.localized_names as "localizedNames", c.pass_mark as "passMark",
           e.attempt_id = g.attempt_id and (e.finish_date is null or ${IS_SUSPENDED}) as "isOpen",
           e.finish_date is not null as "isFinished", e.score, e.passed
      from package_progress g
      join courses c on c.owner_id = ${p.companyId} and c.id = g.course_id
      join course_packages k on k.company_id = ${p.companyId} and k.id = g.package_id
      join enrollments e on e.company_id = ${p.companyId} and e.learner_id = g.learner_id and e.course_id = g.course_id
     where g.company_id = ${p.companyId} and g.learner_id = ${p.learnerId} and g.course_id = ${p.courseId}
       and g.token_hash = ${p.tokenHash}`,
);

/** Returns the package that a window has open; undefined if another window has opened it. */
export function findWindow(
  tenant: TenantReader,
  pair: Pair,
  tokenHash: Buffer,
): Promise<ScormRuntimeWindow | undefined> {
  return tenant.queryOne(byToken, { ...pair, tokenHash });
}

const keep = mutation<Pair & { tokenHash: Buffer; state: string; reportNumber: number }>(
  'scorm_keep',
  (p) => sql`
    update package_progress set state = ${p.state}::jsonb, report_number = ${p.reportNumber}
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and course_id = ${p.courseId}
       and token_hash = ${p.tokenHash}`,
  { state: '{}' },
);

export async function keepState(
  tenant: TenantWriter,
  pair: Pair,
  tokenHash: Buffer,
  state: PackageState,
  reportNumber: number,
): Promise<void> {
  await tenant.mutate(keep, { ...pair, tokenHash, state: JSON.stringify(state), reportNumber });
}

const follow = mutation<Pair & { tokenHash: Buffer; lastNumber: number }>(
  'scorm_follow',
  (p) => sql`
    update package_progress g set attempt_id = e.attempt_id, report_number = ${p.lastNumber}
      from enrollments e
     where g.company_id = ${p.companyId} and g.learner_id = ${p.learnerId} and g.course_id = ${p.courseId}
       and g.token_hash = ${p.tokenHash} and e.company_id = ${p.companyId} and e.learner_id = g.learner_id
       and e.course_id = g.course_id`,
);

/** Moves the progress to the newest attempt. Further reports of the window are ignored. */
export async function followAttempt(tenant: TenantWriter, pair: Pair, tokenHash: Buffer): Promise<void> {
  await tenant.mutate(follow, { ...pair, tokenHash, lastNumber: MAX_NUMBER });
}

/** A file of a package, and its location in the ZIP file. */
export interface PackedFile {
  standard: ScormRuntime['standard'];
  contentType: string;
  sizeBytes: number;
  isDeflated: boolean;
  sha256: Buffer;
  packedOffset: number;
  packedBytes: number;
}

/** Builds the condition that the session that opened a window has not ended. */
export function isInSession(p: Parameters<object>): Sql {
  return sql`(g.session_hash is null or exists (
    select from person_sessions s where s.company_id = ${p.companyId} and s.token_hash = g.session_hash
     and s.expires_at > now()))`;
}

const file = pointQuery<{ tokenHash: Buffer; path: string }, PackedFile>(
  'scorm_file',
  (p) => sql`
    select k.standard, f.content_type as "contentType", f.size_bytes as "sizeBytes", f.is_deflated as "isDeflated",
           k.sha256, f.packed_offset as "packedOffset", f.packed_bytes as "packedBytes"
      from package_progress g
      join learners l on l.company_id = ${p.companyId} and l.id = g.learner_id and not l.inactive
      join enrollments e on e.company_id = ${p.companyId} and e.learner_id = g.learner_id
       and e.course_id = g.course_id and e.attempt_id = g.attempt_id
      join course_packages k on k.company_id = ${p.companyId} and k.id = g.package_id
      join package_files f on f.company_id = ${p.companyId} and f.package_id = k.id and f.path_key = ${p.path}
     where g.company_id = ${p.companyId} and g.token_hash = ${p.tokenHash}
       and g.opened_at > now() - interval '4 hours' and ${isInSession(p)}`,
);

/**
 * Returns undefined if the package lacks the file, or if the window is unknown, stale or older than 4 hours, or if its
 * session or attempt has ended or been replaced.
 */
export function findFile(tenant: TenantReader, tokenHash: Buffer, path: string): Promise<PackedFile | undefined> {
  return tenant.queryOne(file, { tokenHash, path: toPathKey(path) });
}

/** A range of a package's bytes, one-based and inclusive. */
interface Range {
  sha256: Buffer;
  first: number;
  last: number;
}

// Reads 1 MiB at a time, so that a process never holds a whole file for each client.
const parts = query<Range, { bytes: Buffer }>(
  'scorm_file_parts',
  (p) => sql`
    select substring(c.content from n for least(1048576, ${p.last}::integer - n + 1)) as bytes
      from package_contents c cross join lateral generate_series(${p.first}::integer, ${p.last}::integer, 1048576) as n
     where c.company_id = ${p.companyId} and c.sha256 = ${p.sha256}
     order by n`,
);

/** Returns all packed bytes of a file. Only for a file that fits in memory. */
export async function readPacked(tenant: TenantReader, file: PackedFile): Promise<Buffer> {
  const { sha256, packedOffset, packedBytes: length } = file;
  const rows = await tenant.queryAll(parts, { sha256, first: packedOffset + 1, last: packedOffset + length });
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}

/**
 * Streams the packed bytes of a file.
 * @param from zero-based, inclusive range; all bytes by default
 */
export function packedBytes(
  tenant: TenantReader,
  { sha256, packedOffset, packedBytes: length }: PackedFile,
  from: { start: number; end: number } = { start: 0, end: length - 1 },
): Rows<{ bytes: Buffer }> {
  return tenant.stream(parts, { sha256, first: packedOffset + from.start + 1, last: packedOffset + from.end + 1 }, 1);
}
