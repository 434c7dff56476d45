import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { DocumentKind } from '../versioning/document-kind.ts';

/** Content of a template version. */
export type TemplateContent = Pick<Schemas['PolicyTemplate'], 'name' | 'category' | 'locales' | 'pdfFile'>;

export const templateKind = new DocumentKind<TemplateContent, 'templateId'>({
  name: 'template',
  id: 'templateId',
  documents: sql`policy_templates`,
  drafts: sql`policy_template_drafts`,
  reference: sql`template_id`,
  columns: { name: sql`name`, category: sql`category`, locales: sql`locales`, pdfFile: sql`file_id` },
});
