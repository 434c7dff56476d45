import type { Schemas } from '../../src/contract/contract.ts';
import { childrenPage, type ChildrenView } from '../../src/pages/console/children/children-page.ts';
import type { ChildFigures } from '../../src/pages/console/children/children-query.ts';
import { comparisonPage } from '../../src/pages/console/children/comparison-page.ts';
import { type Figures, overviewPage, readFigures } from '../../src/pages/console/overview/overview-page.ts';
import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';
import { LANGUAGES } from '../../src/contract/languages.ts';
import { render } from '../../src/http/html/html.ts';

const HOSTILE = `"><script>alert('1')</script><b onload=x style=x>&amp; \u202e${'🦊'.repeat(99)}`;
const training = { enrollmentCount: 8, startedCount: 7, finishedCount: 6, passedCount: 5 };
const row = {
  ...{ id: '018d7855-b7a0-7000-8400-000000000000', name: HOSTILE, learnerCount: 1240 },
  ...{ averageRiskScore: 41.25, riskScoreLevel: 'moderate', training, policies: { assignedCount: 0, signedCount: 0 } },
  simulations: null,
} satisfies Schemas['GroupReportRow'];
const counts = { sentCount: 120, openCount: 84, visitCount: 21, compromiseCount: 6, reportCount: 33 };
const simulation = { id: '1', externalId: null, name: HOSTILE, status: 'completed', recipientCount: 120, ...counts };
const level = { level: 'moderate', lowCount: 40, moderateCount: 62, highCount: 15, criticalCount: 3 } as const;

const full: Figures = {
  groups: { data: { company: row, groups: { rows: [row, row], isCut: true } } },
  risk: {
    data: {
      rows: [
        { date: '2026-03-15', averageScore: 41.2, learnerCount: 120, ...level },
        { date: '2026-03-16', averageScore: 39.8, learnerCount: 120, ...level },
      ],
    },
  },
  simulations: {
    data: {
      totalMetrics: { opened: 84, visited: 21, compromised: 6, reported: 33, total: 120 },
      simulations: [{ ...simulation, createdAt: '2026-03-02T08:30:00.000Z' } as Schemas['SimulationListItem']],
    },
  },
  breaches: {
    data: {
      services: {
        rows: [{ name: HOSTILE, breachDate: '2026-01-19', accountCount: 7 } as Schemas['BreachedService']],
        isCut: false,
      },
      coverage: { watchedDomains: [HOSTILE], unavailableDomains: [HOSTILE] },
    },
  },
};
const empty: Figures = {
  groups: {
    data: {
      company: { ...row, learnerCount: 0, averageRiskScore: null, riskScoreLevel: null },
      groups: { rows: [], isCut: false },
    },
  },
  risk: { data: { rows: [] } },
  simulations: { missing: 'module' },
  breaches: { missing: 'now' },
};
const companyId = '018d7855-b7a0-7000-8100-000000000002';

function shown(figures: Figures, language: (typeof LANGUAGES)[number] = 'en', isOneOfMany = false): string {
  const today = new Date('2026-03-17T00:00:00Z');
  const child = isOneOfMany ? companyId : undefined;
  return render(overviewPage(figures, { language, companyId: child, isOneOfMany, canImport: true, today }).content);
}

