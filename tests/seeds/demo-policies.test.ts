/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { expectError, send } from '../support/client.ts';
import { MANAGED_CATALOGUE } from '../support/world.ts';
import { ask, END } from './seeded.ts';

/** Fields of a policy that the tests use. */
interface Policy {
  id: string;
  name: string;
  isLive: boolean;
  inDraft: boolean;
  isPublic: boolean;
  majorVersion: number;
  minorVersion: number;
  ownerName: string | null;
  ownerEmail: string | null;
  pdfFile: string | null;
  fileName: string | null;
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
  signatureSettings: { type: string; useDefault: boolean; setDefault: boolean } | null;
  draft: { name: string; pdfFile: string; updatedAt: string } | null;
  assignedCount: number;
  signedCount: number;
}
interface Template {
  id: string;
  name: string;
  source: string;
  locales: string[];
  isLive: boolean;
}

/** Policies of every company with the module, by company name. */
let policies: Record<string, Policy[]>;
let acme: Policy[];
let childIds: Record<string, string>;

const reading = { tenant: '', msp: '', distributor: '', prospect: '' };
const byName = (name: string) => acme.find((policy) => policy.name === name)!;

beforeAll(async () => {
  const children = (await ask('distributor', '/companies')) as { id: string; name: string; accountType: string }[];
  childIds = Object.fromEntries(children.map(({ id, name }) => [name, id]));
  policies = {};
  for (const holder of Object.keys(reading) as (keyof typeof reading)[]) {
    policies[(await ask(holder, '/company')).name] = await policiesOf(holder);
  }
  for (const [name, id] of Object.entries(childIds)) policies[name] ??= await policiesOf('distributor', id);
  acme = policies['Acme Industries']!;
});

async function policiesOf(holder: keyof typeof demoKeys, companyId?: string): Promise<Policy[]> {
  const query = companyId === undefined ? '' : `?companyId=${companyId}`;
  const listed = (await ask(holder, `/policies${query}`)) as { id: string }[];
  return Promise.all(listed.map(({ id }) => ask(holder, `/policies/${id}${query}`) as Promise<Policy>));
}

async function templatesOf(holder: keyof typeof demoKeys, companyId?: string): Promise<Template[]> {
  return ask(holder, `/policy-templates${companyId === undefined ? '' : `?companyId=${companyId}`}`);
}

const namesFrom = (source: string, templates: Template[]) =>
  templates.filter((template) => template.source === source).map(({ name }) => name);

