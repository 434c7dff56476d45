import { hash } from 'node:crypto';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';

const KINDS = {
  safeguard: 0,
  company: 1,
  key: 2,
  learner: 3,
  group: 4,
  course: 5,
  admin: 6,
  policy: 7,
  version: 8,
  result: 9,
  template: 10,
  simulation: 11,
  recipient: 12,
  source: 13,
  endpoint: 14,
  connection: 15,
};

/** The owner of courses and templates that the service itself offers, in place of a company. */
export const MANAGED_CATALOGUE = '00000000-0000-0000-0000-000000000000';

/** Builds a UUIDv7 with a kind and a number in place of the random part. */
export function fixedId(timeMs: number, kind: keyof typeof KINDS, number: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${KINDS[kind].toString(16)}00-${number.toString(16).padStart(12, '0')}`;
}

/** Builds a number with the company in its upper digits, for ids of objects that companies create at the same time. */
export function numberIn(company: DemoCompany, index: number): number {
  return DEMO_COMPANIES.indexOf(company) * 0x10000 + index;
}

/** Derives a UUIDv4 from a string. */
export function fixedReference(text: string): string {
  const digits = hash('sha256', text, 'hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export function findCompany(handle: string): DemoCompany {
  const company = DEMO_COMPANIES.find((candidate) => candidate.handle === handle);
  if (!company) throw new Error(`The demo has no company ${handle}`);
  return company;
}

export function companyId(company: DemoCompany): string {
  return fixedId(Date.parse(company.createdAt), 'company', DEMO_COMPANIES.indexOf(company));
}
