import type { TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';
import type { Decision, Versioned } from '../policies/policy-rules.ts';
import { type TemplateContent, toVersioned } from './template-content.ts';
import { getTemplate, lockOwnTemplates } from './template-repository.ts';
import { discardDraft, publish, saveDraft } from './template-version-repository.ts';

/** Locks an own template, lets the rules decide what becomes of it, and does that. @throws not_found, and what they throw */
export async function changeTemplate(
  tenant: TenantWriter,
  templateId: string,
  decide: (template: Versioned<TemplateContent>) => Decision<TemplateContent>,
): Promise<void> {
  await requireOwnTemplate(tenant, templateId);
  const decision = decide(toVersioned(await getTemplate(tenant, templateId)));
  switch (decision.step) {
    case 'save_draft':
      return saveDraft(tenant, templateId, decision.content);
    case 'publish':
      return publish(tenant, templateId, decision.content);
    case 'discard':
      return discardDraft(tenant, templateId, decision.keepsFile);
    case 'nothing':
  }
}

/** Locks it. @throws not_found for a template of others as for one that does not exist */
export async function requireOwnTemplate(tenant: TenantWriter, templateId: string): Promise<void> {
  if (!(await lockOwnTemplates(tenant, [templateId])).has(templateId)) throw notFound('policy template');
}
