import { send } from '../support/client.ts';
import { companies, type CompanyName, keys, unknownId } from '../support/world.ts';
import { expectRefusal, run, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

const runKeys = (args: string[]): ReturnType<typeof run> =>
  run(['src/commands/keys.ts', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });

/** Returns the standard output of a successful command. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKeys(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

async function update(company: string, ...options: string[]): Promise<Record<string, unknown>> {
  const printed = await done('update-company', '--company', company, '--json', ...options);
  return (JSON.parse(printed) as Record<string, unknown>[])[0]!;
}

async function ask(key: string, path: string): Promise<{ status: number; data: any }> {
  const { status, body } = await send('GET', path, { headers: { authorization: `Bearer ${key}` } });
  return { status, data: body.data };
}

test('changes every property of a company that an operator decides, and its key sees it within a second', async () => {
  const changed = await update(
    companies.other,
    ...['--name', 'Other & Sons', '--plan', 'business', '--learner-limit', 'none', '--domain', 'Other.example'],
    ...['--domain-lock', '--enable', 'smbreachproenabled', '--disable', 'smphish,smpolicy'],
    ...['--watched-domains', 'other.example,other.test'],
  );
  const shown = {
    name: 'Other & Sons',
    plan: 'business',
    learnerCount: 4,
    learnerLimit: null,
    domain: 'other.example',
    domainLock: true,
    modules: ['smlearn', 'smbreachproenabled'],
    watchedDomains: ['other.example', 'other.test'],
    parent: null,
  };
  expect(changed).toMatchObject(shown);
  const listed = JSON.parse(await done('companies', '--json')) as { id: string }[];
  expect(listed.find(({ id }) => id === companies.other)).toEqual(changed);
  expect((await ask(keys.other, '/company')).data).toMatchObject({
    name: 'Other & Sons',
    plan: { name: 'business', learnerLimit: null, domain: 'other.example', domainLock: true, isTrial: false },
    features: { smphish: false, smpolicy: false, smbreachprodomains: ['other.example', 'other.test'] },
  });
  await until(async () => (await ask(keys.other, '/simulations')).status === 403, 1000);
});

test('keeps omitted fields, and gives a trial without a limit the limit of trials', async () => {
  const before = await update(companies.tenant, '--enable', 'smlearn');
  expect(await update(companies.tenant, '--plan', 'freeTrial')).toEqual({
    ...before,
    plan: 'freeTrial',
    learnerLimit: 25,
  });
});

test('an MSP that moves to another distributor takes its tenants, which the old one can no longer read', async () => {
  const distributor = await done('create-company', '--kind', 'distributor', '--name', 'The new distributor');
  const newKey = await done('issue', '--company', distributor, '--name', 'tests');
  const children: CompanyName[] = ['childA', 'childB', 'directChild'];
  const whoReads = async () => {
    const readable: Record<string, unknown> = {};
    for (const [name, key] of Object.entries({ old: keys.distributor, new: newKey, msp: keys.msp })) {
      const answers = await Promise.all(children.map((child) => ask(key, `/learners?companyId=${companies[child]}`)));
      const listed = ((await ask(key, '/companies')).data as { id: string }[]).map(({ id }) => id);
      readable[name] = children.filter((_, index) => answers[index]!.status === 200);
      expect(listed).toEqual((readable[name] as CompanyName[]).map((child) => companies[child]));
    }
    return readable;
  };
  const before = { old: children, new: [], msp: ['childA', 'childB'] };
  expect(await whoReads()).toEqual(before);
  expect(await update(companies.msp, '--parent', distributor)).toMatchObject({ parent: distributor });
  expect(await whoReads()).toEqual({ old: ['directChild'], new: ['childA', 'childB'], msp: ['childA', 'childB'] });
  await update(companies.msp, '--parent', 'none');
  expect(await whoReads()).toEqual({ old: ['directChild'], new: [], msp: ['childA', 'childB'] });
  await update(companies.msp, '--parent', companies.distributor);
  expect(await whoReads()).toEqual(before);
});

test.each([
  ['nothing to change', [companies.tenant], 64, 'Give at least one setting'],
  ['an unknown company', [unknownId, '--plan', 'x'], 1, `Company ${unknownId} not found`],
  ['an unknown parent', [companies.tenant, '--parent', unknownId], 1, `Company ${unknownId} not found`],
  ['a parent of the wrong kind', [companies.msp, '--parent', companies.strangerMsp], 1, 'must be a distributor'],
  ['a parent for a distributor', [companies.distributor, '--parent', companies.msp], 1, 'A distributor has no parent'],
  ['a trial without a limit', [companies.childB, '--learner-limit', 'none'], 1, 'A free trial has a learner limit'],
  [
    'a domain lock without a domain',
    [companies.prospect, '--domain', 'none', '--domain-lock'],
    64,
    'requires --domain',
  ],
])('%s is rejected in one sentence, and nothing changes', async (_what, args, code, reason) => {
  const rows = () => testService.query('select * from companies order by id');
  const before = await rows();
  expectRefusal(await runKeys(['update-company', '--company', ...args]), code, reason);
  expect(await rows()).toEqual(before);
});
