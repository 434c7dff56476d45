import type { Refusal } from '../../errors.ts';
import { withPlainSigns } from '../../mail/link-signs.ts';

/** Which addresses a company's people may have. */
export interface EmailPolicy {
  domain: string | null;
  domainLock: boolean;
}

/** In lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Why an address is not of the domain that the company is locked to, or undefined when it is or there is no lock. */
export function refuseForeignDomain(email: string, { domain, domainLock }: EmailPolicy): Refusal | undefined {
  if (!domainLock || domainOf(email) === domain?.toLowerCase()) return undefined;
  const message = `The address must belong to the company's domain ${domain}.`;
  return { fields: ['email'], code: 'email_domain_not_allowed', message };
}

export interface PersonNames {
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** Whether a name is plainly a web address: names stand in mails to people who never chose them. */
export function holdsWebAddress(name: string): boolean {
  return /:\/\/|www\./i.test(withPlainSigns(name));
}

/** Why a person may not be called so, or undefined. A name that is not given is not judged. */
export function refuseNames({ firstName = '', lastName = '' }: PersonNames): Refusal | undefined {
  const fields = [
    ...(holdsWebAddress(firstName) ? ['firstName'] : []),
    ...(holdsWebAddress(lastName) ? ['lastName'] : []),
  ];
  if (fields.length === 0) return undefined;
  return { fields, code: 'invalid_request', message: `A name cannot hold a web address: ${fields.join(', ')}.` };
}
