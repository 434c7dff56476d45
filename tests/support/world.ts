import { insertPackage } from '../../seeds/demo-package.ts';
import type { Knex } from 'knex';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { createCampaign } from './world-campaigns.ts';
import { identityProviderRow } from './world-identity-providers.ts';
import { createRecords } from './world-imports.ts';
import { createSessions } from './world-sessions.ts';
import { createSimulations } from './world-simulations.ts';
import { createConnection, createSources, createWebhookEndpoint } from './world-sources.ts';
import { createFile, createManagedTemplate, createPolicies, createTemplates, fileId } from './world-policies.ts';

/** The companies of the test world. `tenant` and `other` are unrelated. The distributor is the parent of the MSP. */
export const companies = {
  tenant: id('c', 1),
  other: id('c', 2),
  msp: id('c', 3),
  childA: id('c', 4),
  childB: id('c', 5),
  distributor: id('c', 6),
  directChild: id('c', 7),
  prospect: id('c', 8),
  strangerMsp: id('c', 9),
} as const;
export type CompanyName = keyof typeof companies;

/** One key for each company, and some that the service must reject. */
export const keys = {
  tenant: key(1),
  other: key(2),
  msp: key(3),
  childA: key(4),
  childB: key(5),
  distributor: key(6),
  directChild: key(7),
  prospect: key(8),
  strangerMsp: key(9),
  expired: key(10),
  revoked: key(11),
  /** Well-formed, but not stored. */
  unknown: key(12),
} as const;
export type KeyName = keyof typeof keys;

