import { DEFAULT_PACKAGE_LIMITS } from '../../src/config/package-limits.ts';
import { SamlMetadata } from '../../src/identity/providers/saml-metadata.ts';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { operations } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { openBreachFeed } from '../../src/resources/breaches/feed/open-breach-feed.ts';
import { openServicePool } from '../support/service-pool.ts';
import type { Keyset } from '../../src/db/keyset.ts';
import { Rows } from '../../src/db/rows.ts';
import { registeredStatements, type Statement } from '../../src/db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../src/db/tenant-session.ts';
import type { TenantReader } from '../../src/db/tenant.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { CourseLibrary } from '../../src/resources/courses/authored/course-library.ts';
import { createHandlers, type Handlers } from '../../src/operations/operations.ts';
import { adminId, companies, groupId, learnerId, managedCourses } from '../support/world.ts';
import { firstIdsOf } from '../support/world-ids.ts';
import { boardScheduleId } from '../support/world-board-schedules.ts';
import { worldFeed } from '../support/world-breaches.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { addRows } from './many-rows.ts';
import { PAST_REPORTS } from './past-report-cases.ts';
import { RECORD_CHANGES } from './record-change-cases.ts';

type OperationWithoutTool =
  | ('listAdminSessions' | 'listLearnerSessions' | 'listSignIns')
  | ('listLearnerMemberships' | 'listLearnerMessages' | 'listLearnerBounces')
  | ('listAdminPasskeys' | 'listApiKeys' | 'listConnections' | 'listDeprecatedUses' | 'listSources')
  | ('getPolicyResultsReport' | 'getRepeatClickersReport' | 'getSimulationResultsReport' | 'listCorrections')
  | ('listBoardReportDeliveries' | 'listBoardReportSchedules' | 'listAssignments')
  | ('listCampaignPreviewLearners' | 'listCampaigns' | 'listSimulationTemplates')
  | ('listGroupRiskHistory' | 'listLearnerMerges' | 'listLearnerRiskHistory' | 'listMembershipHistory')
  | ('listRecordedCourseResults' | 'listSimulationInteractions' | 'listSimulationDomains' | 'listSimulationExclusions');
/** The operations of tools, and some that have no tool. */
type Operation = keyof Handlers & ((typeof tools)[number]['operations'][number]['operationId'] | OperationWithoutTool);
type Input = Record<string, unknown>;

/** A company with children and a few hundred rows of everything, mostly alike except for their ids. */
const COMPANY = 'msp';
const LEARNER = learnerId(COMPANY, 1);
const RECIPIENT = '0192b000-0000-7000-8000-000000000001'; // of the first learner that `addRows` adds

let pool: pg.Pool;
let handlers: Handlers;
const read = new Set<string>();

/** Wraps a tenant handle to record which lists are read. */
function watched(tenant: TenantReader): TenantReader {
  return {
    companyId: tenant.companyId,
    queryOne: (statement, params) => tenant.queryOne(statement, params),
    queryAll: (statement, params) => tenant.queryAll(statement, params),
    stream<P, R>(statement: Statement<P, R>, params: P, batchSize?: number) {
      read.add(statement.name);
      return tenant.stream(statement, params, batchSize);
    },
  };
}

/** Returns every list in the result of an operation, run as an MCP tool runs it. */
async function listsOf(operationId: Operation, input: Input): Promise<Rows<unknown>[]> {
  const id = companies[COMPANY];
  const caller: Caller = {
    companyId: id,
    accountType: 'msp',
    keyId: 'key',
    modules: [],
    scopes: null,
    expiresAt: null,
  };
  const handler = handlers[operationId] as (input: Input, tenant: TenantReader, caller: Caller) => unknown;
  const answer = await handler(input, watched(createTenantReader(pool, id, id)), caller);
  return [answer, ...Object.values(answer as object)].filter((value) => value instanceof Rows);
}

async function readAll(rows: Rows<unknown>): Promise<unknown[]> {
  const cursor = await rows.open();
  const all: unknown[] = [];
  for (let last = false; !last;) {
    const batch = await cursor.next();
    all.push(...batch.rows);
    last = batch.last;
  }
  return JSON.parse(`[${rows.json(all)}]`) as unknown[];
}

beforeAll(async () => {
  pool = openServicePool(5);
  const { logger } = createLogs('silent');
  const breachFeed = openBreachFeed({ pool, logger, localFeed: worldFeed });
  const ownCompany = ({ companyId }: Caller) => createTenantWriter(pool, companyId);
  const sealedSecrets = new SealedSecrets([]);
  const webhookRules = { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: false };
  const recordReads = () => Promise.resolve();
  const services = {
    breachFeed,
    beginSession: () => Promise.resolve(undefined),
    library: new CourseLibrary(undefined, () => undefined),
    findTexts: () => Promise.resolve([]),
    freeMail: new Set<string>(),
    sealedSecrets,
    webhookRules,
    samlMetadata: new SamlMetadata({ fetch, allowsHttp: false }),
    publicUrl: 'http://127.0.0.1',
    reportMailbox: undefined,
    hasContentHost: false,
    packageLimits: DEFAULT_PACKAGE_LIMITS,
    simulations: undefined,
    ownCompany,
    recordReads: recordReads,
  };
  handlers = createHandlers(services);
  await listsOf('listBreachAccounts', {});
  await addRows(COMPANY, 1, 120);
});
afterAll(() => pool.end());