describe('the policies of the large tenant', () => {
  test('are in every state: live, live with a draft, only a draft, and without content', () => {
    const inState = (isLive: boolean, inDraft: boolean) =>
      acme.filter((policy) => policy.isLive === isLive && policy.inDraft === inDraft);
    expect(inState(true, false).length).toBeGreaterThanOrEqual(7);
    expect(inState(true, true)).toMatchObject([
      { name: 'Remote work', majorVersion: 1, minorVersion: 1, draft: { name: 'Remote and mobile work' } },
    ]);
    expect(inState(true, true)[0]!.draft!.pdfFile).not.toBe(inState(true, true)[0]!.pdfFile);
    const [draft, ...more] = inState(false, true);
    expect({ draft, more }).toMatchObject({ draft: { publishedAt: null, assignedCount: 0 }, more: [] });
    expect(draft!.pdfFile).toBe(draft!.draft!.pdfFile);
    expect(inState(false, false)).toMatchObject([{ pdfFile: null, fileName: null, draft: null, publishedAt: null }]);
  });

  test('have different versions, with a row and a file for each published version', async () => {
    const number = ({ majorVersion, minorVersion }: Policy) => `${majorVersion}.${minorVersion}`;
    const live = acme.filter(({ isLive }) => isLive);
    expect(new Set(live.map(number))).toEqual(new Set(['1.0', '1.1', '2.1']));
    const versions = await testService.query(
      `select v.policy_id, v.major_version || '.' || v.minor_version as number, v.file_id, v.published_at,
              v.id = p.live_version_id as is_live
         from policy_versions v join policies p on p.company_id = v.company_id and p.id = v.policy_id
        order by v.published_at`,
    );
    for (const policy of acme) {
      const own = versions.filter(({ policy_id }) => policy_id === policy.id);
      const files = new Set(own.map(({ file_id }) => file_id));
      expect({ name: policy.name, files: files.size }).toEqual({ name: policy.name, files: own.length });
      if (!policy.isLive) expect(own).toEqual([]);
      else expect(own.at(-1)).toMatchObject({ number: number(policy), file_id: policy.pdfFile, is_live: true });
      expect(own.filter(({ is_live }) => is_live)).toHaveLength(policy.isLive ? 1 : 0);
    }
    const ofAcceptableUse = versions.filter(({ policy_id }) => policy_id === byName('Acceptable use').id);
    expect(ofAcceptableUse.map((version) => version.number)).toEqual(['1.0', '1.1', '2.0', '2.1']);
  });

  test('have signature settings of every type, of the default and of none', async () => {
    const types = acme.map(({ signatureSettings }) => signatureSettings?.type ?? null);
    expect(new Set(types)).toEqual(new Set(['fixed', 'lastSignature', 'newUsers', 'none', null]));
    const [standard, ...others] = acme.filter(({ signatureSettings }) => signatureSettings?.setDefault);
    expect(others).toEqual([]);
    expect(acme.some(({ signatureSettings }) => signatureSettings?.useDefault)).toBe(true);
    const defaults = await testService.query(
      `select d.type, d.interval_length, d.interval_unit
         from signature_defaults d join companies c on c.id = d.company_id where c.name = 'Acme Industries'`,
    );
    expect(defaults).toEqual([
      { type: standard!.signatureSettings!.type, interval_length: 12, interval_unit: 'months' },
    ]);
  });

  test('include one public policy without assignments, and one file without a name', () => {
    expect(acme.filter(({ isPublic }) => isPublic)).toMatchObject([{ isLive: true, assignedCount: 0 }]);
    expect(acme.filter(({ pdfFile, fileName }) => pdfFile && !fileName)).toHaveLength(1);
  });
});

describe('policies', () => {
  test('are one or two, live and signed, at each other company with the module', async () => {
    const seeded = await testService.query('select name, smpolicy from companies');
    const withModule = seeded.filter(({ smpolicy }) => smpolicy).map(({ name }) => name);
    expect(Object.keys(policies).toSorted()).toEqual(withModule.toSorted());
    expect(seeded.filter(({ smpolicy }) => !smpolicy)).toHaveLength(1);
    for (const [company, own] of Object.entries(policies)) {
      if (company === 'Acme Industries') continue;
      const live = own.filter(({ isLive, signedCount }) => isLive && signedCount > 0).length;
      expect({ company, few: own.length >= 1 && own.length <= 2, live }).toEqual({
        company,
        few: true,
        live: own.length,
      });
    }
    const headers = { authorization: `Bearer ${demoKeys.otherTenant}` };
    expectError(await send('GET', '/policies', { headers }), 403, 'module_not_enabled');
    const foreign = await testService.query(
      `select p.id from policies p join companies c on c.id = p.company_id where not c.smpolicy`,
    );
    expect(foreign).toEqual([]);
  });

  test('have an admin of the company as the owner, or no owner', async () => {
    const admins = await testService.query(
      `select c.name as company, first_name || ' ' || last_name as name, email
         from admins join companies c on c.id = company_id`,
    );
    const all = Object.entries(policies).flatMap(([company, own]) => own.map((policy) => ({ company, ...policy })));
    const owned = all.filter(({ ownerName }) => ownerName !== null);
    for (const { company, ownerName: name, ownerEmail: email } of owned)
      expect(admins).toContainEqual({ company, name, email });
    expect(all.filter(({ ownerName, ownerEmail }) => ownerName === null && ownerEmail === null).length).toBeGreaterThan(
      2,
    );
    expect(owned.length).toBeGreaterThan(10);
  });

  test('have dates in order, on working days, after the company and not in the future', async () => {
    const companies = await testService.query('select name, created_at from companies');
    for (const [company, own] of Object.entries(policies)) {
      const founded = (companies.find(({ name }) => name === company)!.created_at as Date).toISOString();
      for (const { name, createdAt, publishedAt, updatedAt, draft } of own) {
        const dates = [founded, createdAt, publishedAt ?? createdAt, draft?.updatedAt ?? publishedAt ?? createdAt];
        dates.push(updatedAt, END);
        expect({ name, dates }).toEqual({ name, dates: dates.toSorted() });
        for (const date of [createdAt, publishedAt ?? createdAt, updatedAt]) {
          expect([1, 2, 3, 4, 5]).toContain(new Date(date).getUTCDay());
        }
      }
    }
  });
});

