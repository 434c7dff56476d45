/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import pg from 'pg';
import { type Answer, del, fingerprintOf, get, patch, post } from '../../../support/client.ts';
import { companies, type CompanyName, id, MANAGED_CATALOGUE, unknownId } from '../../../support/world.ts';
import { managedTemplate, templateId } from '../../../support/world-policies.ts';
import { createdId, listed, moveBelow, rememberTemplates } from './template-state.ts';

/**
 * Rights of each account to each template. Columns: see, use, update, publish, discard, delete, accounts.
 * PATCH returns 403 to tenants and prospects for any template, and 404 to MSPs and distributors for foreign templates.
 */
const TABLE = `
own, published
  own           | 200                        | 403 forbidden | 400 no_draft  | 400 no_draft  | deleted | tenant other childA childB
  own           | 200                        | 403 forbidden | 400 no_draft  | 400 no_draft  | deleted | directChild prospect mspProspect
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | msp distributor strangerMsp
own, draft only
  own           | 400 template_not_published | 403 forbidden | 200           | 200           | deleted | tenant other childA childB
  own           | 400 template_not_published | 403 forbidden | 200           | 200           | deleted | directChild prospect mspProspect
  own           | 400 template_not_published | 200           | 200           | 200           | deleted | msp distributor strangerMsp
the MSP's, published, global
  shared        | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | childA childB mspProspect
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | distributor strangerMsp
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | msp
the MSP's, published, limited to childA
  shared        | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | childA
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | childB mspProspect tenant other
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | distributor strangerMsp
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | msp
the MSP's, published, shared with nobody
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | childA childB mspProspect tenant
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | other directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | distributor strangerMsp
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | msp
the MSP's, draft only, naming childB
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | childA childB mspProspect tenant
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | other directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | distributor strangerMsp
  own           | 400 template_not_published | 200           | 200           | 200           | deleted | msp
the distributor's, published, global
  shared        | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | childA childB mspProspect directChild
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp strangerMsp
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | distributor
the distributor's, published, limited to childB, the MSP and a stranger
  shared        | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | childB
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | childA mspProspect directChild
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp strangerMsp
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | distributor
the distributor's, draft only, global
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | childA childB mspProspect directChild
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp strangerMsp
  own           | 400 template_not_published | 200           | 200           | 200           | deleted | distributor
managed, published
  managed       | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other childA childB
  managed       | 200                        | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect mspProspect
  managed       | 200                        | 404 not_found | 404 not_found | 404 not_found | skipped | msp distributor strangerMsp
managed, draft only, global
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other childA childB
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect mspProspect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp distributor strangerMsp
an unrelated MSP's, published, global
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other childA childB
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect mspProspect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp distributor
  own           | 200                        | 200           | 400 no_draft  | 400 no_draft  | deleted | strangerMsp
childA's, published, global
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant other childB mspProspect
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp distributor strangerMsp
  own           | 200                        | 403 forbidden | 400 no_draft  | 400 no_draft  | deleted | childA
another tenant's, draft only
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | tenant childA childB mspProspect
  404 not_found | 404 not_found              | 403 forbidden | 404 not_found | 404 not_found | skipped | directChild prospect
  404 not_found | 404 not_found              | 404 not_found | 404 not_found | 404 not_found | skipped | msp distributor strangerMsp
  own           | 400 template_not_published | 403 forbidden | 200           | 200           | deleted | other
`;

type Account = CompanyName | 'mspProspect';
const RIGHTS = ['see', 'use', 'update', 'publish', 'discard', 'delete'] as const;
type Rights = Record<(typeof RIGHTS)[number], string>;
const rows: [Account, string, Rights][] = [];
let template = '';
for (const line of TABLE.trim().split('\n')) {
  if (!line.startsWith(' ')) template = line;
  else {
    const cells = line.split('|').map((cell) => cell.trim());
    const rights = Object.fromEntries(RIGHTS.map((right, place) => [right, cells[place]])) as Rights;
    for (const account of cells.at(-1)!.split(' ')) rows.push([account as Account, template, rights]);
  }
}

