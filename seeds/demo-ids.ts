import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';

const KINDS = { company: 1, key: 2, learner: 3, group: 4, course: 5, admin: 6 };

/** A UUIDv7 whose random part counts instead. */
export function fixedId(timeMs: number, kind: keyof typeof KINDS, number: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${KINDS[kind]}00-${number.toString(16).padStart(12, '0')}`;
}

export function companyOf(handle: string): DemoCompany {
  const company = DEMO_COMPANIES.find((candidate) => candidate.handle === handle);
  if (!company) throw new Error(`The demo has no company ${handle}`);
  return company;
}

export function companyId(company: DemoCompany): string {
  return fixedId(Date.parse(company.createdAt), 'company', DEMO_COMPANIES.indexOf(company));
}
