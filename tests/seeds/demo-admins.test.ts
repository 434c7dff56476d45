/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { DEMO_COMPANIES } from '../../seeds/demo-companies.ts';
import { refuseEmail } from '../../src/resources/learners/learner-rules.ts';
import { ask, END, holders } from './seeded.ts';

interface Admin {
  company: string;
  domain: string;
  company_date: Date;
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  locale: string | null;
  status: 'invited' | 'active';
  invited_at: Date | null;
  setup_token_hash: Buffer | null;
  created_at: Date;
}

let admins: Admin[];
let byCompany: [string, Admin[]][];

beforeAll(async () => {
  admins = (await testService.query(`
    select admins.*, name as company, domain, companies.created_at as company_date
      from admins join companies on companies.id = company_id order by admins.id`)) as unknown as Admin[];
  byCompany = Object.entries(Object.groupBy(admins, ({ company }) => company)) as [string, Admin[]][];
});

const isActive = ({ status }: Admin) => status === 'active';

test('every company has two or three admins, at least one of them active', async () => {
  expect(byCompany).toHaveLength((await testService.query('select id from companies')).length);
  for (const [company, own] of byCompany) {
    const between = own.length >= 2 && own.length <= 3;
    expect({ company, between, active: own.some(isActive) }).toEqual({ company, between: true, active: true });
  }
});

test('some admins are still invited, and no admin has a setup link', () => {
  const invited = admins.filter((admin) => !isActive(admin));
  expect(invited.length).toBeGreaterThanOrEqual(3);
  expect(invited.length).toBeLessThan(admins.length / 2);
  expect(admins.filter(({ setup_token_hash }) => setup_token_hash !== null)).toEqual([]);
  expect(invited.filter(({ invited_at }) => invited_at === null)).toEqual([]);
});

test('an admin has a unique address in the domain of the company, which no learner has', async () => {
  for (const { email, domain } of admins) {
    expect(email).toMatch(/^[a-z-]+\.[a-z-]+@/);
    const refusal = refuseEmail(email, { domain, domainLock: true, freeMail: new Set() });
    expect({ email, refusal }).toEqual({ email, refusal: undefined });
  }
  expect(new Set(admins.map(({ email }) => email)).size).toBe(admins.length);
  const learners = await testService.query('select email from learners where email = any($1)', [
    admins.map(({ email }) => email),
  ]);
  expect(learners).toEqual([]);
});

test('an admin has a language of the company', () => {
  for (const { company, locale } of admins) {
    if (locale === null) continue;
    const { languages } = DEMO_COMPANIES.find(({ name }) => name === company)!;
    expect({ company, languages }).toEqual({ company, languages: expect.arrayContaining([locale.slice(0, 2)]) });
  }
  expect(new Set(admins.map(({ locale }) => locale)).size).toBeGreaterThan(4);
});

test('the dates of an admin are in order, after the company and not in the future', () => {
  for (const { company, company_date, created_at, invited_at } of admins) {
    const dates = [company_date, created_at, invited_at ?? created_at, new Date(END)];
    expect({ company, dates }).toEqual({ company, dates: dates.toSorted((a, b) => a.getTime() - b.getTime()) });
  }
});

test.each(holders)('the key of %s lists the admins of its company', async (holder) => {
  const [company, listed] = await Promise.all([ask(holder, '/company'), ask(holder, '/admins')]);
  const own = admins.filter((admin) => admin.company === company.name);
  expect(listed).toEqual(own.map(({ id, email, status }) => expect.objectContaining({ id, email, status })));
});
