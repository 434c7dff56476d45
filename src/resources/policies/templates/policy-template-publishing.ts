import type { TenantWriter } from '../../../db/tenant.ts';
import { notFound } from '../../../contract/errors.ts';
import type { Decision, Versioned } from '../versioning/document-rules.ts';
import { type TemplateContent, templateKind } from './policy-template-content.ts';
import { getTemplate, lockOwnTemplates, publishTemplate } from './policy-template-repository.ts';

/**
 * Locks a template of the company, lets the rules decide about a change, and carries out the decision.
 * @throws not_found, and the errors of the rules
 */
export async function changeTemplate(
  tenant: TenantWriter,
  templateId: string,
  decide: (template: Versioned<TemplateContent>) => Decision<TemplateContent>,
): Promise<void> {
  await requireOwnTemplate(tenant, templateId);
  const decision = decide(templateKind.versioned(await getTemplate(tenant, templateId)));
  await templateKind.carryOut(tenant, templateId, decision, async (content) => {
    await tenant.mutate(publishTemplate, { templateId, ...content });
  });
}

/** Locks a template of the company. @throws not_found, also for a template of another company */
export async function requireOwnTemplate(tenant: TenantWriter, templateId: string): Promise<void> {
  if (!(await lockOwnTemplates(tenant, [templateId])).has(templateId)) throw notFound('policy template');
}