const managedDraft = id('a', 9);
const ids: Record<string, (key: CompanyName) => string> = {
  'own, published': (key) => templateId(key, 1),
  'own, draft only': (key) => templateId(key, 2),
  "the MSP's, published, global": () => templateId('msp', 1),
  "the MSP's, draft only, naming childB": () => templateId('msp', 2),
  "the distributor's, published, global": () => templateId('distributor', 1),
  "the distributor's, draft only, global": () => templateId('distributor', 2),
  'managed, published': () => managedTemplate,
  'managed, draft only, global': () => managedDraft,
  "an unrelated MSP's, published, global": () => templateId('strangerMsp', 1),
  "childA's, published, global": () => templateId('childA', 1),
  "another tenant's, draft only": () => templateId('other', 2),
};

let restore: () => Promise<void>;
beforeAll(async () => {
  const limited = await createdId('msp', { action: 'live', global: true, companies: [companies.childA] });
  ids["the MSP's, published, limited to childA"] = () => limited;
  const unshared = await createdId('msp', { action: 'live' });
  ids["the MSP's, published, shared with nobody"] = () => unshared;
  const named = await createdId('distributor', { action: 'live', companies: [companies.childB] });
  ids["the distributor's, published, limited to childB, the MSP and a stranger"] = () => named;
  // Sharing that the API rejects, but that can exist after a move, must grant no rights.
  await testService.query('update policy_templates set companies = companies || $2::uuid[] where id = $1', [
    named,
    [companies.msp, companies.tenant],
  ]);
  await testService.query("update policy_templates set is_global = true where name like 'Template 2 of %'");
  await testService.query('update policy_templates set is_global = false, companies = $2 where id = $1', [
    templateId('msp', 2),
    [companies.childB],
  ]);
  await testService.query(
    `insert into policy_templates (company_id, id, name, locales, file_id, is_global)
     select company_id, $2, 'Managed draft', '{}', file_id, true from policy_templates where company_id = $1`,
    [MANAGED_CATALOGUE, managedDraft],
  );
  restore = await rememberTemplates();
});

/** Returns the outcome of a call. Expects that a 404 equals the 404 of an unknown id and that errors change nothing. */
async function outcome(send: (templateId: string) => Promise<Answer>, key: CompanyName, id: string): Promise<string> {
  const before = await fingerprintOf(key);
  const answer = await send(id);
  const { status, body } = answer;
  if (status === 404) expect(body).toEqual((await send(unknownId)).body);
  if (status >= 400) expect(await fingerprintOf(key)).toBe(before);
  else await restore();
  return status === 200 ? '200' : `${status} ${body.error!.code}`;
}

describe('the rights to policy templates', () => {
  afterEach(() => restore());

  test('the table lists each account with each template exactly once', () => {
    const accounts = [...Object.keys(companies), 'mspProspect'];
    const all = accounts.flatMap((account) => Object.keys(ids).map((name) => `${account}: ${name}`));
    expect(rows.map(([account, name]) => `${account}: ${name}`).sort()).toEqual(all.sort());
  });

  test.each(rows)('%s has the expected rights to a template: %s', async (account, name, rights) => {
    const key = account === 'mspProspect' ? 'prospect' : account;
    const above = account === 'mspProspect';
    const place = (): Promise<void> => (above ? moveBelow('prospect', 'msp') : Promise.resolve());
    const id = ids[name]!(key);
    const attempt = async (send: (templateId: string) => Promise<Answer>): Promise<string> => {
      await place();
      return outcome(send, key, id);
    };
    const path = (templateId: string): string => `/policy-templates/${templateId}`;
    const found: Partial<Rights> = {};
    await place();
    const shown = (await listed(key)).find((item) => item.id === id);
    const read = await get(path(id), key);
    if (read.status === 200) expect(shown?.source).toBe(read.body.data.source);
    else expect(shown).toBeUndefined();
    found.see = read.status === 200 ? read.body.data.source : await attempt((other) => get(path(other), key));
    found.use = await attempt(async (policyTemplateId) => {
      const answer = await post('/policies/from-template', { policyTemplateId, action: 'live' }, key);
      if (answer.status === 200) expect(answer.body.data).toMatchObject({ name: shown!.name, isLive: true });
      else expect(answer.body.error!.details.map(({ field }) => field)).toEqual(['body/policyTemplateId']);
      return answer;
    });
    found.update = await attempt((other) => patch(path(other), { action: 'draft', name: 'Renamed' }, key));
    found.publish = await attempt((other) => post(`${path(other)}/publish-draft`, undefined, key));
    found.discard = await attempt((other) => post(`${path(other)}/discard-draft`, undefined, key));
    await place();
    const { data } = (await del('/policy-templates/bulk', { policyTemplateIds: [id] }, key)).body;
    found.delete = data.deletedIds.includes(id) ? 'deleted' : 'skipped';
    const [row] = await testService.query('select count(*)::integer from policy_templates where id = $1', [id]);
    expect({ rows: row!.count }).toEqual({ rows: found.delete === 'deleted' ? 0 : 1 });
    expect(found).toEqual(rights);
  });
});