const cases: [Operation, Input][] = [
  ['listCompanies', {}],
  ['listAdmins', {}],
  ['listAdminPasskeys', { adminId: adminId(COMPANY, 2) }],
  ['listApiKeys', {}],
  ['listConnections', {}],
  ['listDeprecatedUses', {}],
  ['listSources', {}],
  ['listBoardReportSchedules', {}],
  ['listBoardReportDeliveries', { boardScheduleId: boardScheduleId(COMPANY) }],
  ['listSimulationDomains', {}],
  ['listSimulationExclusions', {}],
  ['listSimulationTemplates', {}],
  ['listSimulationTemplates', { deliveryMethod: 'email', difficulty: 1, locale: 'en', includeRetired: true }],
  ['listLearners', {}],
  ['listLearners', { riskScoreLevel: 'low', q: 'l' }],
  ['listLearners', { inactive: false }],
  ['listLearners', { email: `learner1@${COMPANY}.test` }],
  ['listLearners', { externalLearnerId: 'HR-1' }],
  ['listLearners', { groupId: groupId(COMPANY, 1) }],
  ['listLearners', { managerId: learnerId(COMPANY, 1) }],
  ['listLearners', { q: 'le' }],
  ['listGroups', {}],
  ['listCourses', { type: 'all', source: 'all' }],
  ['listCourses', { type: 'training', source: 'custom' }],
  ['listPolicies', {}],
  ['listPolicies', { publishedOnly: true, pdfOnly: true }],
  ['getPolicy', { policyId: policyId(COMPANY, 1), outcome: 'all' }],
  ['getPolicy', { policyId: policyId(COMPANY, 1), outcome: 'unsigned' }],
  ['listPolicyTemplates', {}],
  ['listPolicyTemplates', { restrictToOwn: true, publishedOnly: false }],
  ['listSimulations', {}],
  ['getSimulation', { simulationId: simulationId(COMPANY, 2) }],
  ['getSimulation', { simulationId: simulationId(COMPANY, 2), outcome: 'opened' }],
  ['listSimulationInteractions', { simulationId: simulationId(COMPANY, 2) }],
  ['listSimulationInteractions', { simulationId: simulationId(COMPANY, 2), learnerId: RECIPIENT }],
  ['listBreachAccounts', {}],
  ['listBreachAccounts', { accountType: 'nonLearner' }],
  ['listBreachServices', {}],
  ['listBreachServices', { hasAffectedAccounts: true, accountType: 'employee' }],
  ['listBreachServices', { hasAffectedAccounts: false }],
  ['listLearnerBreaches', { learnerId: LEARNER }],
  ['listLearnerCourseResults', { learnerId: LEARNER }],
  ['listLearnerGapAnalysisResults', { learnerId: learnerId(COMPANY, 2) }],
  ['listLearnerPolicyResults', { learnerId: LEARNER }],
  ['listLearnerPolicyResults', { learnerId: LEARNER, policyId: policyId(COMPANY, 1) }],
  ['listLearnerSimulationQueue', { learnerId: LEARNER }],
  ['listLearnerSimulationResults', { learnerId: learnerId(COMPANY, 2) }],
  ['listLearnerCourseResults', { learnerId: LEARNER, attempts: 'all' }],
  ['listRecordedCourseResults', {}],
  ['listRecordedCourseResults', { learnerId: LEARNER, courseId: managedCourses.passwords, includeVoided: true }],
  ...RECORD_CHANGES,
  ['getCourseResultsReport', {}],
  ['getCourseResultsReport', { attempts: 'all' }],
  ['getCourseResultsReport', { groupId: groupId(COMPANY, 1) }],
  ...PAST_REPORTS,
  ['getGapAnalysisResultsReport', {}],
  ['getGapAnalysisResultsReport', { attempts: 'best', from: '2026-01-01' }],
  ...learningCases(),
  ['getPolicyResultsReport', {}],
  ['getPolicyResultsReport', { policyId: policyId(COMPANY, 1), outcome: 'signed' }],
  ['getPolicyResultsReport', { learnerId: LEARNER }],
  ['getPolicyResultsReport', { learnerId: LEARNER, outcome: 'signed' }],
  ['getPolicyResultsReport', { groupId: groupId(COMPANY, 1) }],
  ['getPolicyResultsReport', { groupId: groupId(COMPANY, 1), outcome: 'signed' }],
  ['getSimulationResultsReport', {}],
  ['getSimulationResultsReport', { simulationId: simulationId(COMPANY, 2), outcome: 'visited' }],
  ['getSimulationResultsReport', { learnerId: LEARNER }],
  ['getSimulationResultsReport', { groupId: groupId(COMPANY, 1) }],
  ['getRepeatClickersReport', { minimum: 1 }],
  ['getRepeatClickersReport', { learnerId: learnerId(COMPANY, 1), minimum: 1 }],
  ['getRepeatClickersReport', { groupId: groupId(COMPANY, 1), minimum: 1 }],
  ['getGroupReport', {}],
  ['getRiskScoreHistoryReport', { fromDate: '2026-01-01', toDate: '2026-12-31' }],
];

