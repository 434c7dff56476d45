import { companyId, companyOf, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';

/** Builds the row of the domain whose people receive the tenant's simulations. */
export function simulationDomainRow() {
  const company = companyOf('tenant');
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 0)),
    domain: company.domain,
    challenge: '3f'.repeat(16),
    created_at: CREATED_AT,
  };
}

/** Builds an exclusion of past days, so that the demo can send simulations on every day. */
export function simulationExclusionRow(): object {
  const company = companyOf('tenant');
  return {
    company_id: companyId(company),
    id: fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 1)),
    from_date: '2025-12-24',
    to_date: '2026-01-01',
    note: 'Nobody is here',
    created_at: CREATED_AT,
  };
}
