import { tools } from '../../generated/tools.ts';
import { get } from '../support/client.ts';
import { templateId, policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { companies, type CompanyName, groupId, learnerId, managedCourses, unknownId } from '../support/world.ts';
import { call, read, readAll, refusal } from './mcp-support.ts';

/** A tool with arguments, the same over REST, and the field of the answer that holds its list. */
interface Case {
  tool: string;
  args?: Record<string, unknown>;
  path: string;
  rows?: string;
}

/** Every operation behind a tool, for ids of a company. Those of the first list know no companyId. */
function ownCases(): Case[] {
  const { phishing } = managedCourses;
  return [
    { tool: 'service_get_company', path: '/company' },
    { tool: 'service_get_company_features', path: '/company/features' },
    { tool: 'service_get_course', args: { courseId: phishing }, path: `/courses/${phishing}` },
    { tool: 'service_list_courses', path: '/courses', rows: '' },
    { tool: 'service_list_courses', args: { type: 'gap_analysis' }, path: '/courses?type=gap_analysis', rows: '' },
    { tool: 'service_list_courses', args: { source: 'custom' }, path: '/courses?source=custom', rows: '' },
    {
      tool: 'service_list_courses',
      args: { type: 'training', source: 'managed' },
      path: '/courses?type=training&source=managed',
      rows: '',
    },
  ];
}

function companyCases(company: CompanyName): Case[] {
  const learner = learnerId(company, 1);
  return [
    { tool: 'service_list_admins', path: '/admins', rows: '' },
    { tool: 'service_list_learners', path: '/learners', rows: '' },
    { tool: 'service_list_groups', path: '/groups', rows: '' },
    { tool: 'service_list_policies', path: '/policies', rows: '' },
    { tool: 'service_list_policies', args: { publishedOnly: true }, path: '/policies?publishedOnly=true', rows: '' },
    { tool: 'service_list_policies', args: { pdfOnly: false }, path: '/policies?pdfOnly=false', rows: '' },
    { tool: 'service_list_policy_templates', path: '/policy-templates', rows: '' },
    {
      tool: 'service_list_policy_templates',
      args: { restrictToOwn: true, publishedOnly: true, pdfOnly: true },
      path: '/policy-templates?restrictToOwn=true&publishedOnly=true&pdfOnly=true',
      rows: '',
    },
    { tool: 'service_list_simulations', path: '/simulations', rows: '' },
    { tool: 'service_list_breach_accounts', path: '/breaches/accounts', rows: '' },
    {
      tool: 'service_list_breach_accounts',
      args: { accountType: 'employee' },
      path: '/breaches/accounts?accountType=employee',
      rows: '',
    },
    { tool: 'service_list_breach_services', path: '/breaches/services', rows: '' },
    ...[true, false].map((hasAffectedAccounts) => ({
      tool: 'service_list_breach_services',
      args: { hasAffectedAccounts, accountType: 'inactiveLearner' },
      path: `/breaches/services?hasAffectedAccounts=${hasAffectedAccounts}&accountType=inactiveLearner`,
      rows: '',
    })),
    { tool: 'service_get_learner', args: { learnerId: learner }, path: `/learners/${learner}` },
    {
      tool: 'service_get_group',
      args: { groupId: groupId(company, 1) },
      path: `/groups/${groupId(company, 1)}`,
      rows: 'learnerIds',
    },
    {
      tool: 'service_get_policy',
      args: { policyId: policyId(company, 2) },
      path: `/policies/${policyId(company, 2)}`,
    },
    {
      tool: 'service_get_policy_template',
      args: { policyTemplateId: templateId(company, 1) },
      path: `/policy-templates/${templateId(company, 1)}`,
    },
    {
      tool: 'service_get_simulation',
      args: { simulationId: simulationId(company, 1) },
      path: `/simulations/${simulationId(company, 1)}`,
      rows: 'recipients',
    },
    { tool: 'service_get_simulation_metrics', path: '/simulations/metrics', rows: 'simulations' },
    ...activities(company),
    ...reports(company),
  ];
}

function activities(company: CompanyName): Case[] {
  const kinds = ['course_results', 'gap_analysis_results', 'policy_results', 'simulation_queue', 'simulation_results'];
  const policy = policyId(company, 1);
  const learner = learnerId(company, 2);
  return [
    ...[...kinds, 'breaches'].map((kind) => ({
      tool: 'service_get_learner_activity',
      args: { kind, learnerId: learner },
      path: `/learners/${learner}/${kind.replaceAll('_', '-')}`,
      rows: '',
    })),
    {
      tool: 'service_get_learner_activity',
      args: { kind: 'policy_results', learnerId: learner, policyId: policy },
      path: `/learners/${learner}/policy-results?policyId=${policy}`,
      rows: '',
    },
  ];
}

function reports(company: CompanyName): Case[] {
  const tool = 'service_get_report';
  const learner = learnerId(company, 1);
  const simulation = simulationId(company, 1);
  const days = { fromDate: '2026-01-01', toDate: '2026-01-31' };
  return [
    { tool, args: { kind: 'course_participation' }, path: '/reports/course-participation', rows: 'learners' },
    { tool, args: { kind: 'course_results' }, path: '/reports/course-results', rows: '' },
    { tool, args: { kind: 'gap_analysis_results' }, path: '/reports/gap-analysis-results', rows: '' },
    { tool, args: { kind: 'learning' }, path: '/reports/learning', rows: 'rows' },
    {
      tool,
      args: { kind: 'learning', learnerId: learner, courseId: managedCourses.phishing },
      path: `/reports/learning?learnerId=${learner}&courseId=${managedCourses.phishing}`,
      rows: 'rows',
    },
    {
      tool,
      args: { kind: 'learning', simulationId: simulation, outcome: 'visited', status: 'finished' },
      path: `/reports/learning?simulationId=${simulation}&outcome=visited&status=finished`,
      rows: 'rows',
    },
    { tool, args: { kind: 'risk_score_history' }, path: '/reports/risk-score-history', rows: 'rows' },
    {
      tool,
      args: { kind: 'risk_score_history', ...days },
      path: `/reports/risk-score-history?fromDate=${days.fromDate}&toDate=${days.toDate}`,
      rows: 'rows',
    },
  ];
}

const companiesCase: Case = { tool: 'service_list_companies', path: '/companies', rows: '' };

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

async function expectSame({ tool, args, path, rows }: Case, key: CompanyName): Promise<void> {
  const { status, body } = await get(path, key);
  expect(status).toBe(200);
  const expected = body.data;
  if ('generatedAt' in expected) expected.generatedAt = expect.stringMatching(/^2\d{3}-.*Z$/);
  const answer = await read(tool, args, key);
  if (rows === undefined) return expect(answer).toEqual(expected);
  const count = (rows === '' ? expected : expected[rows]).length;
  const progress = { total: count, shown: count === 0 ? 'none' : `1 to ${count}` };
  expect(answer).toEqual(rows === '' ? { ...progress, items: expected } : { ...expected, ...progress });
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

test('these cases cover every operation that a tool runs', () => {
  const patterns = [...ownCases(), ...companyCases('tenant'), companiesCase].map(
    ({ tool, args }) => `${tool} ${(args?.kind as string) ?? ''}`,
  );
  const offered = tools.flatMap(({ name, operations }) =>
    operations.map(({ select }) => `${name} ${(select as { kind?: string } | null)?.kind ?? ''}`),
  );
  expect([...new Set(patterns)].toSorted()).toEqual(offered.toSorted());
});

describe('a tool answers what REST answers', () => {
  test.each(named([...ownCases(), ...companyCases('tenant')]))('%s: for a key of its own company', (_name, one) =>
    expectSame(one, 'tenant'),
  );

  test.each(named(companyCases('childA')))('%s: for an MSP that reads a child', (_name, one) =>
    expectSame(inCompany(one, companies.childA), 'msp'),
  );

  test.each(['msp', 'distributor'] as const)('service_list_companies: for a key of kind %s', (key) =>
    expectSame(companiesCase, key),
  );
});

describe('a tool refuses what REST refuses, with its words', () => {
  const cases = companyCases('tenant');

  test.each(named(cases))('%s: a company that the key may not read', async (_name, one) => {
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

  const withIds = [...cases, ...ownCases()].flatMap((one) =>
    Object.keys(one.args ?? {})
      .filter((name) => /Id$/.test(name) && one.path.includes(`/${one.args![name] as string}`))
      .map((name) => ({ ...one, name })),
  );
  test.each(named(withIds))('%s: an id of nobody, or of another company', async (_name, { tool, args, path, name }) => {
    const own = args![name] as string;
    const others = [...ownCases(), ...companyCases('other')].find(
      (other) => other.tool === tool && other.args?.kind === args!.kind,
    )!;
    const ids = [unknownId, 'no-id', own.toUpperCase(), ...(name === 'courseId' ? [] : [others.args![name] as string])];
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
  ])('the learning report for a %s of another company', async (name, wrong) => {
    const { status, body } = await get(`/reports/learning?${name}=${wrong}`);
    expect(status).toBe(404);
    expect(await refusal('service_get_report', { kind: 'learning', [name]: wrong })).toContain(body.error!.message);
  });

  test.each(named([...ownCases(), ...companyCases('directChild')]))(
    '%s: a module that is not enabled',
    async (_name, one) => {
      const { status, body } = await get(one.path, 'directChild');
      if (status === 200) return expectSame(one, 'directChild');
      expect(body.error!.code).toBe('module_not_enabled');
      expect(await refusal(one.tool, one.args, 'directChild')).toContain(body.error!.message);
    },
  );

  test('the distributor above a company does not read past its modules', async () => {
    const companyId = companies.directChild;
    expect(await refusal('service_get_simulation_metrics', { companyId }, 'distributor')).toContain('smphish');
  });

  test('the list of child tenants is for an MSP or a distributor alone', async () => {
    for (const key of ['tenant', 'prospect', 'childA'] as const) {
      const { status, body } = await get('/companies', key);
      expect(status).toBe(403);
      expect(await refusal('service_list_companies', {}, key)).toContain(body.error!.message);
    }
  });

  test('days in the wrong order', async () => {
    const text = await refusal('service_get_report', {
      kind: 'risk_score_history',
      fromDate: '2026-02-01',
      toDate: '2026-01-01',
    });
    expect(text).toMatch(/fromDate.*must not be after toDate/);
  });
});

test('companyId has no meaning for what is always the own company', async () => {
  for (const { tool, args } of ownCases()) {
    const { isError, text } = await call(tool, { ...args, companyId: companies.childA }, 'msp');
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('companyId') });
  }
});