describe('the overview of a company', () => {
  test.each(LANGUAGES)('has a chart and a table for each kind of fact in %s', (language) => {
    const text = shown(full, language);
    expect(text.match(/<svg class="chart" role="img" aria-label="[^"]+/g)).toHaveLength(4);
    expect(text.match(/<caption>/g)).toHaveLength(4);
    expect(text.match(/<table>/g)).toHaveLength(4);
    expect(text.match(/<th(?! scope="(row|col)")[ >]/g)).toBeNull();
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  test('escapes names', () => {
    const text = shown(full);
    expect(text).not.toMatch(/<script|<b /);
    expect(text).not.toMatch(/<[^>]*\s(on\w+|style)=/);
  });

  test('repeats the figures of the charts in tables', () => {
    const text = shown(full);
    for (const figure of ['39.8 (moderate)', '<td>84</td>', '<td>75% (6/8)</td>', '<td>7</td>', '120 messages']) {
      expect(text).toContain(figure);
    }
  });

  test('names the equivalent API call, with the companyId of a child', () => {
    expect(shown(full)).toContain('<code>GET /v1/reports/groups?limit=100</code>');
    expect(shown(full, 'en', true)).toContain(`<code>GET /v1/simulations/metrics?companyId=${companyId}</code>`);
  });

  test.each(LANGUAGES)('names the first step and the missing data in %s', (language) => {
    const text = shown(empty, language);
    expect(text).toContain('/docs/operations/createLearners');
    expect(text.match(/<svg/g)).toHaveLength(1);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  test('draws a single day and a day without learners', () => {
    const [day] = 'data' in full.risk ? full.risk.data.rows : [];
    const text = shown({ ...full, risk: { data: { rows: [{ ...day!, averageScore: 0 }] } } });
    expect(text).not.toMatch(/NaN|Infinity/);
    expect(text).toContain('0.0 (moderate)');
  });
});

describe('unavailable figures', () => {
  const failing = (code: ErrorCode, missed: string[] = []) =>
    readFigures(
      { run: () => Promise.reject(new ApiError(code, 'No.')), missed: (error) => missed.push(error.code) },
      undefined,
    );

  test.each([
    ['module_not_enabled', 'module', 0],
    ['insufficient_scope', 'scope', 0],
    ['service_timeout', 'now', 4],
    ['breach_data_unavailable', 'now', 4],
  ] as const)('%s is shown instead, and temporary errors are reported to the operator', async (code, missing, told) => {
    const missed: string[] = [];
    const { groups, risk, simulations, breaches } = await failing(code, missed);
    expect([groups, risk, simulations, breaches]).toEqual(Array.from({ length: 4 }, () => ({ missing })));
    expect(missed).toHaveLength(told);
  });

  test.each(['forbidden', 'rate_limited', 'internal_error'] as const)('%s fails the whole page', async (code) => {
    await expect(failing(code)).rejects.toMatchObject({ code });
  });
});

describe('the companies of an MSP', () => {
  const child: ChildFigures = {
    ...{ id: companyId, name: HOSTILE, isTrial: true, learnerCount: 3, asOf: '2026-03-02T00:06:12.000Z' },
    ...{ averageRiskScore: 41.25, riskScoreLevel: 'moderate', overdueLearners: 2, overdueRate: 0.6667, sentCount: 9 },
    ...{ clickRate: 0.1111, reportRate: null, breachedAccounts: 4, lastActivityAt: '2026-03-01T09:14:00.000Z' },
  };
  const without: ChildFigures = {
    ...{ ...child, asOf: null, averageRiskScore: null, riskScoreLevel: null, overdueLearners: null, overdueRate: null },
    ...{ sentCount: null, clickRate: null, breachedAccounts: null, lastActivityAt: null },
  };
  const view = (items: ChildFigures[], q = ''): ChildrenView => ({
    query: { values: { q, sort: '', company: '' }, cursor: undefined, sort: 'breachedAccounts', input: {} },
    ...{ items, nextCursor: 'next' },
  });

  test.each(LANGUAGES)('have a row each, with the available figures, in %s', (language) => {
    for (const page of [childrenPage, comparisonPage]) {
      const text = render(page(view([child, without]), language).content);
      expect(text.match(new RegExp(`href="/console/companies/${companyId}"`, 'g'))).toHaveLength(2);
      expect(text).toContain('cursor=next');
      expect(text).not.toMatch(/<script|undefined|NaN/);
    }
  });

  test('an MSP without companies sees a message', () => {
    for (const page of [childrenPage, comparisonPage])
      expect(render(page(view([]), 'en').content)).toContain('do not manage any');
  });
});
