import type { Handler } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { toLanguage } from '../../../contract/languages.ts';
import { renderPhishingEmail } from '../sending/render-phishing-email.ts';
import { markEmail } from './marked-email.ts';
import { localeFor } from './simulation-template-content.ts';
import * as repository from './simulation-template-repository.ts';
import { requireOwn, requireUnplanned, storedContent, textsIn } from './simulation-template-rules.ts';

export const listSimulationTemplates: Handler<'listSimulationTemplates'> = (query, tenant) => {
  const { deliveryMethod = null, difficulty = null, locale = null, includeRetired = false } = query;
  return tenant.stream(repository.listTemplates, { deliveryMethod, difficulty, locale, includeRetired });
};

export const getSimulationTemplate: Handler<'getSimulationTemplate'> = ({ simulationTemplateId }, tenant) => {
  return repository.getTemplate(tenant, simulationTemplateId);
};

export const createSimulationTemplate: Handler<'createSimulationTemplate'> = ({ body }, tenant) => {
  const { content: given, ...facts } = body;
  const content = storedContent(facts.deliveryMethod, given);
  return tenant.transaction(async (tx) => {
    return repository.getTemplate(tx, await repository.insertTemplate(tx, facts, content));
  });
};

export const updateSimulationTemplate: Handler<'updateSimulationTemplate'> = (input, tenant, caller) => {
  const { simulationTemplateId: templateId } = input;
  const { content, retired, ...facts } = input.body;
  return tenant.transaction(async (tx) => {
    const { deliveryMethod } = await lockOwn(tx, templateId);
    if (content) requireUnplanned(await repository.findUse(tx, templateId), caller);
    const stored = content && storedContent(deliveryMethod, content);
    await repository.changeTemplate(tx, templateId, { ...facts, content: stored });
    if (retired !== undefined) {
      await tx.mutate(retired ? repository.retireTemplate : repository.takeBackTemplate, { templateId });
    }
    return repository.getTemplate(tx, templateId);
  });
};

export const deleteSimulationTemplate: Handler<'deleteSimulationTemplate'> = (input, tenant) => {
  const { simulationTemplateId: templateId } = input;
  return tenant.transaction(async (tx) => {
    await lockOwn(tx, templateId);
    const { isNamed } = await repository.findUse(tx, templateId);
    await tx.mutate(isNamed ? repository.retireTemplate : repository.removeTemplate, { templateId });
    return { id: templateId, retiredAt: isNamed ? (await repository.getTemplate(tx, templateId)).retiredAt : null };
  });
};

/** Link in previews, with a reserved domain that nobody can own. */
const LINK = 'https://link.example/';
const QR_CODE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"%3E%3Cpath d="M1 1h3v3H1zM5 1h3v3H5zM1 5h3v3H1zM5 5h1v1H5zM7 7h1v1H7z"/%3E%3C/svg%3E';

export const previewSimulationTemplate: Handler<'previewSimulationTemplate'> = async (input, tenant) => {
  const { locales, content } = await repository.getTemplate(tenant, input.simulationTemplateId);
  const { locale: spoken, ...reader } = await repository.getReader(tenant, input.learnerId);
  const { locale, ...texts } = textsIn(content, input.locale ?? localeFor(locales, spoken));
  const rendered = renderPhishingEmail(texts, { ...reader, language: toLanguage(locale), link: LINK, qrCode: QR_CODE });
  const { senderName, senderMailbox } = texts;
  return { locale, senderName, senderMailbox, ...rendered };
};

/** Sample person and sender domain in previews. The names exist in each language, and nobody can own the domain. */
const SAMPLE = { firstName: 'Alex', lastName: 'Martin', sender: 'sender.example' };

export const getSimulationTemplatePicture: Handler<'getSimulationTemplatePicture'> = async (input, tenant) => {
  const { locales, content } = await repository.getTemplate(tenant, input.simulationTemplateId);
  const { locale, ...texts } = textsIn(content, input.locale ?? localeFor(locales, null));
  const { companyName } = await repository.getCompanyName(tenant);
  return { locale, ...markEmail(texts, { ...SAMPLE, companyName }, SAMPLE.sender), lesson: texts.lesson };
};

/** Locks a template against other changes. @throws not_found, or forbidden for a template of the managed catalogue */
async function lockOwn(tx: TenantWriter, templateId: string) {
  await repository.lockTemplate(tx, templateId);
  const template = await repository.getTemplate(tx, templateId);
  requireOwn(template);
  return template;
}