/** Returns every combination of filters of the learning report; each is a separate statement. */
function learningCases(): [Operation, Input][] {
  const either = (filter: Input) => [{}, filter];
  return either({ learnerId: LEARNER }).flatMap((learner) =>
    either({ courseId: managedCourses.passwords }).flatMap((course) =>
      either({ simulationId: simulationId(COMPANY, 2), outcome: 'visited' }).flatMap((simulation) =>
        [{}, { status: 'unfinished' }, { attempts: 'all' }, { groupId: groupId(COMPANY, 1) }].map(
          (more): [Operation, Input] => ['getLearningReport', { ...learner, ...course, ...simulation, ...more }],
        ),
      ),
    ),
  );
}

/** The other operations with lists. Their lists can be unpaged, or empty in these tests. */
const others = tools.flatMap(({ operations: behind }) =>
  behind
    .filter(({ operationId, rows }) => rows !== null && !cases.some(([one]) => one === operationId))
    .map(({ operationId }): [Operation, Input] => [operationId, firstIdsOf(COMPANY, operations[operationId].pathIds)]),
);

/** Reads the pages of a list, each from the last row of the previous one. */
async function pagesOf(rows: Rows<unknown>, limit: number, from: Keyset | null = null): Promise<unknown[]> {
  const pages: unknown[] = [];
  let place = from;
  do {
    const { page, next }: { page: Rows<unknown>; next: Keyset | null } = await rows.behind(place, limit);
    const items = await readAll(page);
    expect(items).toHaveLength(next ? limit : items.length);
    pages.push(...items);
    place = next && (JSON.parse(JSON.stringify(next)) as Keyset);
  } while (place);
  return pages;
}

async function expectParts(rows: Rows<unknown>): Promise<void> {
  const whole = await readAll(rows);
  if (rows.order) for (const limit of [13, 50, whole.length || 1]) expect(await pagesOf(rows, limit)).toEqual(whole);
  for (const limit of [13, 50, whole.length]) {
    const parts: unknown[] = [];
    for (let offset = 0; offset < whole.length; offset += limit) {
      const { items, total } = await rows.page(offset, limit);
      expect(items.length).toBe(Math.min(limit, whole.length - offset));
      expect(total).toBe(whole.length);
      parts.push(...(JSON.parse(JSON.stringify(items)) as unknown[]));
    }
    expect(parts).toEqual(whole);
  }
  expect(await rows.page(whole.length, 10)).toEqual({ items: [], total: whole.length });
  expect(await rows.page(999_999_999, 200)).toEqual({ items: [], total: whole.length });
}

test.each([...cases, ...others])(
  '%s %j: parts and pages, joined, equal the list, and the count is its length',
  async (operationId, input) => {
    for (const rows of await listsOf(operationId, input)) await expectParts(rows);
  },
);

test.each(cases)('%s %j: none of its lists is empty', async (operationId, input) => {
  const lists = await listsOf(operationId, input);
  expect(lists.length).toBeGreaterThan(0);
  for (const rows of lists) expect((await rows.page(0, 1)).items).toHaveLength(1);
});

test('each list without filters has over a hundred rows, so pages begin among similar rows', async () => {
  for (const [operationId, input] of cases.filter(([, given]) => Object.keys(given).length === 0)) {
    const [rows] = await listsOf(operationId, input);
    expect({ operationId, isLong: (await rows!.page(0, 1)).total > 100 }).toEqual({ operationId, isLong: true });
  }
});

test('the cases run every list statement', () => {
  const named = registeredStatements().map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining([...read]));
  const likeLists = named.filter((name) => /_list$|_of_learner$|^learning_rows_|^participation_learners$/.test(name));
  expect(likeLists.filter((name) => !read.has(name))).toEqual([]);
});

describe('a list that grows after its first page was read', () => {
  const firstPages: { name: string; rows: Rows<unknown>; items: unknown[]; next: Keyset | null }[] = [];

  beforeAll(async () => {
    for (const [operationId, input] of cases) {
      for (const rows of await listsOf(operationId, input)) {
        if (!rows.order) continue;
        const { page, next } = await rows.behind(null, 13);
        firstPages.push({ name: `${operationId} ${JSON.stringify(input)}`, rows, items: await readAll(page), next });
      }
    }
    await addRows(COMPANY, 121, 130);
  });

  test('continues after that page: existing and new rows are on exactly one page', async () => {
    expect(firstPages.filter(({ next }) => next).length).toBeGreaterThan(30);
    for (const { name, rows, items, next } of firstPages) {
      const whole = await readAll(rows);
      const pages = next ? await pagesOf(rows, 13, next) : [];
      const behind = whole.findIndex((item) => isDeepStrictEqual(item, items.at(-1))) + 1;
      expect({ name, pages }).toEqual({ name, pages: next ? whole.slice(behind) : [] });
    }
  });
});
