import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { apiKeyFrom, type NewApiKey } from '../src/auth/api-key.ts';
import { adminRows } from './demo-admins.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { companyId, companyOf, fixedId } from './demo-ids.ts';
import storedKeys from './demo-keys.json' with { type: 'json' };
import { type Person, type Random, createPerson, createRandom, pick } from './demo-people.ts';
import { insertManagedTemplates, insertPolicies } from './demo-policy-rows.ts';
import { recordRisks } from './demo-risk.ts';
import { insertSimulations } from './demo-simulations.ts';
import { sourceRow } from './demo-sources.ts';
import { courseRows, trainingOf } from './demo-training.ts';

const DAY_MS = 86_400_000;
const PUBLIC_IDS: typeof storedKeys = {
  tenant: 'demotenant00',
  otherTenant: 'demoother000',
  msp: 'demomsp00000',
  distributor: 'demodistrib0',
  prospect: 'demoprospect',
};

/** True when the database has companies, wherever they come from. */
export async function isSeeded(knex: Knex): Promise<boolean> {
  return (await knex('companies').first('id')) !== undefined;
}

/**
 * Fills an empty, migrated database with the demo: the same rows each time, ids, dates and keys included.
 * @returns false, having done nothing, when there are companies already.
 * @throws in production: everybody knows the keys of the demo.
 */
export async function seedDemo(knex: Knex): Promise<boolean> {
  if (process.env.NODE_ENV === 'production') throw new Error('The demo is not seeded when NODE_ENV is production.');
  const keys = demoKeys();
  return knex.transaction(async (transaction) => {
    await transaction.raw('lock table companies in share row exclusive mode');
    if (await isSeeded(transaction)) return false;
    await transaction('companies').insert(DEMO_COMPANIES.map(companyRow));
    await transaction('api_keys').insert(
      Object.entries(keys).map(([handle, key], index) => keyRow(handle, key, index)),
    );
    await transaction('sources').insert(sourceRow());
    await transaction('api_keys').insert(importKeyRow());
    await transaction('courses').insert(courseRows());
    await insertManagedTemplates(transaction);
    for (const company of DEMO_COMPANIES) {
      await transaction('admins').insert(adminRows(company));
      await insertPeople(transaction, company);
    }
    await recordRisks(transaction);
    return true;
  });
}

/** @throws when seeds/demo-keys.json, which people copy keys from, is not what these parts give. */
function demoKeys(): Record<string, NewApiKey> {
  const keys = Object.entries(PUBLIC_IDS).map(([handle, publicId]) => {
    const secret = Buffer.from(hash('sha256', `the demo key of ${handle}`, 'hex'), 'hex');
    return [handle, apiKeyFrom(publicId, secret)] as const;
  });
  const texts = Object.fromEntries(keys.map(([handle, { key }]) => [handle, key]));
  if (JSON.stringify(texts) !== JSON.stringify(storedKeys)) {
    throw new Error(`seeds/demo-keys.json must be ${JSON.stringify(texts)}`);
  }
  return Object.fromEntries(keys);
}

function companyRow(company: DemoCompany): object {
  return {
    id: companyId(company),
    name: company.name,
    account_type: company.accountType,
    parent_id: ancestors(company)[0] ?? null,
    managed_by: ancestors(company),
    plan_name: company.plan,
    learner_limit: company.learnerLimit,
    domain: company.domain,
    domain_lock: company.domainLock,
    ...company.features,
    created_at: company.createdAt,
  };
}

function keyRow(handle: string, { publicId, keyHash }: NewApiKey, index: number): object {
  const company = companyOf(handle);
  return {
    id: fixedId(Date.parse(company.createdAt), 'key', index),
    company_id: companyId(company),
    public_id: publicId,
    key_hash: keyHash,
    name: 'Demo',
    created_at: company.createdAt,
  };
}

/** A key of the tenant that may little, to be listed, rotated and revoked. */
function importKeyRow(): object {
  const key = apiKeyFrom('demohrimport', Buffer.from(hash('sha256', 'the demo key of an import', 'hex'), 'hex'));
  const row = keyRow('tenant', key, Object.keys(PUBLIC_IDS).length);
  return { ...row, name: 'HR import', scopes: ['groups:read', 'learners:read', 'learners:write'] };
}

