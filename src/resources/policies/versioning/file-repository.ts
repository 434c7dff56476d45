import { randomUUID } from 'node:crypto';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError, unknownReferences } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';

const HOURS_UNUSED = 24;
const MAX_UNUSED_BYTES = 1024 ** 3;

export interface NewFile {
  sha256: Buffer;
  content: Buffer;
  fileName: string | null;
  pageCount: number;
}

const isUsed = (p: Parameters<object>): Sql => sql`
  (exists (select from policies p where p.company_id = ${p.companyId} and p.file_id = f.id)
   or exists (select from policy_drafts d where d.company_id = ${p.companyId} and d.file_id = f.id)
   or exists (select from policy_versions v where v.company_id = ${p.companyId} and v.file_id = f.id)
   or exists (select from policy_templates t where t.company_id = ${p.companyId} and t.file_id = f.id)
   or exists (select from policy_template_drafts d where d.company_id = ${p.companyId} and d.file_id = f.id))`;

// Serialises the uploads of a company, so that the limit below holds. The lock is a separate statement, because only a
// later statement sees what the previous upload has stored.
const lockUnused = mutation(
  'file_lock_unused',
  (p) => sql`
    select case when pg_advisory_xact_lock(hashtextextended('unused files of ' || id, 0)) is null then id end
      from companies where id = ${p.companyId}`,
);

const unusedBytes = query<object, { bytes: number }>(
  'file_unused_bytes',
  (p) => sql`
    select coalesce(sum(size_bytes), 0)::double precision as bytes
      from policy_files f where company_id = ${p.companyId} and expires_at > now() and not ${isUsed(p)}`,
);

// The update changes nothing, but locks existing content, so that the purge does not delete it.
const insertContent = mutation<{ sha256: Buffer; content: Buffer }>(
  'file_insert_content',
  (p) => sql`
    insert into file_contents (company_id, sha256, content) values (${p.companyId}, ${p.sha256}, ${p.content})
    on conflict (company_id, sha256) do update set sha256 = excluded.sha256`,
);

const insert = mutation<
  { fileId: string; sha256: Buffer; fileName: string | null; sizeBytes: number; pageCount: number; hours: number },
  { expiresAt: string }
>(
  'file_insert',
  (p) => sql`
    insert into policy_files (company_id, id, sha256, file_name, size_bytes, page_count, expires_at)
    values (${p.companyId}, ${p.fileId}, ${p.sha256}, ${p.fileName}, ${p.sizeBytes}, ${p.pageCount},
            now() + ${p.hours}::integer * interval '1 hour')
    returning expires_at as "expiresAt"`,
);

/**
 * Stores a file, and its content unless the company already has it. Returns the file's reference and expiry.
 * @throws payload_too_large if the company's unused files would exceed their limit
 */
export async function insertFile(tenant: TenantWriter, file: NewFile): Promise<{ fileId: string; expiresAt: string }> {
  const { sha256, content, fileName, pageCount } = file;
  // Unlike other ids, this id contains no time, so that it cannot be guessed.
  const fileId = randomUUID();
  const sizeBytes = content.length;
  await requireRoom(tenant, sizeBytes);
  await tenant.mutate(insertContent, { sha256, content });
  const [row] = await tenant.mutate(insert, { fileId, sha256, fileName, sizeBytes, pageCount, hours: HOURS_UNUSED });
  return { fileId, expiresAt: row!.expiresAt };
}

async function requireRoom(tenant: TenantWriter, sizeBytes: number): Promise<void> {
  await tenant.mutate(lockUnused, {});
  const { bytes } = (await tenant.queryOne(unusedBytes, {}))!;
  if (bytes + sizeBytes <= MAX_UNUSED_BYTES) return;
  const message =
    'Files that no policy or template uses would exceed 1 GiB in the company; use them, or upload this one when they have ' +
    `expired, ${HOURS_UNUSED} hours after their upload.`;
  throw new ApiError('payload_too_large', message);
}

// Locks the file, so that it cannot be deleted before the transaction ends.
const usable = mutation<{ fileId: string }, { id: string }>(
  'file_usable',
  (p) => sql`
    select id from policy_files f
     where company_id = ${p.companyId} and id = ${p.fileId} and (expires_at > now() or ${isUsed(p)})
       for key share of f`,
);

/** @throws not_found naming `body/pdfFile` if the company does not have the file, or if the file has expired */
export async function requireFile(tenant: TenantWriter, reference: string): Promise<void> {
  const fileId = reference.toLowerCase();
  if (!isId(fileId) || (await tenant.mutate(usable, { fileId })).length === 0) {
    throw unknownReferences('file', ['body/pdfFile']);
  }
}