describe('the templates', () => {
  test('of the catalogue are published in English, German, French and all three, for every company', async () => {
    const managed = (await templatesOf('tenant')).filter(({ source }) => source === 'managed');
    expect(managed.length).toBeGreaterThanOrEqual(13);
    expect(managed.filter(({ isLive }) => !isLive)).toEqual([]);
    const locales = managed.map((template) => template.locales.join(' '));
    expect(new Set(locales)).toEqual(new Set(['en', 'de', 'fr', 'en de fr']));
    for (const holder of ['msp', 'distributor', 'prospect'] as const) {
      const seen = (await templatesOf(holder)).filter(({ source }) => source === 'managed');
      expect(seen.map(({ id }) => id)).toEqual(managed.map(({ id }) => id));
    }
  });

  test('of the MSP and the distributor are global, limited to one child, and a draft', async () => {
    const own = (await templatesOf('msp')).filter(({ source }) => source === 'own');
    expect(own.length).toBe(3);
    const details = await Promise.all(own.map(({ id }) => ask('msp', `/policy-templates/${id}`)));
    expect(details.filter(({ global, isLive }) => global && isLive)).toHaveLength(1);
    expect(details.filter(({ companies }) => companies.length > 0)).toMatchObject([
      { isLive: true, global: false, companies: [childIds['Harbour Dental Group']] },
    ]);
    expect(details.filter(({ isLive }) => !isLive)).toMatchObject([{ publishedAt: null, draft: { locales: ['en'] } }]);
    expect(namesFrom('shared', await templatesOf('msp'))).toEqual([]);
    expect(namesFrom('own', await templatesOf('distributor'))).toEqual(['Reporting security incidents']);
  });

  test('are shared only with the children that they are for, without drafts', async () => {
    const sharedWith = async (name: string) => namesFrom('shared', await templatesOf('distributor', childIds[name]));
    const everywhere = 'Reporting security incidents';
    const ofMsp = 'Working with our service desk';
    expect(await sharedWith('Harbour Dental Group')).toEqual([everywhere, ofMsp, 'Patient data in the practice']);
    expect(await sharedWith('Fjordline Logistik')).toEqual([everywhere, ofMsp]);
    expect(await sharedWith('Atelier Beaumont')).toEqual([everywhere]);
    for (const holder of ['tenant', 'prospect'] as const)
      expect(namesFrom('shared', await templatesOf(holder))).toEqual([]);
    expect(namesFrom('own', await templatesOf('tenant'))).toEqual(['Visitors and contractors on site']);
  });

  test('are the origin of some policies, which have a separate file with the same content', async () => {
    const made = await testService.query(
      `select c.name as company, v.name, t.company_id as owner, v.published_at, t.published_at as template_date
         from policy_versions v
         join companies c on c.id = v.company_id
         join policy_files f on f.company_id = v.company_id and f.id = v.file_id
         join policy_files o on o.sha256 = f.sha256
         join policy_templates t on t.company_id = o.company_id and t.file_id = o.id`,
    );
    expect(made.filter(({ owner }) => owner === MANAGED_CATALOGUE).length).toBeGreaterThanOrEqual(6);
    expect(made.filter(({ published_at, template_date }) => published_at! < template_date!)).toEqual([]);
    const shared = made.filter(({ owner }) => owner !== MANAGED_CATALOGUE);
    expect(new Set(shared.map(({ company }) => company))).toEqual(new Set(['Harbour Dental Group', 'Acme Industries']));
  });
});
