import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { DocumentKind } from './versioning/document-kind.ts';

/** Content of a policy version. */
export type PolicyContent = Pick<
  Schemas['Policy'],
  'name' | 'category' | 'ownerName' | 'ownerEmail' | 'isPublic' | 'pdfFile'
>;

/** Condition that a policy `p` has a live version. */
export const IS_LIVE = sql`p.live_version_id is not null`;

export const policyKind = new DocumentKind<PolicyContent, 'policyId'>({
  name: 'policy',
  id: 'policyId',
  documents: sql`policies`,
  drafts: sql`policy_drafts`,
  reference: sql`policy_id`,
  columns: {
    name: sql`name`,
    category: sql`category`,
    ownerName: sql`owner_name`,
    ownerEmail: sql`owner_email`,
    isPublic: sql`is_public`,
    pdfFile: sql`file_id`,
  },
});
