import { randomUUID } from 'node:crypto';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { refusalError, unknownReferences } from '../../../contract/errors.ts';

interface AdoptedTemplate {
  pdfFile: string;
  name: string;
  category: string | null;
}

// A single statement, so that all data belong to the same version. The update changes nothing, but locks existing
// content, so that the purge does not delete it.
const adopt = mutation<{ templateId: string; fileId: string }, AdoptedTemplate>(
  'template_adopt',
  (p) => sql`
    with published as (
      select * from published_template(${p.templateId})
    ), stored as (
      insert into file_contents (company_id, sha256, content) select ${p.companyId}, sha256, content from published
      on conflict (company_id, sha256) do update set sha256 = excluded.sha256
    ), filed as (
      insert into policy_files (company_id, id, sha256, file_name, size_bytes, page_count, expires_at)
      select ${p.companyId}, ${p.fileId}::uuid, sha256, file_name, size_bytes, page_count, now() + interval '1 day'
        from published
      returning id
    )
    select filed.id as "pdfFile", published.name, published.category from filed, published`,
);

const visible = query<{ templateId: string }, { id: string }>(
  'template_visible',
  (p) => sql`
    select t.id from companies me, visible_templates() t
     where me.id = ${p.companyId} and t.id = ${p.templateId}`,
);

/**
 * Copies the published file of a template into the company. Returns the reference of the copy, with the name and
 * category of that version.
 * @throws not_found or template_not_published, naming `body/policyTemplateId`
 */
export async function adoptTemplate(tenant: TenantWriter, templateId: string): Promise<AdoptedTemplate> {
  const [row] = await tenant.mutate(adopt, { templateId, fileId: randomUUID() });
  if (row) return row;
  const isVisible = await tenant.queryOne(visible, { templateId });
  if (!isVisible) throw unknownReferences('policy template', ['body/policyTemplateId']);
  const message = 'The template has no published version; publish it first.';
  throw refusalError({ code: 'template_not_published', message, fields: ['policyTemplateId'] });
}
