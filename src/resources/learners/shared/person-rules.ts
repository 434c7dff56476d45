import type { Refusal } from '../../../contract/errors.ts';
import { withPlainSigns } from '../../../mail/link-signs.ts';

/** Which addresses the people of a company may have. */
export interface EmailPolicy {
  domain: string | null;
  domainLock: boolean;
}

/** The domain of an address, in lower case. */
export function getEmailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Why the address is outside of the domain that the company is locked to, or undefined. */
export function refuseForeignDomain(email: string, { domain, domainLock }: EmailPolicy): Refusal | undefined {
  if (!domainLock || getEmailDomain(email) === domain?.toLowerCase()) return undefined;
  const message = `The address must belong to the company's domain ${domain}.`;
  return { fields: ['email'], code: 'email_domain_not_allowed', message };
}

export interface PersonNames {
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** Whether a name looks like a web address. Names are printed in mails to people who do not expect links there. */
export function holdsWebAddress(name: string): boolean {
  return /:\/\/|www\./i.test(withPlainSigns(name));
}

/** Why a name is refused, or undefined. Names that are not given are fine. */
export function refuseNames({ firstName = '', lastName = '' }: PersonNames): Refusal | undefined {
  const fields = [
    ...(holdsWebAddress(firstName) ? ['firstName'] : []),
    ...(holdsWebAddress(lastName) ? ['lastName'] : []),
  ];
  if (fields.length === 0) return undefined;
  return { fields, code: 'invalid_request', message: `A name cannot hold a web address: ${fields.join(', ')}.` };
}
