import { operations } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import { get } from '../support/client.ts';
import { filledPath, firstIdsOf } from '../support/world-ids.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { companies, type CompanyName, type KeyName, learnerId, managedCourses, unknownId } from '../support/world.ts';
import { call, read, readAll, refusal } from './mcp-support.ts';

/** A tool with arguments, the same call over REST, and the field of the response that holds its list. */
interface Case {
  tool: string;
  args?: Record<string, unknown>;
  path: string;
  rows?: string;
}

type Row = Record<'path', string> & { companyId: boolean; accountKinds: readonly KeyName[] | null };

/** Returns every operation behind a tool with only its required arguments, for ids of a company. */
function plainCases(company: CompanyName): (Case & { row: Row })[] {
  return tools.flatMap(({ name: tool, operations: behind }) =>
    behind.map(({ operationId, select, rows }) => {
      const row = operations[operationId];
      const ids = firstIdsOf(company, row.pathIds);
      const path = filledPath(row.path, ids);
      return { tool, args: { ...select, ...ids }, path, ...(rows !== null && { rows }), row };
    }),
  );
}

/** Returns the cases without a companyId parameter. */
function ownCases(company: CompanyName): Case[] {
  const tool = 'service_list_courses';
  return [
    ...plainCases(company).filter(({ row }) => !row.companyId && row.accountKinds === null),
    { tool, args: { type: 'gap_analysis' }, path: '/courses?type=gap_analysis', rows: '' },
    { tool, args: { source: 'custom' }, path: '/courses?source=custom', rows: '' },
    { tool, args: { type: 'training', source: 'managed' }, path: '/courses?type=training&source=managed', rows: '' },
  ];
}

function companyCases(company: CompanyName): Case[] {
  const { phishing } = managedCourses;
  const managed = { tool: 'service_get_course', args: { courseId: phishing }, path: `/courses/${phishing}` };
  return [...plainCases(company).filter(({ row }) => row.companyId), ...filteredCases(company), managed];
}

function filteredCases(company: CompanyName): Case[] {
  const policies = 'service_list_policies';
  const [activity, report] = ['service_get_learner_activity', 'service_get_report'];
  const [learner, simulation] = [learnerId(company, 1), simulationId(company, 1)];
  const [busy, policy] = [learnerId(company, 2), policyId(company, 1)];
  const filtered = (tool: string, path: string, filter: Record<string, unknown>, more: Partial<Case> = {}): Case => {
    const query = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return { tool, path: `${path}?${query.toString()}`, rows: '', ...more, args: { ...more.args, ...filter } };
  };
  const templateFilter = { restrictToOwn: true, publishedOnly: true, pdfOnly: true };
  const learning = { rows: 'rows', args: { kind: 'learning' } };
  return [
    ...['low', 'high'].map((riskScoreLevel) => filtered('service_list_learners', '/learners', { riskScoreLevel })),
    filtered(policies, '/policies', { publishedOnly: true }),
    filtered(policies, '/policies', { pdfOnly: false }),
    filtered(
      'service_get_policy',
      `/policies/${policy}`,
      { outcome: 'all' },
      { rows: 'results', args: { policyId: policy } },
    ),
    filtered('service_list_policy_templates', '/policy-templates', templateFilter),
    filtered('service_list_breach_accounts', '/breaches/accounts', { accountType: 'employee' }),
    ...[true, false].map((hasAffectedAccounts) =>
      filtered('service_list_breach_services', '/breaches/services', {
        hasAffectedAccounts,
        accountType: 'inactiveLearner',
      }),
    ),
    filtered(
      activity,
      `/learners/${busy}/policy-results`,
      { policyId: policy },
      {
        args: { kind: 'policy_results', learnerId: busy },
      },
    ),
    filtered(report, '/reports/learning', { learnerId: learner, courseId: managedCourses.phishing }, learning),
    filtered(
      report,
      '/reports/learning',
      { simulationId: simulation, outcome: 'visited', status: 'finished' },
      learning,
    ),
    filtered(report, '/reports/learning', { from: '2026-01-01', to: '2026-12-31', attempts: 'all' }, learning),
    filtered(
      report,
      '/reports/risk-score-history',
      { from: '2026-01-01', to: '2026-01-31' },
      {
        rows: 'rows',
        args: { kind: 'risk_score_history' },
      },
    ),
  ];
}

/** Cases for keys of some account kinds only. */
const keptCases = plainCases('msp').filter(({ row }) => row.accountKinds !== null);

function named<T extends Case>(cases: T[]): [string, T][] {
  return cases.map((one) => [`${one.tool} ${JSON.stringify(one.args ?? {})}`, one]);
}

function inCompany({ args, path, ...rest }: Case, companyId: string): Case {
  return {
    ...rest,
    args: { ...args, companyId },
    path: `${path}${path.includes('?') ? '&' : '?'}companyId=${companyId}`,
  };
}

