import type { components } from '../../../generated/api-types.ts';
import type { Versioned } from './policy-rules.ts';

type Policy = components['schemas']['Policy'];

const FIELDS = ['name', 'category', 'ownerName', 'ownerEmail', 'isPublic', 'pdfFile'] as const;

/** What a version of a policy says. */
export type PolicyContent = Pick<Policy, (typeof FIELDS)[number]>;

/** The fields of a version in a policy, a draft or a request. A field that a request leaves out is left out here too. */
export function contentOf<T extends Partial<PolicyContent>>(source: T): Pick<T, keyof T & keyof PolicyContent> {
  const given = FIELDS.filter((field) => source[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, source[field]])) as Pick<T, keyof T & keyof PolicyContent>;
}

/** The policy as the rules see it. */
export function toVersioned(policy: Policy): Versioned<PolicyContent> {
  return { isLive: policy.isLive, content: contentOf(policy), draft: policy.draft && contentOf(policy.draft) };
}
