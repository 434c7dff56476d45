import type { Refusal } from '../../../contract/errors.ts';
import { withPlainSigns } from '../../../mail/messages/link-signs.ts';

/** Rules for the e-mail addresses of a company's learners and admins. */
export interface EmailPolicy {
  domain: string | null;
  domainLock: boolean;
}

/** Returns the domain of an e-mail address, in lower case. */
export function getEmailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Returns the refusal of an e-mail address outside the domain that the company is locked to, if any. */
export function refuseForeignDomain(email: string, { domain, domainLock }: EmailPolicy): Refusal | undefined {
  if (!domainLock || getEmailDomain(email) === domain?.toLowerCase()) return undefined;
  const message = `The e-mail address must be at the company's domain ${domain}.`;
  return { fields: ['email'], code: 'email_domain_not_allowed', message };
}

export interface PersonNames {
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** Reports whether a name looks like a URL. Names appear in emails, where readers do not expect links in them. */
export function holdsWebAddress(name: string): boolean {
  return /:\/\/|www\./i.test(withPlainSigns(name));
}

/** Returns the refusal of a person's names, if any. Missing names are accepted. */
export function refuseNames({ firstName = '', lastName = '' }: PersonNames): Refusal | undefined {
  const fields = [
    ...(holdsWebAddress(firstName) ? ['firstName'] : []),
    ...(holdsWebAddress(lastName) ? ['lastName'] : []),
  ];
  if (fields.length === 0) return undefined;
  return {
    fields,
    code: 'invalid_request',
    message: `A name must not contain a web address: \`${fields.join('`, `')}\`.`,
  };
}