async function expectSame({ tool, args, path, rows }: Case, key: KeyName): Promise<void> {
  const { status, body } = await get(path, key);
  expect(status).toBe(200);
  const expected = body.data;
  if ('generatedAt' in expected) expected.generatedAt = expect.stringMatching(/^2\d{3}-.*Z$/);
  const beside = Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'data'));
  const answer = await read(tool, args, key);
  // A list that is returned only on request is null otherwise.
  if (rows === undefined || expected[rows] === null) return expect(answer).toEqual(expected);
  const count = (rows === '' ? expected : expected[rows]).length;
  const progress = { total: count, shown: count === 0 ? 'none' : `1 to ${count}` };
  expect(answer).toEqual(rows === '' ? { ...beside, ...progress, items: expected } : { ...expected, ...progress });
  if (rows === '') expect(await readAll(tool, { args: { ...args, limit: 1 }, key })).toEqual(expected);
}

beforeAll(async () => {
  for (const company of [companies.tenant, companies.childA])
    await testService.query(
      `insert into risk_history (company_id, date, average_score, low_count, moderate_count, high_count, critical_count)
       select $1, date '2026-01-15' + n, 30 + n, 1, n, 0, 1 from generate_series(0, 39) as n`,
      [company],
    );
  await testService.query(
    `update companies set smlearn = false, smphish = false, smpolicy = false, smbreachproenabled = false where id = $1`,
    [companies.directChild],
  );
});

describe('a tool returns the same as REST', () => {
  test.each(named([...ownCases('tenant'), ...companyCases('tenant')]))('%s for a key of the company', (_name, one) =>
    expectSame(one, 'tenant'),
  );

  test.each(named(companyCases('childA')))('%s for an MSP that reads a child', (_name, one) =>
    expectSame(inCompany(one, companies.childA), 'msp'),
  );

  const kept = keptCases.flatMap((one) => one.row.accountKinds!.map((key) => [one.tool, key, one] as const));
  test.each(kept)('%s for a key of kind %s', (_name, key, one) => expectSame(one, key));
});

describe('a tool fails with the message of REST for', () => {
  const cases = companyCases('tenant');

  test.each(named(cases))('%s: a company that the key cannot read', async (_name, one) => {
    for (const [key, company] of [
      ['tenant', 'other'],
      ['msp', 'directChild'],
      ['strangerMsp', 'childA'],
      ['childA', 'msp'],
    ] as const) {
      const foreign = inCompany(one, companies[company]);
      const { status, body } = await get(foreign.path, key);
      expect(status).toBe(403);
      const text = await refusal(foreign.tool, foreign.args, key);
      expect(text).toContain(body.error!.message);
      expect(text).toContain('service_list_companies');
    }
  });

  const withIds = [...cases, ...ownCases('tenant')].flatMap((one) =>
    Object.keys(one.args ?? {})
      .filter((name) => /Id$/.test(name) && one.path.includes(`/${one.args![name] as string}`))
      .map((name) => ({ ...one, name })),
  );
  test.each(named(withIds))('%s: an unknown or foreign id', async (_name, { tool, args, path, name }) => {
    const own = args![name] as string;
    const others = [...ownCases('other'), ...companyCases('other')].find(
      (other) => other.tool === tool && other.args?.kind === args!.kind,
    )!;
    const ids = [unknownId, 'no-id', others.args![name] as string];
    for (const wrong of ids) {
      const { status, body } = await get(path.replace(own, wrong));
      const text = await refusal(tool, { ...args, [name]: wrong });
      expect({ wrong, status, text }).toEqual({
        wrong,
        status: 404,
        text: expect.stringContaining(body.error!.message),
      });
      expect(text).not.toContain(wrong);
    }
  });

  test.each([
    ['learnerId', learnerId('other', 1)],
    ['courseId', unknownId],
  ])('a foreign or unknown %s in the learning report', async (name, wrong) => {
    const { status, body } = await get(`/reports/learning?${name}=${wrong}`);
    expect(status).toBe(404);
    expect(await refusal('service_get_report', { kind: 'learning', [name]: wrong })).toContain(body.error!.message);
  });

  test.each(named([...ownCases('directChild'), ...companyCases('directChild')]))(
    '%s: a module that is not enabled',
    async (_name, one) => {
      const { status, body } = await get(one.path, 'directChild');
      if (status === 200) return expectSame(one, 'directChild');
      expect(body.error!.code).toBe('module_not_enabled');
      expect(await refusal(one.tool, one.args, 'directChild')).toContain(body.error!.message);
    },
  );

  test('a disabled module of a child, even for its distributor', async () => {
    const companyId = companies.directChild;
    expect(await refusal('service_get_simulation_metrics', { companyId }, 'distributor')).toContain('smphish');
  });

  test('the list of child companies with a key of another kind', async () => {
    for (const key of ['tenant', 'prospect', 'childA'] as const) {
      const { status, body } = await get('/companies', key);
      expect(status).toBe(403);
      expect(await refusal('service_list_companies', {}, key)).toContain(body.error!.message);
    }
  });

  test('dates in the wrong order', async () => {
    const text = await refusal('service_get_report', {
      kind: 'risk_score_history',
      from: '2026-02-01',
      to: '2026-01-01',
    });
    expect(text).toMatch(/`from` must not be after `to`/);
  });
});

test("companyId is rejected by tools that always read the caller's company", async () => {
  for (const { tool, args } of ownCases('msp')) {
    const { isError, text } = await call(tool, { ...args, companyId: companies.childA }, 'msp');
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('companyId') });
  }
});
