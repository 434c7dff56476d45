import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { apiKeyFrom, type NewApiKey } from '../src/auth/api-key.ts';
import { adminRows, identityProviderRow, roleRow } from './demo-admins.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { courseId, courseNamed, loadCourses, listOwnCourses, ownerId } from './demo-course-rows.ts';
import { brandingRow } from './demo-branding.ts';
import { companyId, findCompany, fixedId, fixedReference } from './demo-ids.ts';
import storedKeys from './demo-keys.json' with { type: 'json' };
import { type DemoGroup, type DemoLearner, buildStaff } from './demo-staff.ts';
import { completeSimulations, type Facts, tellFacts } from './demo-facts.ts';
import { makeCourses, makeGroups, makeLearners } from './demo-makers.ts';
import { insertCampaigns } from './demo-declared-campaigns.ts';
import { insertContent } from './demo-course-content.ts';
import { insertPackage, type PackagePlace } from './demo-package.ts';
import { insertManagedTemplates, insertPolicies, buildPolicyFacts, setNewUserPolicies } from './demo-policy-rows.ts';
import { backdateRecords } from './demo-recorded.ts';
import { recordRisks } from './demo-risk.ts';
import { issueSeedKeys, withService } from './demo-service.ts';
import { insertSessions } from './demo-sessions.ts';
import { buildSimulations } from './demo-simulations.ts';
import { insertBoardSchedule } from './demo-board-schedules.ts';
import { insertLearnerImport } from './demo-imports.ts';
import { insertLearnerMerge, simulationDomainRow, simulationExclusionRow } from './demo-safeguards.ts';
import { loadSimulationTemplates, ownSimulationTemplateRow } from './demo-simulation-templates.ts';
import { sourceRow, webhookEndpointRow } from './demo-sources.ts';
import { isHalfSeeded, isSeeded, SEED_KEY } from './demo-state.ts';
import { buildTraining } from './demo-training.ts';

const PUBLIC_IDS: typeof storedKeys = {
  tenant: 'demotenant00',
  otherTenant: 'demoother000',
  msp: 'demomsp00000',
  distributor: 'demodistrib0',
  prospect: 'demoprospect',
};

/**
 * Fills an empty, migrated database with the demo. The demo is the same each time, including ids, dates and keys,
 * except for values that the service itself generates.
 *
 * Operations create learners, groups with past memberships, own courses, results, signatures, and simulations
 * with their events. The catalogue is loaded as its command does. The rest is inserted as rows, because no operation
 * accepts it with dates of the last two years: companies and their keys, admins, dates of enrolments and signature
 * requests, the recipients of a draft, and the history of the risk score. Policies with their versions are also rows: an
 * operation would mark all but the live version as published by another system.
 *
 * A seed that was killed is completed by the next call.
 * @param serviceUrl the same database, for the role of the service
 * @returns false if the database has companies already; it is then left unchanged
 * @throws in production, because everybody knows the keys of the demo
 */
export async function seedDemo(owner: Knex, serviceUrl: string): Promise<boolean> {
  if (process.env.NODE_ENV === 'production') throw new Error('The demo is not seeded if NODE_ENV is production.');
  const programmes = DEMO_COMPANIES.map(buildProgramme);
  return owner.transaction(async (lock) => {
    await lock.raw(`select pg_advisory_xact_lock(hashtext('seeds/demo.ts'))`);
    const keys = await owner.transaction(begin);
    if (!keys) return false;
    await withService({ serviceUrl, keys }, async (callOf) => {
      const tell = async ({ company, learners, groups, rows, facts }: Programme) => {
        const teller = { owner, company, call: callOf(company) };
        await makeCourses(teller, listOwnCourses(company));
        await makeLearners(teller, learners, () => makeGroups(teller, groups));
        for (const [table, all] of Object.entries(rows)) await insertMissing(owner, table, all);
        if (company.handle === 'tenant') {
          await insertPackage(owner, packagePlace());
          await insertContent(owner, companyId(company));
        }
        await tellFacts(teller, facts);
      };
      await Promise.all(programmes.map(tell));
    });
    await owner.transaction((transaction) => complete(transaction, programmes));
    return true;
  });
}

/**
 * Inserts the rows unless they exist. Returns keys to call the operations with, or undefined if the demo is complete.
 */
async function begin(transaction: Knex.Transaction): Promise<ReadonlyMap<DemoCompany, string> | undefined> {
  const keys = demoKeys();
  await transaction.raw('lock table companies in share row exclusive mode');
  if (await isSeeded(transaction)) return (await isHalfSeeded(transaction)) ? issueSeedKeys(transaction) : undefined;
  await transaction('companies').insert(DEMO_COMPANIES.map(companyRow));
  await transaction('api_keys').insert(Object.entries(keys).map(([handle, key], index) => keyRow(handle, key, index)));
  await transaction('api_keys').insert(importKeyRow());
  await transaction('oauth_grants').insert(connectionRow());
  await transaction('sources').insert(sourceRow());
  await transaction('webhook_endpoints').insert(webhookEndpointRow());
  await transaction('simulation_domains').insert(simulationDomainRow());
  await transaction('simulation_exclusions').insert(simulationExclusionRow());
  await transaction('simulation_templates').insert(ownSimulationTemplateRow());
  await loadCourses(transaction);
  await loadSimulationTemplates(transaction);
  await insertManagedTemplates(transaction);
  for (const company of DEMO_COMPANIES) {
    await transaction('admins').insert(adminRows(company));
    if (company.handle === 'tenant') {
      await transaction('passkeys').insert(passkeyRow());
      await transaction('roles').insert(roleRow(company));
      await transaction('identity_providers').insert(identityProviderRow(company));
    }
    if (company.handle === 'tenant') await transaction('company_settings').insert(brandingRow(companyId(company)));
    await insertPolicies(transaction, company);
  }
  return issueSeedKeys(transaction);
}

