import type { components } from '../../../generated/api-types.ts';
import type { PolicyResultRow } from './assignment-repository.ts';
import type { PolicyContent, PolicyListRow, PolicyRow } from './policy-repository.ts';
import type { Versioned } from './policy-rules.ts';

type Schemas = components['schemas'];

export function toPolicyListItem(row: PolicyListRow): Schemas['PolicyListItem'] {
  return {
    id: row.id,
    name: row.name,
    type: 'pdf',
    isLive: row.is_live,
    inDraft: row.in_draft,
    isPublic: row.is_public,
    majorVersion: row.major_version,
    minorVersion: row.minor_version,
    category: row.category,
  };
}

export function toPolicy(row: PolicyRow): Schemas['Policy'] {
  return {
    ...toPolicyListItem(row),
    ownerName: row.owner_name,
    ownerEmail: row.owner_email,
    pdfFile: row.file_id,
    fileName: row.file_name,
    pageCount: row.page_count,
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    signatureSettings: toSignatureSettings(row),
    liveVersionId: row.live_version_id,
    versions: row.versions.map(toPolicyVersion),
    draft: toPolicyDraft(row),
    assignedCount: row.assigned_count,
    signedCount: row.signed_count,
  };
}

function toSignatureSettings(row: PolicyRow): Schemas['SignatureSettings'] | null {
  if (row.signature_type === null) return null;
  return {
    type: row.signature_type,
    startDate: row.signature_start_date,
    intervalLength: row.signature_interval_length,
    intervalUnit: row.signature_interval_unit,
    useDefault: row.signature_use_default,
    setDefault: row.signature_set_default,
  };
}

function toPolicyVersion(version: PolicyRow['versions'][number]): Schemas['PolicyVersion'] {
  return {
    id: version.id,
    majorVersion: version.major_version,
    minorVersion: version.minor_version,
    name: version.name,
    publishedAt: version.published_at,
  };
}

function toPolicyDraft({ draft }: PolicyRow): Schemas['PolicyDraft'] | null {
  if (!draft) return null;
  return {
    name: draft.name,
    pdfFile: draft.file_id,
    fileName: draft.file_name,
    pageCount: draft.page_count,
    category: draft.category,
    ownerName: draft.owner_name,
    ownerEmail: draft.owner_email,
    isPublic: draft.is_public,
    updatedAt: draft.updated_at,
  };
}

export function toPolicyResult(row: PolicyResultRow): Schemas['PolicyResult'] {
  return {
    id: row.id,
    learnerId: row.learner_id,
    policyId: row.policy_id,
    askedAt: row.asked_at,
    visit: row.visit,
    signed: row.signed,
    signedOffline: row.signed_offline,
    sentVersionId: row.sent_version_id,
    visitedVersionId: row.visited_version_id,
    signedVersionId: row.signed_version_id,
  };
}

/** The policy as the rules see it. */
export function toVersioned(row: PolicyRow): Versioned<PolicyContent> {
  return { isLive: row.is_live, content: toContent(row), draft: row.draft && toContent(row.draft) };
}

function toContent(row: Omit<PolicyRow, 'draft'> | NonNullable<PolicyRow['draft']>): PolicyContent {
  return {
    name: row.name,
    category: row.category,
    ownerName: row.owner_name,
    ownerEmail: row.owner_email,
    isPublic: row.is_public,
    fileId: row.file_id,
  };
}

/** The fields of a body that belong to a version; those that are left out are left out here too. */
export function toChanges(body: {
  name?: string;
  category?: string | null;
  ownerName?: string | null;
  ownerEmail?: string | null;
  isPublic?: boolean;
  pdfFile?: string;
}): Partial<PolicyContent> {
  const { name, category, ownerName, ownerEmail, isPublic, pdfFile: fileId } = body;
  const fields = { name, category, ownerName, ownerEmail, isPublic, fileId };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
