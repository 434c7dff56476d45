import type { Knex } from 'knex';
import { apiKeyFrom } from '../../src/auth/api-key.ts';

/** The companies of the tests. `tenant` and `other` are unrelated; the distributor stands above the MSP. */
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

/** One key for each company, and some that must not work. */
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
  /** Well-formed, and nobody's. */
  unknown: key(12),
} as const;
export type KeyName = keyof typeof keys;

/** Five learners of each company: the last is inactive, the first manages the first group. */
export function learnerId(company: CompanyName, number: 1 | 2 | 3 | 4 | 5): string {
  return id('1', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Two groups of each company: the first holds learners 1 to 3, the second learners 3 and 4. */
export function groupId(company: CompanyName, number: 1 | 2): string {
  return id('2', Object.keys(companies).indexOf(company) * 16 + number);
}

/** A well-formed id that names nothing. */
export const unknownId = id('f', 1);

function id(kind: string, number: number): string {
  return `0192a3b4-0000-7000-8000-${kind}${number.toString(16).padStart(11, '0')}`;
}

function key(number: number): string {
  return apiKeyFrom(`testkey${String(number).padStart(5, '0')}`, Buffer.alloc(32, number)).key;
}

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

/** Fills an empty, migrated database. */
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
      plan_name: name === 'other' || name === 'childB' ? 'freeTrial' : 'business',
      domain: `${name.toLowerCase()}.test`,
    })),
  );
  for (const name of names) await createPeople(knex, name);
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
