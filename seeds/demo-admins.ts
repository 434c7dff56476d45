import type { BuiltInRole } from '../src/auth/roles.ts';
import type { DemoCompany } from './demo-companies.ts';
import { companyId, fixedId } from './demo-ids.ts';
import { plainLetters } from './demo-people.ts';

interface DemoAdmin {
  firstName: string;
  lastName: string;
  locale?: string;
  /** The creation time; omitted for the first admin, who was created with the company and not invited. */
  createdAt?: string;
  /** Time at which the last invitation was sent; omitted if it was sent when the admin was created. */
  invitedAt?: string;
  /** True for an admin who has not finished the setup. */
  invited?: boolean;
  /** Omitted for an owner. */
  role?: BuiltInRole;
}

const DEMO_ADMINS: Record<string, DemoAdmin[]> = {
  distributor: [
    { firstName: 'Annika', lastName: 'Petersen', locale: 'de' },
    { firstName: 'Henrik', lastName: 'Voß', locale: 'de', createdAt: '2025-03-11T08:40:00.000Z' },
    {
      firstName: 'Rachel',
      lastName: 'Whitmore',
      locale: 'en-GB',
      createdAt: '2026-11-12T13:05:00.000Z',
      invited: true,
    },
  ],
  msp: [
    { firstName: 'Marcus', lastName: 'Oyelaran', locale: 'en' },
    { firstName: 'Fiona', lastName: 'Strachan', locale: 'en-GB', createdAt: '2024-02-14T11:20:00.000Z' },
    { firstName: 'Dilip', lastName: 'Menon', createdAt: '2025-08-27T09:15:00.000Z' },
  ],
  tenant: [
    { firstName: 'Katherine', lastName: 'Sewell', locale: 'en' },
    { firstName: 'Matthias', lastName: 'Brückner', locale: 'de', createdAt: '2024-02-12T07:55:00.000Z' },
    {
      firstName: 'Élise',
      lastName: 'Marchand',
      locale: 'fr',
      createdAt: '2026-10-29T09:30:00.000Z',
      invitedAt: '2026-11-13T10:10:00.000Z',
      role: 'auditor',
      invited: true,
    },
  ],
  otherTenant: [
    { firstName: 'Orla', lastName: "O'Leary", locale: 'en-IE' },
    { firstName: 'Padraig', lastName: 'Nolan', locale: 'en', createdAt: '2026-11-16T15:25:00.000Z', invited: true },
  ],
  dental: [
    { firstName: 'Gillian', lastName: 'Marsh', locale: 'en' },
    { firstName: 'Tobias', lastName: 'Hale', createdAt: '2025-01-22T12:00:00.000Z' },
  ],
  logistics: [
    { firstName: 'Ingrid', lastName: 'Sørlie', locale: 'de' },
    { firstName: 'Carsten', lastName: 'Möhring', locale: 'de', createdAt: '2026-09-08T06:45:00.000Z', invited: true },
  ],
  atelier: [
    { firstName: 'Clémence', lastName: 'Beaumont', locale: 'fr' },
    { firstName: 'Luc', lastName: 'Tessier', locale: 'fr', createdAt: '2024-09-19T08:10:00.000Z' },
    {
      firstName: 'Bérénice',
      lastName: 'Caron',
      locale: 'fr-BE',
      createdAt: '2026-11-17T14:35:00.000Z',
      invited: true,
    },
  ],
  prospect: [
    { firstName: 'Hugh', lastName: 'Penrose', locale: 'en' },
    { firstName: 'Sunita', lastName: 'Rao', locale: 'en', createdAt: '2026-10-28T10:50:00.000Z', invited: true },
  ],
};

/** Builds a role that a company has created but not given to any admin. */
export function roleRow(company: DemoCompany): object {
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(company.createdAt), 'admin', 0x100),
    name: 'Human resources',
    description: 'Keeps the learners and their groups up to date.',
    scopes: ['groups:read', 'groups:write', 'learners:read', 'learners:write'],
    created_at: company.createdAt,
  };
}

/**
 * Builds an identity provider that was tested and is switched off, so that people in the demo sign in with mailed
 * links.
 */
export function identityProviderRow(company: DemoCompany): object {
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(company.createdAt), 'admin', 0x200),
    name: 'Acme Entra ID',
    protocol: 'oidc',
    issuer: `https://login.${company.domain}/`,
    client_id: 'awareness',
    claims: JSON.stringify({ email: 'email', firstName: 'given_name', lastName: 'family_name', groups: 'groups' }),
    roles: '[]',
    creates_learners: false,
    tested_at: '2026-03-02T08:30:00.000Z',
    created_at: company.createdAt,
  };
}

/** Builds the admins of a company. An invited admin has no setup link until the invitation is sent again. */
export function adminRows(company: DemoCompany): object[] {
  return DEMO_ADMINS[company.handle]!.map(({ createdAt, ...admin }, index) => {
    const created_at = createdAt ?? company.createdAt;
    return {
      company_id: companyId(company),
      id: fixedId(Date.parse(created_at), 'admin', index),
      email: `${plainLetters(admin.firstName)}.${plainLetters(admin.lastName)}@${company.domain}`,
      first_name: admin.firstName,
      last_name: admin.lastName,
      locale: admin.locale ?? null,
      role: admin.role ?? 'owner',
      status: admin.invited ? 'invited' : 'active',
      invited_at: admin.invitedAt ?? createdAt ?? null,
      created_at,
    };
  });
}
