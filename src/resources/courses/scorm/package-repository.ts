import { v7 as uuidv7 } from 'uuid';
import type { PackageLimits } from '../../../config/package-limits.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { ApiError, requireFound } from '../../../contract/errors.ts';
import type { PackageContents, PackageReport } from './inspection/inspect-package.ts';
import type { ManifestItem } from './inspection/manifest-items.ts';
import { toPathKey } from './inspection/path-names.ts';

interface OfCourse {
  courseId: string;
}

/** A stored package. */
export interface StoredPackage extends Omit<
  Schemas['CoursePackage'],
  'items' | 'authoringTool' | 'features' | 'externalHosts' | 'notices'
> {
  items: ManifestItem[];
  /** Findings of the inspection. */
  report: Partial<PackageReport>;
}

const ofCourse = pointQuery<OfCourse, StoredPackage>(
  'package_of_course',
  (p) => sql`
    select id, course_id as "courseId", standard, schema_version as "schemaVersion", title, items, report, launch_path as "launchPath", file_name as "fileName",
           size_bytes as "sizeBytes", unpacked_bytes as "unpackedBytes", file_count as "fileCount",
           encode(sha256, 'hex') as sha256, uploaded_at as "uploadedAt"
      from course_packages where company_id = ${p.companyId} and course_id = ${p.courseId} and ended_at is null`,
);

/** Returns the current package of a course. @throws not_found */
export async function getPackage(tenant: TenantReader, courseId: string): Promise<StoredPackage> {
  return requireFound(await tenant.queryOne(ofCourse, { courseId }), 'package');
}

// Serialises the uploads of a company, so that the company's limit holds. The lock is a separate statement, because
// only a later statement sees what the previous upload has stored.
const lockPackages = mutation(
  'package_lock',
  (p) => sql`
    select case when pg_advisory_xact_lock(hashtextextended('packages of ' || id, 0)) is null then id end
      from companies where id = ${p.companyId}`,
);

const storedBytes = query<{ sha256: Buffer }, { bytes: number }>(
  'package_stored_bytes',
  (p) => sql`
    select coalesce(sum(size_bytes), 0)::double precision as bytes
      from (select distinct on (sha256) size_bytes from course_packages
             where company_id = ${p.companyId} and sha256 <> ${p.sha256}) as stored`,
);

// The update changes nothing, but locks content that exists already, so that the purge does not delete it.
const insertContent = mutation<{ sha256: Buffer; content: Buffer }>(
  'package_insert_content',
  (p) => sql`
    insert into package_contents (company_id, sha256, content) values (${p.companyId}, ${p.sha256}, ${p.content})
    on conflict (company_id, sha256) do update set sha256 = excluded.sha256`,
);

const end = mutation<OfCourse, { id: string }>('package_end', (p, knex) =>
  knex('course_packages')
    .where({ company_id: p.companyId, course_id: p.courseId })
    .whereNull('ended_at')
    .update({ ended_at: knex.fn.now() })
    .returning('id'),
);

type Columns = Pick<Schemas['CoursePackage'], 'schemaVersion' | 'title' | 'launchPath' | 'fileName'> &
  Pick<PackageContents, 'standard' | 'unpackedBytes'> &
  OfCourse & {
    packageId: string;
    sha256: Buffer;
    sizeBytes: number;
    fileCount: number;
    itemsJson: string;
    reportJson: string;
  };

const insert = mutation<Columns>(
  'package_insert',
  (p, knex) =>
    knex('course_packages').insert({
      company_id: p.companyId,
      id: p.packageId,
      course_id: p.courseId,
      sha256: p.sha256,
      standard: p.standard,
      schema_version: p.schemaVersion,
      items: p.itemsJson,
      report: p.reportJson,
      title: p.title,
      launch_path: p.launchPath,
      file_name: p.fileName,
      size_bytes: p.sizeBytes,
      unpacked_bytes: p.unpackedBytes,
      file_count: p.fileCount,
    }),
  { itemsJson: '[]', reportJson: '{}' },
);

