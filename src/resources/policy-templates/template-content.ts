import type { components } from '../../../generated/api-types.ts';
import type { Versioned } from '../policies/policy-rules.ts';

type PolicyTemplate = components['schemas']['PolicyTemplate'];

const FIELDS = ['name', 'category', 'locales', 'pdfFile'] as const;

/** What a version of a template says. */
export type TemplateContent = Pick<PolicyTemplate, (typeof FIELDS)[number]>;

/** The fields of a version in a template, a draft or a request. A field that a request leaves out is left out here too. */
export function contentOf<T extends Partial<TemplateContent>>(source: T): Pick<T, keyof T & keyof TemplateContent> {
  const given = FIELDS.filter((field) => source[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, source[field]])) as Pick<T, keyof T & keyof TemplateContent>;
}

/** The template as the rules see it. */
export function toVersioned(template: PolicyTemplate): Versioned<TemplateContent> {
  return { isLive: template.isLive, content: contentOf(template), draft: template.draft && contentOf(template.draft) };
}
