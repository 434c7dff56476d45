import { randomUUID } from 'node:crypto';
import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { ApiError, unknownReferences } from '../../errors.ts';

interface AdoptedTemplate {
  pdfFile: string;
  name: string;
  category: string | null;
}

const adopt = change<{ templateId: string; fileId: string }, AdoptedTemplate>(
  'template_adopt',
  (p) => sql`
    select adopted.file_id as "pdfFile", adopted.name, adopted.category
      from companies, adopt_template(${p.templateId}, ${p.fileId}) as adopted
     where companies.id = ${p.companyId}`,
);

/**
 * Copies the published file of a template into the company, and returns the copy's reference with the name and category
 * of the same version.
 * @throws not_found naming the field, or template_not_published
 */
export async function adoptTemplate(tenant: TenantWriter, templateId: string, field: string): Promise<AdoptedTemplate> {
  const [row] = await tenant.run(adopt, { templateId, fileId: randomUUID() });
  if (row) return row;
  if (!(await isVisible(tenant, templateId))) throw unknownReferences('policy template', [field]);
  const message = 'The template has no published version.';
  throw new ApiError('template_not_published', message, { details: [{ field, message }] });
}

const visible = statement<{ templateId: string }, { id: string }>(
  'template_visible',
  (p) => sql`
    select t.id from companies me, visible_templates() t
     where me.id = ${p.companyId} and t.id = ${p.templateId}`,
);

async function isVisible(tenant: TenantReader, templateId: string): Promise<boolean> {
  return (await tenant.find(visible, { templateId })) !== undefined;
}
