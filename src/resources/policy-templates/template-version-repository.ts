import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { TemplateContent } from './template-content.ts';

type OfTemplate<T> = T & { templateId: string };

const replaceDraftOf = change<OfTemplate<TemplateContent>>(
  'template_replace_draft',
  (p) => sql`
    insert into policy_template_drafts (company_id, template_id, name, category, locales, file_id)
    values (${p.companyId}, ${p.templateId}, ${p.name}, ${p.category}, ${p.locales}, ${p.pdfFile})
    on conflict (company_id, template_id) do update
       set name = excluded.name, category = excluded.category, locales = excluded.locales, file_id = excluded.file_id,
           updated_at = now()`,
);

// A template that was never published shows its draft.
const showDraftOf = change<{ templateId: string }>(
  'template_show_draft',
  (p) => sql`
    update policy_templates t
       set updated_at = now(),
           name = case when published_at is null then d.name else t.name end,
           category = case when published_at is null then d.category else t.category end,
           locales = case when published_at is null then d.locales else t.locales end,
           file_id = case when published_at is null then d.file_id else t.file_id end
      from policy_template_drafts d
     where t.company_id = ${p.companyId} and t.id = ${p.templateId}
       and d.company_id = t.company_id and d.template_id = t.id`,
);

/** Makes the content the draft of a template. */
export async function saveDraft(tenant: TenantWriter, templateId: string, content: TemplateContent): Promise<void> {
  await tenant.run(replaceDraftOf, { templateId, ...content });
  await tenant.run(showDraftOf, { templateId });
}

const removeDraftOf = change<{ templateId: string }>('template_remove_draft', (p, knex) =>
  knex('policy_template_drafts').where({ company_id: p.companyId, template_id: p.templateId }).delete(),
);

const dropFile = change<{ templateId: string; keepsFile: boolean }>(
  'template_drop_file',
  (p) => sql`
    update policy_templates set file_id = case when ${p.keepsFile} then file_id end, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** Drops the draft of a template, and its file with it unless a published version has it. */
export async function discardDraft(tenant: TenantWriter, templateId: string, keepsFile: boolean): Promise<void> {
  await tenant.run(removeDraftOf, { templateId });
  await tenant.run(dropFile, { templateId, keepsFile });
}

const goLive = change<OfTemplate<TemplateContent>>(
  'template_go_live',
  (p) => sql`
    update policy_templates
       set name = ${p.name}, category = ${p.category}, locales = ${p.locales}, file_id = ${p.pdfFile},
           published_at = now(), updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** Makes the content the published version of a template, in place of its draft. */
export async function publish(tenant: TenantWriter, templateId: string, content: TemplateContent): Promise<void> {
  await tenant.run(goLive, { templateId, ...content });
  await tenant.run(removeDraftOf, { templateId });
}
