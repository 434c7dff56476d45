import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { CompanyAddresses } from './schedule-rules.ts';

const people = query<{ addresses: string[] }, { address: string }>(
  'board_known_people',
  (p) => sql`
    select l.email_key as address from learners l
     where l.company_id = ${p.companyId} and l.email_key = any(${p.addresses}::text[]) and not l.inactive
    union
    select lower(a.email) from admins a
     where a.company_id = ${p.companyId} and a.status = 'active' and lower(a.email) = any(${p.addresses}::text[])`,
);

const domains = query<object, { domain: string; isOfAdmin: boolean }>(
  'board_known_domains',
  (p) => sql`
    select lower(k.domain) as domain, false as "isOfAdmin" from companies k
     where k.id = ${p.companyId} and k.domain is not null
    union
    select lower(d.domain), false from companies k cross join unnest(k.smbreachprodomains) as d (domain)
     where k.id = ${p.companyId}
    union
    select s.domain, false from simulation_domains s where s.company_id = ${p.companyId} and s.proved_at is not null
    union
    select lower(split_part(a.email, '@', 2)), true from admins a
     where a.company_id = ${p.companyId} and a.status = 'active'`,
);

/** Finds the people and domains that decide which e-mail addresses are allowed (`isAllowedAddress`). */
export async function findCompanyAddresses(
  tenant: TenantReader,
  addresses: readonly string[],
  freeMail: ReadonlySet<string>,
): Promise<CompanyAddresses> {
  const known = await tenant.queryAll(people, { addresses: addresses.map((address) => address.toLowerCase()) });
  const found = await tenant.queryAll(domains, {});
  const domainsOf = (ofAdmin: boolean) =>
    new Set(found.flatMap(({ domain, isOfAdmin }) => (isOfAdmin === ofAdmin ? [domain] : [])));
  return {
    people: new Set(known.map(({ address }) => address)),
    domains: domainsOf(false),
    adminDomains: domainsOf(true),
    freeMail,
  };
}
