import { change } from '../../db/knex-statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { TemplateContent } from './template-repository.ts';

type OfTemplate<T> = T & { templateId: string };

const replaceDraftOf = change<OfTemplate<TemplateContent>, object>('template_replace_draft', (sql, param) =>
  sql('policy_template_drafts')
    .insert({
      company_id: param('companyId'),
      template_id: param('templateId'),
      name: param('name'),
      category: param('category'),
      locales: param('locales'),
      file_id: param('fileId'),
    })
    .onConflict(['company_id', 'template_id'])
    .merge({
      name: sql.raw('excluded.name'),
      category: sql.raw('excluded.category'),
      locales: sql.raw('excluded.locales'),
      file_id: sql.raw('excluded.file_id'),
      updated_at: sql.raw('now()'),
    }),
);

// A template that was never published shows its draft.
const showDraftOf = change<{ templateId: string }, object>('template_show_draft', (sql, param) =>
  sql.raw(
    `update policy_templates t set updated_at = now(),
            name = case when published_at is null then d.name else t.name end,
            category = case when published_at is null then d.category else t.category end,
            locales = case when published_at is null then d.locales else t.locales end,
            file_id = case when published_at is null then d.file_id else t.file_id end
       from policy_template_drafts d
      where t.company_id = ? and t.id = ? and d.company_id = t.company_id and d.template_id = t.id`,
    [param('companyId'), param('templateId')],
  ),
);

/** Makes the content the draft of a template. */
export async function saveDraft(tenant: TenantWriter, templateId: string, content: TemplateContent): Promise<void> {
  await tenant.run(replaceDraftOf, { templateId, ...content });
  await tenant.run(showDraftOf, { templateId });
}

const removeDraftOf = change<{ templateId: string }, object>('template_remove_draft', (sql, param) =>
  sql('policy_template_drafts')
    .where({ company_id: param('companyId'), template_id: param('templateId') })
    .delete(),
);

const dropFile = change<{ templateId: string; keepsFile: boolean }, object>('template_drop_file', (sql, param) =>
  sql('policy_templates')
    .where({ company_id: param('companyId'), id: param('templateId') })
    .update({
      file_id: sql.raw('case when ? then file_id end', [param('keepsFile')]),
      updated_at: sql.raw('now()'),
    }),
);

/** Drops the draft of a template, and its file with it unless a published version has it. */
export async function discardDraft(tenant: TenantWriter, templateId: string, keepsFile: boolean): Promise<void> {
  await tenant.run(removeDraftOf, { templateId });
  await tenant.run(dropFile, { templateId, keepsFile });
}

const goLive = change<OfTemplate<TemplateContent>, object>('template_go_live', (sql, param) =>
  sql('policy_templates')
    .where({ company_id: param('companyId'), id: param('templateId') })
    .update({
      name: param('name'),
      category: param('category'),
      locales: param('locales'),
      file_id: param('fileId'),
      published_at: sql.raw('now()'),
      updated_at: sql.raw('now()'),
    }),
);

/** Makes the content the published version of a template, in place of its draft. */
export async function publish(tenant: TenantWriter, templateId: string, content: TemplateContent): Promise<void> {
  await tenant.run(goLive, { templateId, ...content });
  await tenant.run(removeDraftOf, { templateId });
}
