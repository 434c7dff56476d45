import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { companies, type CompanyName, id, learnerId, MANAGED_CATALOGUE } from './world.ts';

/** Returns the id of a policy. Each company has three: 1 is live, 2 is live with a draft, 3 is only a draft. */
export function policyId(company: CompanyName, number: 1 | 2 | 3): string {
  return id('6', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of the live version of policy 1 or 2. */
export function versionId(company: CompanyName, number: 1 | 2): string {
  return id('7', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of a company's only file, which all of its policies and templates use. */
export function fileId(company: CompanyName): string {
  return id('8', Object.keys(companies).indexOf(company) * 16 + 1);
}

/**
 * Returns the id of a policy template. Each company has two: 1 is published and shared with every child, 2 is a draft.
 */
export function templateId(company: CompanyName, number: 1 | 2): string {
  return id('9', Object.keys(companies).indexOf(company) * 16 + number);
}

/** The published policy template of the managed catalogue. */
export const managedTemplate = '0192a3b4-0000-7000-8000-a00000000001';

/** A valid PDF of one empty page. */
export const onePagePdf = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj',
    'xref',
    '0 4',
    '0000000000 65535 f ',
    '0000000009 00000 n ',
    '0000000052 00000 n ',
    '0000000101 00000 n ',
    'trailer<</Size 4/Root 1 0 R>>',
    'startxref',
    '164',
    '%%EOF',
    '',
  ].join('\n'),
);

export async function createFile(knex: Knex, company_id: string, fileId: string): Promise<void> {
  const sha256 = createHash('sha256').update(onePagePdf).digest();
  await knex('file_contents').insert({ company_id, sha256, content: onePagePdf });
  await knex('policy_files').insert({
    company_id,
    id: fileId,
    sha256,
    file_name: 'policy.pdf',
    size_bytes: onePagePdf.length,
    page_count: 1,
    expires_at: '2026-01-06T09:00:00Z',
  });
}

/**
 * Creates a company's policies. Policy 1 is assigned to learner 1, who has signed it, to learner 2, who has opened it,
 * and to learner 5, who is inactive. Learner 3 has signed it on paper and is no longer assigned. Policy 2 is assigned
 * to learner 2.
 */
export async function createPolicies(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const file_id = fileId(company);
  const time = '2026-03-02T08:00:00Z';
  await knex('policies').insert(
    ([1, 2, 3] as const).map((number) => ({
      company_id,
      id: policyId(company, number),
      name: `Policy ${number} of ${company}`,
      is_public: false,
      file_id,
      major_version: 1,
      minor_version: 0,
      created_at: time,
      updated_at: time,
    })),
  );
  for (const number of [1, 2] as const) {
    const policy_id = policyId(company, number);
    await knex('policy_versions').insert({
      company_id,
      id: versionId(company, number),
      policy_id,
      major_version: 1,
      minor_version: 0,
      name: `Policy ${number} of ${company}`,
      file_id,
      published_at: time,
    });
    await knex('policies')
      .where({ company_id, id: policy_id })
      .update({ live_version_id: versionId(company, number), published_at: time });
  }
  await knex('policy_drafts').insert(
    ([2, 3] as const).map((number) => ({
      company_id,
      policy_id: policyId(company, number),
      name: number === 2 ? `Policy 2 of ${company}, new` : `Policy 3 of ${company}`,
      is_public: false,
      file_id,
    })),
  );
  const version = versionId(company, 1);
  const result = (number: number, policy: 1 | 2, learner: 1 | 2 | 3 | 5, facts: object) => ({
    company_id,
    id: id('b', Object.keys(companies).indexOf(company) * 16 + number),
    policy_id: policyId(company, policy),
    learner_id: learnerId(company, learner),
    assigned_at: time,
    asked_at: time,
    sent_version_id: versionId(company, policy),
    ...facts,
  });
  const visited = { visited_at: '2026-03-03T09:12:45.120Z', visited_version_id: version };
  const signed = { signed: '2026-03-03T09:15:02.310Z', signed_version_id: version };
  await knex('policy_results').insert(result(1, 1, 1, { ...visited, ...signed }));
  await knex('policy_results').insert(result(2, 1, 2, visited));
  await knex('policy_results').insert(
    result(3, 1, 3, { ...signed, signed_offline: true, assigned_at: null, asked_at: null }),
  );
  await knex('policy_results').insert(result(4, 1, 5, {}));
  await knex('policy_results').insert(result(5, 2, 2, {}));
}

export async function createTemplates(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const shared = { company_id, locales: ['en'], file_id: fileId(company) };
  await knex('policy_templates').insert({
    ...shared,
    id: templateId(company, 1),
    name: `Template 1 of ${company}`,
    published_at: '2026-01-05T09:00:00Z',
    is_global: true,
  });
  await knex('policy_templates').insert({ ...shared, id: templateId(company, 2), name: `Template 2 of ${company}` });
  await knex('policy_template_drafts').insert({
    ...shared,
    template_id: templateId(company, 2),
    name: `Template 2 of ${company}`,
  });
}

export async function createManagedTemplate(knex: Knex): Promise<void> {
  await createFile(knex, MANAGED_CATALOGUE, id('a', 2));
  await knex('policy_templates').insert({
    company_id: MANAGED_CATALOGUE,
    id: managedTemplate,
    name: 'Managed template',
    locales: ['en', 'de'],
    file_id: id('a', 2),
    published_at: '2026-01-05T09:00:00Z',
  });
}