async function insertPeople(transaction: Knex.Transaction, company: DemoCompany): Promise<void> {
  const random = createRandom(DEMO_COMPANIES.indexOf(company) + 1);
  const learners = createLearners(random, company);
  const { membersOf, groups, members, managers } = createGroups(random, company, learners);
  await transaction.batchInsert(
    'learners',
    learners.map(({ row }) => row),
    1000,
  );
  await transaction.batchInsert('groups', groups, 1000);
  await transaction.batchInsert('group_learners', members, 1000);
  await transaction.batchInsert('group_managers', managers, 1000);
  const { enrollments, characters } = trainingOf(company, learners, membersOf);
  await transaction.batchInsert('enrollments', enrollments, 1000);
  await insertPolicies(transaction, company, { characters, membersOf });
  await insertSimulations(transaction, company, { characters, membersOf });
}

type Learner = ReturnType<typeof createLearner>;

function createLearners(random: Random, company: DemoCompany): Learner[] {
  const emails = new Set<string>();
  const start = Date.parse(company.createdAt);
  return Array.from({ length: company.learners }, (_, index) => {
    const person = createPerson(random, company.languages);
    const email = freeEmail(person, company.domain, emails);
    const createdAt = start + Math.floor(((index + random()) / company.learners) * 300 * DAY_MS);
    return createLearner(random, companyId(company), { person, email, createdAt, index });
  });
}

function createLearner(
  random: Random,
  company_id: string,
  { person, email, createdAt, index }: { person: Person; email: string; createdAt: number; index: number },
) {
  const row = {
    company_id,
    id: fixedId(createdAt, 'learner', index),
    email,
    first_name: person.firstName,
    last_name: person.lastName,
    external_learner_id: random() < 0.9 ? `HR-${10_001 + index}` : null,
    locale: random() < 0.96 ? person.language : null,
    inactive: index % 12 === 7,
    excluded_from_auto_enrol: random() < 0.03,
    created_at: new Date(createdAt),
    updated_at: new Date(createdAt + Math.floor(random() * 100 * DAY_MS)),
  };
  return { row, language: person.language };
}

function freeEmail(person: Person, domain: string, taken: Set<string>): string {
  for (let attempt = 1; ; attempt += 1) {
    const email = `${person.mailName}${attempt > 1 ? attempt : ''}@${domain}`;
    if (taken.has(email)) continue;
    taken.add(email);
    return email;
  }
}

function createGroups(random: Random, company: DemoCompany, learners: Learner[]) {
  const { departments, sites, others = {} } = company.groups;
  const membersOf = new Map<string, Learner[]>();
  const join = (name: string, learner: Learner) => void membersOf.get(name)!.push(learner);
  for (const name of [...departments, ...Object.values(sites ?? {}), ...Object.keys(others)]) membersOf.set(name, []);
  for (const learner of learners) {
    if (random() < 0.94) join(pick(random, departments), learner);
    if (sites) join(sites[learner.language], learner);
    for (const [name, chance] of Object.entries(others)) if (random() < chance) join(name, learner);
  }

  const company_id = companyId(company);
  const created_at = new Date(company.createdAt);
  const entries = [...membersOf].map(([name, members], index) => ({
    group: { company_id, id: fixedId(created_at.getTime(), 'group', index), name, created_at, updated_at: created_at },
    members,
    managers: members.filter(({ row }) => !row.inactive).slice(0, random() < 0.3 ? 2 : 1),
  }));
  const link =
    (group_id: string) =>
    ({ row }: Learner) => ({ company_id, group_id, learner_id: row.id });
  return {
    membersOf,
    groups: entries.map(({ group }) => group),
    members: entries.flatMap(({ group, members }) => members.map(link(group.id))),
    managers: entries.flatMap(({ group, managers }) => managers.map(link(group.id))),
  };
}

/** The parent, then the parent's parent. */
function ancestors({ parent }: DemoCompany): string[] {
  return parent === undefined ? [] : [companyId(companyOf(parent)), ...ancestors(companyOf(parent))];
}
