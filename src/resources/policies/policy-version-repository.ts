import { v7 as uuidv7 } from 'uuid';
import { sql } from '../../db/sql.ts';
import { SentAttachment } from '../../contract/contract.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { ApiError, requireFound } from '../../contract/errors.ts';
import type { PastVersion, PresentVersion } from './past-version-rules.ts';
import type { PolicyContent } from './policy-content.ts';
import type { VersionNumber } from './policy-rules.ts';

type NewVersion = PolicyContent & VersionNumber & { policyId: string; versionId: string };

const insertVersion = mutation<NewVersion>('policy_insert_version', (p, knex) =>
  knex('policy_versions').insert({
    company_id: p.companyId,
    id: p.versionId,
    policy_id: p.policyId,
    major_version: p.major,
    minor_version: p.minor,
    name: p.name,
    file_id: p.pdfFile,
  }),
);

type RecordedVersion = Pick<NewVersion, 'policyId' | 'versionId' | 'major' | 'minor' | 'name' | 'pdfFile'> & {
  publishedAt: string;
};

const insertRecorded = mutation<RecordedVersion>(
  'policy_insert_recorded_version',
  (p) => sql`
    insert into policy_versions (company_id, id, policy_id, major_version, minor_version, name, file_id, published_at,
                                 recorded_at)
    values (${p.companyId}, ${p.versionId}, ${p.policyId}, ${p.major}, ${p.minor}, ${p.name}, ${p.pdfFile},
            ${p.publishedAt}, statement_timestamp())`,
);

/**
 * Stores a version that another system published. Like the ids of other versions, its id begins with the time of
 * publication, because later versions must have higher ids (signature-event-rules.ts). Returns the id.
 */
async function insertRecordedVersion(
  tenant: TenantWriter,
  version: Omit<RecordedVersion, 'versionId'>,
): Promise<string> {
  const versionId = uuidv7({ msecs: Date.parse(version.publishedAt) });
  await tenant.mutate(insertRecorded, { ...version, versionId });
  return versionId;
}

const goLive = mutation<NewVersion>(
  'policy_go_live',
  (p) => sql`
    update policies p
       set name = ${p.name}, category = ${p.category}, owner_name = ${p.ownerName}, owner_email = ${p.ownerEmail},
           is_public = ${p.isPublic}, file_id = ${p.pdfFile}, major_version = ${p.major}, minor_version = ${p.minor},
           live_version_id = v.id, published_at = case when v.recorded_at is null then t.now else v.published_at end,
           updated_at = t.now
      from policy_versions v, (select statement_timestamp() as now) as t
     where p.company_id = ${p.companyId} and p.id = ${p.policyId}
       and v.company_id = ${p.companyId} and v.id = ${p.versionId}`,
);

/**
 * Stores the content as the live version of a policy.
 * @param publishedAt time at which another system published the version
 */
export async function publishVersion(
  tenant: TenantWriter,
  policyId: string,
  content: PolicyContent,
  { publishedAt, ...version }: VersionNumber & { publishedAt?: string | undefined },
): Promise<void> {
  if (publishedAt === undefined) {
    const published = { policyId, versionId: uuidv7(), ...content, ...version };
    await tenant.mutate(insertVersion, published);
    await tenant.mutate(goLive, published);
  } else {
    const recorded = { policyId, ...content, ...version };
    const versionId = await insertRecordedVersion(tenant, { ...recorded, publishedAt });
    await tenant.mutate(goLive, { ...recorded, versionId });
  }
}

const present = query<{ policyId: string }, PresentVersion>(
  'policy_present_versions',
  (p) => sql`
    select v.major_version as major, v.minor_version as minor, v.name, v.published_at as "publishedAt",
           encode(f.sha256, 'hex') as sha256, v.recorded_at is not null as "isRecorded",
           v.id = p.live_version_id as "isLive"
      from policies p
      join policy_versions v on v.company_id = ${p.companyId} and v.policy_id = p.id
      join policy_files f on f.company_id = ${p.companyId} and f.id = v.file_id
     where p.company_id = ${p.companyId} and p.id = ${p.policyId} and p.live_version_id is not null`,
);

/** Returns the versions of a policy; empty if it has no live version. */
export function listPresentVersions(tenant: TenantWriter, policyId: string): Promise<PresentVersion[]> {
  return tenant.queryAll(present, { policyId });
}

const fileHash = pointQuery<{ fileId: string }, { sha256: string }>(
  'policy_file_hash',
  (p) => sql`
    select encode(sha256, 'hex') as sha256 from policy_files where company_id = ${p.companyId} and id = ${p.fileId}`,
);