async function complete(transaction: Knex.Transaction, programmes: Programme[]): Promise<void> {
  for (const { company, facts } of programmes) await completeSimulations(transaction, company, facts.simulations);
  await backdateRecords(transaction);
  await insertLearnerMerge(transaction);
  await insertLearnerImport(transaction);
  await insertBoardSchedule(transaction);
  await insertSessions(transaction);
  await recordRisks(transaction);
  // Must run last, because changes to learners would be recorded for a running campaign.
  await insertCampaigns(transaction);
  for (const company of DEMO_COMPANIES) await setNewUserPolicies(transaction, company);
  await transaction('api_keys').where({ name: SEED_KEY }).delete();
}

/** Derives the keys. @throws if they differ from seeds/demo-keys.json, from which people copy keys */
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

type Row = { id: string } & Record<string, unknown>;

function keyRow(handle: string, { publicId, keyHash }: NewApiKey, index: number): Row {
  const company = findCompany(handle);
  return {
    id: fixedId(Date.parse(company.createdAt), 'key', index),
    company_id: companyId(company),
    public_id: publicId,
    key_hash: keyHash,
    name: 'Demo',
    created_at: company.createdAt,
  };
}

/** Builds a key of the tenant with few scopes, which users of the demo can list, rotate and revoke. */
function importKeyRow(): Row {
  const key = apiKeyFrom('demohrimport', Buffer.from(hash('sha256', 'the demo key of an import', 'hex'), 'hex'));
  const row = keyRow('tenant', key, Object.keys(PUBLIC_IDS).length);
  return { ...row, name: 'HR import', scopes: ['groups:read', 'learners:read', 'learners:write'] };
}

/** Builds the connection of an application that reads with the import key, which users of the demo can list and end. */
function connectionRow(): object {
  const company = findCompany('tenant');
  return {
    id: 'demo',
    connection_id: fixedId(Date.parse(company.createdAt), 'connection', 1),
    api_key_id: importKeyRow().id,
    client_id: 'https://assistant.example/client.json',
    client_name: 'Example assistant',
    redirect_host: 'assistant.example',
    payload: { openid: { scope: 'groups:read learners:read' } },
    created_at: company.createdAt,
    expires_at: '2099-12-31T00:00:00Z',
  };
}

/** Builds a passkey of the first admin, which users of the demo can list and remove. No device has this passkey. */
function passkeyRow(): object {
  const company = findCompany('tenant');
  const createdMs = Date.parse(company.createdAt);
  return {
    company_id: companyId(company),
    id: fixedId(createdMs, 'connection', 2),
    admin_id: fixedId(createdMs, 'admin', 0),
    credential_id: Buffer.from('the demo credential'),
    public_key: Buffer.from('the demo public key'),
    counter: 0,
    name: 'Laptop',
    created_at: company.createdAt,
  };
}

interface Programme {
  company: DemoCompany;
  learners: DemoLearner[];
  groups: DemoGroup[];
  /** Rows that refer to learners and courses of the company, by table. */
  rows: Record<'enrollments' | 'policy_results', object[]>;
  facts: Facts;
}

/** Creates everything that happens in a company. */
function buildProgramme(company: DemoCompany): Programme {
  const { learners, groups, membersOf } = buildStaff(company);
  const { enrollments, results, characters } = buildTraining(company, learners, membersOf);
  const policies = buildPolicyFacts(company, { characters, membersOf });
  const simulations = buildSimulations(company, { characters, membersOf });
  return {
    company,
    learners,
    groups,
    rows: { enrollments, policy_results: policies.results },
    facts: { results, policies, simulations },
  };
}

function packagePlace(): PackagePlace {
  const course = courseNamed('acme-visitors-and-contractors');
  const packageId = fixedReference(`package of ${course.name}`);
  return { companyId: ownerId(course), courseId: courseId(course), packageId, uploadedAt: course.updatedAt };
}

async function insertMissing(owner: Knex, table: string, rows: object[]): Promise<void> {
  for (let first = 0; first < rows.length; first += 1000) {
    const part = rows.slice(first, first + 1000);
    await owner(table).insert(part).onConflict().ignore();
  }
}

/** Returns the parent, then the parent's parent. */
function ancestors({ parent }: DemoCompany): string[] {
  return parent === undefined ? [] : [companyId(findCompany(parent)), ...ancestors(findCompany(parent))];
}