interface Files {
  packageId: string;
  paths: string[];
  pathKeys: string[];
  contentTypes: string[];
  sizes: number[];
  offsets: number[];
  packedSizes: number[];
  deflated: boolean[];
}

const insertFiles = mutation<Files>(
  'package_insert_files',
  (p) => sql`
    insert into package_files (company_id, package_id, path, path_key, content_type, size_bytes, packed_offset, packed_bytes,
                               is_deflated)
    select ${p.companyId}, ${p.packageId}, new.*
      from unnest(${p.paths}::text[], ${p.pathKeys}::text[], ${p.contentTypes}::text[], ${p.sizes}::integer[], ${p.offsets}::integer[],
                  ${p.packedSizes}::integer[], ${p.deflated}::boolean[]) as new
    on conflict do nothing`,
);

const touch = mutation<OfCourse>('package_touch_course', (p, knex) =>
  knex('courses').where({ owner_id: p.companyId, id: p.courseId }).update({ updated_at: knex.fn.now() }),
);

export interface NewPackage extends Omit<PackageContents, 'fault'> {
  sha256: Buffer;
  bytes: Buffer;
  fileName: string | null;
}

/**
 * Stores a package that replaces the course's current one. The caller has locked the course.
 * @throws payload_too_large if the company's packages would exceed their limit
 */
export async function replacePackage(
  tenant: TenantWriter,
  courseId: string,
  input: NewPackage,
  { maxCompanyBytes }: PackageLimits,
): Promise<void> {
  const { sha256, bytes, files, items, report, standard, schemaVersion, title } = input;
  const { launchPath, fileName, unpackedBytes } = input;
  const packageId = uuidv7();
  await requireRoom(tenant, { sha256, sizeBytes: bytes.length, maxCompanyBytes });
  await tenant.mutate(insertContent, { sha256, content: bytes });
  await tenant.mutate(end, { courseId });
  await tenant.mutate(insert, {
    ...{ packageId, courseId, sha256, standard, schemaVersion, title, launchPath, fileName, unpackedBytes },
    ...{ itemsJson: JSON.stringify(items), reportJson: JSON.stringify(report) },
    ...{ sizeBytes: bytes.length, fileCount: files.length },
  });
  await tenant.mutate(insertFiles, {
    packageId,
    paths: files.map(({ path }) => path),
    pathKeys: files.map(({ path }) => toPathKey(path)),
    contentTypes: files.map(({ contentType }) => contentType),
    sizes: files.map(({ sizeBytes }) => sizeBytes),
    offsets: files.map(({ offset }) => offset),
    packedSizes: files.map(({ packedBytes }) => packedBytes),
    deflated: files.map(({ isDeflated }) => isDeflated),
  });
  await tenant.mutate(touch, { courseId });
}

/** Ends the package of a locked course. Returns the id of the package; undefined if the course has none. */
export async function endPackage(tenant: TenantWriter, courseId: string): Promise<string | undefined> {
  const [ended] = await tenant.mutate(end, { courseId });
  if (ended) await tenant.mutate(touch, { courseId });
  return ended?.id;
}

async function requireRoom(
  tenant: TenantWriter,
  { sha256, sizeBytes, maxCompanyBytes }: { sha256: Buffer; sizeBytes: number; maxCompanyBytes: number },
): Promise<void> {
  await tenant.mutate(lockPackages, {});
  const { bytes } = (await tenant.queryOne(storedBytes, { sha256 }))!;
  if (bytes + sizeBytes <= maxCompanyBytes) return;
  const limit = `${maxCompanyBytes / 1024 ** 2} MiB`;
  const message = `The packages of the company would exceed ${limit}; remove some and upload this one a day later, when they are deleted.`;
  throw new ApiError('payload_too_large', message);
}