/** Returns the SHA-256 of a file that the caller has locked. */
export async function getFileHash(tenant: TenantWriter, fileId: string): Promise<string> {
  return requireFound(await tenant.queryOne(fileHash, { fileId }), 'file').sha256;
}

const touch = mutation<{ policyId: string }>(
  'policy_touch',
  (p) => sql`
    update policies set updated_at = statement_timestamp() where company_id = ${p.companyId} and id = ${p.policyId}`,
);

/** Records a past version of a locked policy. */
export async function recordVersion(
  tenant: TenantWriter,
  policyId: string,
  version: PastVersion & { pdfFile: string },
): Promise<void> {
  await insertRecordedVersion(tenant, { ...version, policyId });
  await tenant.mutate(touch, { policyId });
}

// A recorded version that was live before a later version was published might have been sent, opened and signed.
const removable = query<OfVersion, { isRemovable: boolean }>(
  'policy_version_removable',
  (p) => sql`
    select v.recorded_at is not null and v.id <> p.live_version_id
           and not exists (select from signatures s
                            where s.company_id = ${p.companyId} and s.policy_id = ${p.policyId} and s.version_id = v.id)
           and not exists (select from policy_results r
                            where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId}
                              and v.id in (r.sent_version_id, r.visited_version_id, r.signed_version_id))
             as "isRemovable"
      from policy_versions v join policies p on p.company_id = ${p.companyId} and p.id = v.policy_id
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}`,
);

const remove = mutation<OfVersion>(
  'policy_remove_version',
  (p) => sql`
    delete from policy_versions
     where company_id = ${p.companyId} and policy_id = ${p.policyId} and id = ${p.versionId}`,
);

/** Removes a recorded version of a locked policy. @throws not_found or policy_version_in_use */
export async function removeVersion(tenant: TenantWriter, version: OfVersion): Promise<void> {
  const { isRemovable } = requireFound(await tenant.queryOne(removable, version), 'version');
  if (!isRemovable) {
    const message =
      'The version is live, was published in this service, or was sent, opened or signed; it cannot be deleted.';
    throw new ApiError('policy_version_in_use', message);
  }
  await tenant.mutate(remove, version);
  await tenant.mutate(touch, version);
}

interface OfVersion {
  policyId: string;
  versionId: string;
}

interface OfPolicy {
  policyId: string;
}

interface StoredFile {
  fileName: string | null;
  sizeBytes: number;
}

const file = pointQuery<OfVersion, StoredFile>(
  'policy_version_file',
  (p) => sql`
    select f.file_name as "fileName", f.size_bytes as "sizeBytes"
      from policy_versions v join policy_files f on f.company_id = v.company_id and f.id = v.file_id
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}`,
);

// Reads 1 MiB at a time, so that a process never holds a whole file for a client.
const parts = query<OfVersion, { bytes: Buffer }>(
  'policy_version_parts',
  (p) => sql`
    select substring(c.content from n for 1048576) as bytes
      from policy_versions v
      join policy_files f on f.company_id = v.company_id and f.id = v.file_id
      join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
     cross join lateral generate_series(1, f.size_bytes, 1048576) as n
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}
     order by n`,
);

/** Returns the file of a published version. @throws not_found */
export async function getVersionPdf(
  tenant: TenantReader,
  policyId: string,
  versionId: string,
): Promise<SentAttachment> {
  const { fileName, sizeBytes } = requireFound(await tenant.queryOne(file, { policyId, versionId }), 'version');
  return new SentAttachment(tenant.stream(parts, { policyId, versionId }, 1), sizeBytes, fileName);
}

const draftFile = pointQuery<OfPolicy, StoredFile>(
  'policy_draft_file',
  (p) => sql`
    select f.file_name as "fileName", f.size_bytes as "sizeBytes"
      from policy_drafts d join policy_files f on f.company_id = d.company_id and f.id = d.file_id
     where d.company_id = ${p.companyId} and d.policy_id = ${p.policyId}`,
);

const draftParts = query<OfPolicy, { bytes: Buffer }>(
  'policy_draft_parts',
  (p) => sql`
    select substring(c.content from n for 1048576) as bytes
      from policy_drafts d
      join policy_files f on f.company_id = d.company_id and f.id = d.file_id
      join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
     cross join lateral generate_series(1, f.size_bytes, 1048576) as n
     where d.company_id = ${p.companyId} and d.policy_id = ${p.policyId}
     order by n`,
);

/** Returns the file of a draft. @throws not_found */
export async function getDraftPdf(tenant: TenantReader, policyId: string): Promise<SentAttachment> {
  const { fileName, sizeBytes } = requireFound(await tenant.queryOne(draftFile, { policyId }), 'draft');
  return new SentAttachment(tenant.stream(draftParts, { policyId }, 1), sizeBytes, fileName);
}