/** Returns the id of a learner. Each company has five: the first manages the first group, the last is inactive. */
export function learnerId(company: CompanyName, number: 1 | 2 | 3 | 4 | 5): string {
  return id('1', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of a group. Each company has two: the first has learners 1 to 3, the second learners 3 and 4. */
export function groupId(company: CompanyName, number: 1 | 2): string {
  return id('2', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of an admin. Each company has two: the first is active, the second invited. */
export function adminId(company: CompanyName, number: 1 | 2): string {
  return id('3', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of the second admin's passkey, which no device holds. */
export function passkeyId(company: CompanyName): string {
  return id('3', 0x1000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of a role that the company created and that no admin has. */
export function roleId(company: CompanyName): string {
  return id('3', 0x2000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of a company's spare key. It makes no calls, because its secret is unknown. */
export function spareKeyId(company: CompanyName): string {
  return id('e', 0x100 + Object.keys(companies).indexOf(company));
}

/** The managed catalogue: two courses and the gap analysis. */
export const managedCourses = { phishing: id('4', 1), passwords: id('4', 2), gapAnalysis: id('4', 3) } as const;

/** Returns the id of a company's own course. */
export function ownCourseId(company: CompanyName): string {
  return id('5', Object.keys(companies).indexOf(company) * 16 + 1);
}

/** Returns the package id of a company's own course. */
export function packageId(company: CompanyName): string {
  return id('5', Object.keys(companies).indexOf(company) * 16 + 2);
}

/** A well-formed id that no object has. */
export const unknownId = id('f', 1);

/** Returns the id for a kind and a number, which is the same in every run. */
export function id(kind: string, number: number): string {
  return `0192a3b4-0000-7000-8000-${kind}${number.toString(16).padStart(11, '0')}`;
}

function key(number: number): string {
  return apiKeyFrom(`testkey${String(number).padStart(5, '0')}`, Buffer.alloc(32, number)).key;
}

export const MANAGED_CATALOGUE = '00000000-0000-0000-0000-000000000000';

const accountTypes: Record<CompanyName, string> = {
  tenant: 'tenant',
  other: 'tenant',
  msp: 'msp',
  childA: 'tenant',
  childB: 'tenant',
  distributor: 'distributor',
  directChild: 'tenant',
  prospect: 'prospect',
  strangerMsp: 'msp',
};
const parents: Partial<Record<CompanyName, CompanyName>> = {
  msp: 'distributor',
  childA: 'msp',
  childB: 'msp',
  directChild: 'distributor',
};

/** Creates the test world in an empty, migrated database. */
export async function createWorld(knex: Knex): Promise<void> {
  const names = Object.keys(companies) as CompanyName[];
  const parentsFirst = names.toSorted((a, b) => ancestors(a).length - ancestors(b).length);
  await knex('companies').insert(
    parentsFirst.map((name) => ({
      id: companies[name],
      name: `The ${name} company`,
      account_type: accountTypes[name],
      parent_id: parents[name] ? companies[parents[name]] : null,
      managed_by: ancestors(name),
      ...(name === 'other' || name === 'childB'
        ? { plan_name: 'freeTrial', learner_limit: 1_000_000 }
        : { plan_name: 'business' }),
      domain: `${name.toLowerCase()}.test`,
      smbreachproenabled: true,
      smbreachprodomains: [`${name.toLowerCase()}.test`],
    })),
  );
  await createCourses(knex, names);
  for (const name of names) {
    await createPeople(knex, name);
    await createEnrollments(knex, name);
    await insertPackage(knex, {
      ...{ companyId: companies[name], courseId: ownCourseId(name), packageId: packageId(name) },
      uploadedAt: '2026-01-05T09:00:00Z',
    });
    await createFile(knex, companies[name], fileId(name));
    await createPolicies(knex, name);
    await createTemplates(knex, name);
    await createSimulations(knex, name);
    await createRecords(knex, name);
    await createCampaign(knex, name);
    await createSources(knex, name);
    await createWebhookEndpoint(knex, name);
  }
  await createManagedTemplate(knex);
  await knex('api_keys').insert(
    names.concat(['tenant', 'tenant']).map((name, index) => ({
      id: id('e', index + 1),
      company_id: companies[name],
      name: 'tests',
      ...storedKey(index + 1),
      expires_at: index === names.length ? '2020-01-01T00:00:00Z' : null,
      revoked_at: index === names.length + 1 ? '2020-01-01T00:00:00Z' : null,
    })),
  );
  await knex('api_keys').insert(
    names.map((name, index) => ({
      id: spareKeyId(name),
      company_id: companies[name],
      name: 'spare',
      public_id: `sparekey${String(index).padStart(4, '0')}`,
      key_hash: Buffer.alloc(32, 0x80 + index),
    })),
  );
  for (const name of names) await createConnection(knex, name, spareKeyId(name));
}

function ancestors(name: CompanyName): string[] {
  const parent = parents[name];
  return parent ? [companies[parent], ...ancestors(parent)] : [];
}

function storedKey(number: number): { public_id: string; key_hash: Buffer } {
  const { publicId, keyHash } = apiKeyFrom(`testkey${String(number).padStart(5, '0')}`, Buffer.alloc(32, number));
  return { public_id: publicId, key_hash: keyHash };
}

async function createPeople(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const numbers = [1, 2, 3, 4, 5] as const;
  await knex('learners').insert(
    numbers.map((number) => ({
      company_id,
      id: learnerId(company, number),
      email: `learner${number}@${company.toLowerCase()}.test`,
      first_name: ['Ada', 'Grace', 'Katherine', 'Edsger', 'Alan'][number - 1],
      last_name: company,
      external_learner_id: number === 4 ? null : `HR-${number}`,
      inactive: number === 5,
      locale: 'en',
    })),
  );
  await knex('roles').insert({ company_id, id: roleId(company), name: 'Own role', scopes: ['groups:read'] });
  await knex('identity_providers').insert(identityProviderRow(company));
  await knex('admins').insert(
    ([1, 2] as const).map((number) => ({
      company_id,
      id: adminId(company, number),
      email: `admin${number}@${company.toLowerCase()}.test`,
      first_name: ['Mary', 'Dorothy'][number - 1],
      last_name: company,
      locale: number === 1 ? 'en' : 'de-CH',
      status: number === 1 ? 'active' : 'invited',
      invited_at: '2026-01-05T09:00:00Z',
    })),
  );
  await knex('passkeys').insert({
    company_id,
    id: passkeyId(company),
    admin_id: adminId(company, 2),
    credential_id: Buffer.from(`credential of ${company}`),
    public_key: Buffer.from(`public key of ${company}`),
    counter: 0,
    name: 'Laptop',
  });
  await createSessions(knex, company);
  await knex('groups').insert(
    ([1, 2] as const).map((number) => ({ company_id, id: groupId(company, number), name: `Group ${number}` })),
  );
  const memberships = [
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 3],
    [2, 4],
  ] as const;
  await knex('group_learners').insert(
    memberships.map(([group, learner]) => ({
      company_id,
      group_id: groupId(company, group),
      learner_id: learnerId(company, learner),
    })),
  );
  await knex('group_managers').insert({
    company_id,
    group_id: groupId(company, 1),
    learner_id: learnerId(company, 1),
  });
}

async function createCourses(knex: Knex, names: CompanyName[]): Promise<void> {
  const managed = {
    owner_id: MANAGED_CATALOGUE,
    type: 'training',
    difficulty: 1,
    pass_mark: 80,
    locales: ['en', 'de'],
  };
  await knex('courses').insert([
    course({ ...managed, id: managedCourses.phishing, name: 'phishing-basics', subject: 'Phishing' }),
    course({ ...managed, id: managedCourses.passwords, name: 'strong-passwords', subject: 'Passwords', difficulty: 2 }),
    course({ ...managed, id: managedCourses.gapAnalysis, name: 'gap-analysis', subject: 'All', type: 'gap_analysis' }),
    ...names.map((name) =>
      course({ ...managed, owner_id: companies[name], id: ownCourseId(name), name: `own-${name}`, subject: 'Own' }),
    ),
  ]);
}

function course(row: { id: string; name: string; [column: string]: unknown }): object {
  return { ...row, display_name: `The ${row.name} course` };
}

/**
 * Enrols a company's learners. In the managed phishing course, learner 1 has passed, 2 has failed, 3 has not started,
 * and 5, who is inactive, has passed. Learner 1 has started the password course, and learner 3 the company's own
 * course. Learner 2 has finished the gap analysis. Learner 4 has no enrolment.
 */
async function createEnrollments(knex: Knex, company: CompanyName): Promise<void> {
  const enrollment = (learner: 1 | 2 | 3 | 5, course_id: string, dates: string[], score?: number) => ({
    company_id: companies[company],
    learner_id: learnerId(company, learner),
    course_id,
    course_owner_id: course_id === ownCourseId(company) ? companies[company] : MANAGED_CATALOGUE,
    enroll_date: dates[0],
    start_date: dates[1] ?? null,
    finish_date: dates[2] ?? null,
    score: score ?? null,
    passed: score === undefined ? null : score >= 80,
  });
  const { phishing, passwords, gapAnalysis } = managedCourses;
  await knex('enrollments').insert([
    enrollment(1, phishing, ['2026-03-02', '2026-03-03', '2026-03-03'], 92.5),
    enrollment(1, passwords, ['2026-03-09', '2026-03-10']),
    enrollment(2, phishing, ['2026-03-02', '2026-03-05', '2026-03-06'], 60),
    enrollment(2, gapAnalysis, ['2026-02-01', '2026-02-02', '2026-02-03'], 71.25),
    enrollment(3, phishing, ['2026-03-02']),
    enrollment(3, ownCourseId(company), ['2026-04-01', '2026-04-02']),
    enrollment(5, phishing, ['2026-01-02', '2026-01-03', '2026-01-03'], 100),
  ]);
}
