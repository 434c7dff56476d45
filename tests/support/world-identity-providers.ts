import { companies, type CompanyName, id } from './world.ts';

/** Returns the id of an identity provider that is switched off. */
export function identityProviderId(company: CompanyName): string {
  return id('3', 0x4000 + Object.keys(companies).indexOf(company));
}

/** Builds the identity provider of a company. */
export function identityProviderRow(company: CompanyName): object {
  return {
    ...{ company_id: companies[company], id: identityProviderId(company), name: 'Own provider', protocol: 'oidc' },
    ...{ issuer: `https://login.${company.toLowerCase()}.test/`, client_id: 'awareness' },
    claims: JSON.stringify({ email: 'email', firstName: 'given_name', lastName: 'family_name', groups: 'groups' }),
    ...{ roles: '[]', creates_learners: false },
  };
}
