import { randomUUID } from 'node:crypto';
import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { refusalError, unknownReferences } from '../../errors.ts';

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

const visible = statement<{ templateId: string }, { id: string }>(
  'template_visible',
  (p) => sql`
    select t.id from companies me, visible_templates() t
     where me.id = ${p.companyId} and t.id = ${p.templateId}`,
);

/**
 * Copies the published file of a template into the company. Returns the reference of the copy, with the name and
 * category of the same version.
 * @throws not_found or template_not_published, naming `body/policyTemplateId`
 */
export async function adoptTemplate(tenant: TenantWriter, templateId: string): Promise<AdoptedTemplate> {
  const [row] = await tenant.run(adopt, { templateId, fileId: randomUUID() });
  if (row) return row;
  const isVisible = await tenant.find(visible, { templateId });
  if (!isVisible) throw unknownReferences('policy template', ['body/policyTemplateId']);
  const message = 'The template has no published version.';
  throw refusalError({ code: 'template_not_published', message, fields: ['policyTemplateId'] });
}
