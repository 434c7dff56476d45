import type { AccountType } from '../../../auth/caller.ts';
import type { Handler } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { languageTags } from '../../../contract/languages.ts';
import { decideChange, decideDiscard, decidePublication } from '../versioning/document-rules.ts';
import { requireFile } from '../versioning/file-repository.ts';
import { type TemplateContent, templateKind } from './policy-template-content.ts';
import { changeTemplate, requireOwnTemplate } from './policy-template-publishing.ts';
import * as repository from './policy-template-repository.ts';
import { decideSharing, judgeSharing, type Sharing } from './policy-template-rules.ts';

export const listPolicyTemplates: Handler<'listPolicyTemplates'> = (query, tenant) => {
  const { restrictToOwn = false, publishedOnly = false } = query;
  return tenant.stream(repository.listTemplates, { restrictToOwn, publishedOnly });
};

export const getPolicyTemplate: Handler<'getPolicyTemplate'> = ({ policyTemplateId }, tenant) => {
  return repository.getTemplate(tenant, policyTemplateId);
};

export const createPolicyTemplate: Handler<'createPolicyTemplate'> = ({ body }, tenant, { accountType }) => {
  return tenant.transaction(async (tx) => {
    await requireSharing(tx, body, accountType);
    await requireFile(tx, body.pdfFile);
    const { name, category = null, locales = [], pdfFile, action } = body;
    const content = { name, category, locales: languageTags(locales), pdfFile };
    const templateId = await repository.insertTemplate(tx, content);
    await changeTemplate(tx, templateId, (template) => decideChange(template, content, action));
    const sharing = decideSharing(body);
    if (sharing) await tx.mutate(repository.shareTemplate, { templateId, ...sharing });
    return repository.getTemplate(tx, templateId);
  });
};

export const updatePolicyTemplate: Handler<'updatePolicyTemplate'> = (input, tenant, { accountType }) => {
  const { policyTemplateId, body } = input;
  return tenant.transaction(async (tx) => {
    await requireOwnTemplate(tx, policyTemplateId);
    await requireSharing(tx, body, accountType);
    if (body.pdfFile !== undefined) await requireFile(tx, body.pdfFile);
    const given = templateKind.pickContent({ ...body, locales: body.locales && languageTags(body.locales) });
    const decide = decideChange<TemplateContent>;
    await changeTemplate(tx, policyTemplateId, (template) => decide(template, given, body.action));
    const sharing = decideSharing(body);
    if (sharing) await tx.mutate(repository.shareTemplate, { templateId: policyTemplateId, ...sharing });
    return repository.getTemplate(tx, policyTemplateId);
  });
};

export const publishPolicyTemplateDraft: Handler<'publishPolicyTemplateDraft'> = ({ policyTemplateId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await changeTemplate(tx, policyTemplateId, decidePublication);
    return repository.getTemplate(tx, policyTemplateId);
  });
};

export const discardPolicyTemplateDraft: Handler<'discardPolicyTemplateDraft'> = ({ policyTemplateId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await changeTemplate(tx, policyTemplateId, decideDiscard);
    return repository.getTemplate(tx, policyTemplateId);
  });
};

export const deletePolicyTemplates: Handler<'deletePolicyTemplates'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const own = await repository.lockOwnTemplates(tx, body.policyTemplateIds);
    const deletedIds = body.policyTemplateIds.filter((templateId) => own.has(templateId));
    await tx.mutate(repository.removeTemplates, { templateIds: deletedIds });
    return { deletedIds, skippedIds: body.policyTemplateIds.filter((templateId) => !own.has(templateId)) };
  });
};

async function requireSharing(tenant: TenantWriter, sharing: Sharing, accountType: AccountType): Promise<void> {
  judgeSharing(sharing, accountType, await repository.findManagedIds(tenant, sharing.companies ?? []));
}
