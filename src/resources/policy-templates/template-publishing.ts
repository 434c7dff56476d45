import type { TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';
import type { Decision, Versioned } from '../documents/document-rules.ts';
import { type TemplateContent, templateKind } from './template-content.ts';
import { getTemplate, lockOwnTemplates, publishTemplate } from './template-repository.ts';

/** Locks an own template, lets the rules decide what becomes of it, and does that. @throws not_found, and what they throw */
export async function changeTemplate(
  tenant: TenantWriter,
  templateId: string,
  decide: (template: Versioned<TemplateContent>) => Decision<TemplateContent>,
): Promise<void> {
  await requireOwnTemplate(tenant, templateId);
  const decision = decide(templateKind.versioned(await getTemplate(tenant, templateId)));
  await templateKind.carryOut(tenant, templateId, decision, async (content) => {
    await tenant.run(publishTemplate, { templateId, ...content });
  });
}

/** Locks it. @throws not_found for a template of others as for one that does not exist */
export async function requireOwnTemplate(tenant: TenantWriter, templateId: string): Promise<void> {
  if (!(await lockOwnTemplates(tenant, [templateId])).has(templateId)) throw notFound('policy template');
}
