import type { components } from '../../../generated/api-types.ts';
import type { Versioned } from '../policies/policy-rules.ts';
import type { TemplateContent, TemplateListRow, TemplateRow } from './template-repository.ts';
import { isEditable } from './template-rules.ts';

type Schemas = components['schemas'];

export function toPolicyTemplateListItem(row: TemplateListRow): Schemas['PolicyTemplateListItem'] {
  return {
    id: row.id,
    name: row.name,
    type: 'pdf',
    source: row.source,
    category: row.category,
    locales: row.locales,
    isEditable: isEditable(row.source, row.account_type),
    isLive: row.published_at !== null,
  };
}

export function toPolicyTemplate(row: TemplateRow): Schemas['PolicyTemplate'] {
  return {
    ...toPolicyTemplateListItem(row),
    pdfFile: row.file_id,
    fileName: row.file_name,
    pageCount: row.page_count,
    global: row.is_global,
    companies: row.companies,
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    draft: toPolicyTemplateDraft(row),
  };
}

function toPolicyTemplateDraft({ draft }: TemplateRow): Schemas['PolicyTemplateDraft'] | null {
  if (!draft) return null;
  return {
    name: draft.name,
    pdfFile: draft.file_id,
    fileName: draft.file_name,
    pageCount: draft.page_count,
    category: draft.category,
    locales: draft.locales,
    updatedAt: draft.updated_at,
  };
}

/** The template as the rules of drafts and versions see it. */
export function toVersioned(row: TemplateRow): Versioned<TemplateContent> {
  return { isLive: row.published_at !== null, content: toContent(row), draft: row.draft && toContent(row.draft) };
}

function toContent({
  name,
  category,
  locales,
  file_id,
}: Omit<TemplateRow, 'draft'> | NonNullable<TemplateRow['draft']>) {
  return { name, category, locales, fileId: file_id };
}

/** The fields of a body that belong to a version; those that are left out are left out here too. */
export function toChanges(body: {
  name?: string;
  category?: string | null;
  locales?: string[];
  pdfFile?: string;
}): Partial<TemplateContent> {
  const { name, category, locales, pdfFile: fileId } = body;
  return Object.fromEntries(
    Object.entries({ name, category, locales, fileId }).filter(([, value]) => value !== undefined),
  );
}
