/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { readReleases } from '../../src/released/releases.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
}
interface Operation {
  operationId: string;
  parameters?: { $ref?: string; name?: string; in?: string }[];
  responses: Record<string, { headers?: Record<string, Schema>; content?: Record<string, { schema: Schema }> }>;
}

const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { in: string }> };
};
const resolve = (schema: Schema): Schema => components.schemas[schema.$ref?.split('/').pop() ?? ''] ?? schema;

const isList = (schema: Schema): boolean => [resolve(schema).type].flat().includes('array');

/** Reports whether a response is a list or contains one. */
function hasList({ responses }: Operation): boolean {
  const schema = responses[200]!.content!['application/json']?.schema;
  const data = schema && resolve(schema).properties?.data;
  if (!data) return false;
  return isList(data) || Object.values(resolve(data).properties ?? {}).some(isList);
}

/** Operations that return a list without pages. This record can only shrink. */
const WITHOUT_PAGES: Record<string, string> = {
  getAdminProvisioning: 'at most 50 groups give a role, and at most 100 skipped members are shown',
  getBoardReportSchedule: 'a report has at most 20 recipients',
  getCampaign: 'a campaign has few items',
  getCampaignPreview: 'a year has few days with messages, and few campaigns clash',
  getCompanyFeatures: 'a company watches few domains',
  getCourse: 'a course has few languages',
  getCourseContent: 'a course has few files',
  getCourseInteractions: 'the answers of one attempt are stored together, in at most 2 MiB',
  getCoursePackage: 'a manifest has few items',
  getGroup: 'the ids of its members are short, and are compared as a whole',
  getLearner: 'a learner is in few groups',
  getLearnerGapAnalysisProposals: 'at most three subjects are proposed',
  getLearnerImport: 'a table has at most 100 columns',
  getPolicyTemplate: 'a template has few languages and companies',
  getRole: 'a role has few scopes',
  getSimulationCalendar: 'a simulation has few days and templates, and only the first messages are listed',
  getSimulationMetrics: 'the simulations are those of the totals; GET /simulations lists them in pages',
  getSimulationSettings: 'an operator has few domains to send from',
  getSimulationTemplate: 'a template has few languages',
  getSimulationTemplatePicture: 'a template has few cues',
  getSimulationTrendReport: 'a report has a year of months, and the latest 200 simulations',
  listEvents: 'it is a log to be followed, and has a cursor also when there is nothing more',
  listIdentityProviders: 'a company has few identity providers',
  listRoles: 'a company has few roles',
};

const withList = Object.values(paths).flatMap(({ get }) => (get && hasList(get) ? [get] : []));
const withPages = withList.filter(({ operationId }) => !WITHOUT_PAGES[operationId]);

test('every operation that returns a list has pages, except for the documented ones', () => {
  const parts = ({ parameters = [] }: Operation) => parameters.map(({ $ref }) => $ref?.split('/').pop());
  const has = (operation: Operation) => parts(operation).includes('PageCursor');
  expect(withPages.filter((operation) => !has(operation)).map(({ operationId }) => operationId)).toEqual([]);
  const without = withList.filter((operation) => !has(operation)).map(({ operationId }) => operationId);
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_PAGES));
  for (const operation of withPages)
    expect(parts(operation)).toEqual(expect.arrayContaining(['PageLimit', 'PageCursor']));
});

test.each(withPages.map((operation) => [operation.operationId, operation] as const))(
  'the response of %s has its page next to the data, and a Link to the next one',
  (_name, { responses }) => {
    const { headers, content } = responses[200]!;
    expect(headers!.Link).toEqual({ $ref: '#/components/headers/PageLink' });
    expect(resolve(content!['application/json']!.schema).properties!.page).toEqual({
      $ref: '#/components/schemas/ListPage',
    });
  },
);

test('limit and cursor come after the parameters of the released contract', () => {
  const [newest] = readReleases();
  const { file } = newest!.surfaces.find(({ name }) => name === 'rest')!;
  const released = JSON.parse(readFileSync(new URL(file, newest!.folder), 'utf8')) as { paths: typeof paths };
  const queries = (operation?: Operation) =>
    (operation?.parameters ?? []).filter(({ $ref, ...own }) => {
      return ($ref ? components.parameters[$ref.split('/').pop()!]!.in : own.in) === 'query';
    });
  for (const [path, { get }] of Object.entries(paths)) {
    const before = queries(released.paths[path]?.get);
    const now = queries(get).slice(0, before.length);
    expect(now.map(({ $ref, name }) => $ref ?? name)).toEqual(before.map(({ $ref, name }) => $ref ?? name));
  }
});