describe('SQL functions that read across companies', () => {
  let service: pg.Client;
  beforeAll(async () => {
    service = new pg.Client(testService.database.serviceUrl);
    await service.connect();
  });
  afterAll(() => service.end());

  /** Runs statements as the service, for a company or none, rolls them back and returns the rows of the last one. */
  async function runAs(company: CompanyName | null, ...statements: [string, unknown[]?][]): Promise<unknown[]> {
    await service.query('begin');
    try {
      const companyId = company === null ? '' : companies[company];
      await service.query("select set_config('app.company_id', $1, true)", [companyId]);
      let rows: unknown[] = [];
      for (const [text, values] of statements) ({ rows } = await service.query<object>(text, values));
      return rows;
    } finally {
      await service.query('rollback');
    }
  }
  const published = 'select (select encode(sha256, $$hex$$) from published_template($1)) as file';
  const adopt = `insert into file_contents (company_id, sha256, content)
                 select current_company(), sha256, content from published_template($1) returning encode(sha256, 'hex')`;
  const seen = 'select id, owner_id, source, file_id from visible_templates() order by id';

  test.each(['visible_templates()', 'published_template(uuid)'])('only the service can execute %s', async (name) => {
    const may = (role: string): string => `has_function_privilege('${role}', '${name}', 'execute')`;
    const [row] = await testService.query(`select ${may('public')} as public, ${may('awareness_service')} as service`);
    expect(row).toEqual({ public: false, service: true });
  });

  test('without a company only the managed template is visible, and its file cannot be copied', async () => {
    expect(await runAs(null, [seen])).toEqual([
      { id: managedTemplate, owner_id: MANAGED_CATALOGUE, source: 'managed', file_id: null },
    ]);
    await expect(runAs(null, [adopt, [managedTemplate]])).rejects.toThrow(/null value|row-level security/);
  });

  test.each(Object.keys(ids))('a file can be copied only from a visible published template: %s', async (name) => {
    for (const key of Object.keys(companies) as CompanyName[]) {
      const use = rows.find(([account, template]) => account === key && template === name)![2].use;
      const id = ids[name]!(key);
      const found = await runAs(key, [published, [id]]);
      expect({ key, found }).toEqual({ key, found: [{ file: use === '200' ? expect.any(String) : null }] });
    }
  });

  test('temporary tables of the same names do not affect the functions', async () => {
    const deception: [string][] = [
      ['create temporary table companies as select * from public.companies'],
      [
        `insert into companies (id, account_type, managed_by) values ('${companies.tenant}', 'tenant', '{${companies.msp}}')`,
      ],
      ['create temporary table policy_templates (like public.policy_templates)'],
    ];
    const honest = await runAs('tenant', [seen]);
    expect(await runAs('tenant', ...deception, [seen])).toEqual(honest);
    expect(await runAs('tenant', ...deception, [published, [templateId('msp', 1)]])).toEqual([{ file: null }]);
  });
});
