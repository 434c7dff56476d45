import type { Knex } from 'knex';
import type { Schemas } from '../src/contract/contract.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { type DemoFile, type FileLibrary, openLibrary } from './demo-files.ts';
import { companyId, fixedId, MANAGED_CATALOGUE } from './demo-ids.ts';
import { createRandom, plainLetters } from './demo-people.ts';
import { DEMO_POLICIES, type DemoPolicy, type DemoSignature, type DemoVersion } from './demo-policies.ts';
import { type Signing, simulateSigning } from './demo-signatures.ts';
import { templateFile, templateRows } from './demo-templates.ts';
import type { TextName } from './demo-texts.ts';
import type { Character, Trainee } from './demo-training.ts';

/** Inserts the templates that every company can use. */
export async function insertManagedTemplates(transaction: Knex.Transaction): Promise<void> {
  await insertTemplates(transaction, undefined, openLibrary(MANAGED_CATALOGUE));
}

/** Inserts the policies of a company, and its own templates. */
export async function insertPolicies(transaction: Knex.Transaction, company: DemoCompany): Promise<void> {
  const library = openLibrary(companyId(company));
  const policies = DEMO_POLICIES[company.handle]!;
  const rows = [];
  for (const policy of policies) rows.push(await policyRows(company, policy, library));
  await insertTemplates(transaction, company.handle, library);
  const insert = (table: string, all: object[]) => transaction.batchInsert(table, all, 500);
  await insert(
    'policies',
    rows.map(({ policy }) => policy),
  );
  await insert(
    'policy_drafts',
    rows.flatMap(({ draft }) => draft ?? []),
  );
  await insert(
    'policy_versions',
    rows.flatMap(({ versions }) => versions),
  );
  await transaction.raw(
    `update policies p set live_version_id = v.id, published_at = v.published_at
       from policy_versions v
      where p.company_id = ? and v.company_id = p.company_id and v.policy_id = p.id
        and (v.major_version, v.minor_version) = (p.major_version, p.minor_version)`,
    [companyId(company)],
  );
  await insert('signature_defaults', defaultRows(company, policies));
}

/**
 * Sets the signature settings of policies that ask new learners to sign. Must run last: the demo's learners were
 * created in the past, and must not be asked now.
 */
export async function setNewUserPolicies(transaction: Knex.Transaction, company: DemoCompany): Promise<void> {
  for (const policy of DEMO_POLICIES[company.handle]!) {
    if (policy.signature?.type !== 'newUsers') continue;
    const key = { company_id: companyId(company), id: policyId(company, policy) };
    await transaction('policies').where(key).update(signatureColumns(policy));
  }
}

type Members = ReadonlyMap<string, Trainee[]>;

async function insertTemplates(
  transaction: Knex.Transaction,
  owner: string | undefined,
  library: FileLibrary,
): Promise<void> {
  const { templates, drafts } = await templateRows(owner, library);
  await transaction.batchInsert('file_contents', library.contents);
  await transaction.batchInsert('policy_files', library.files);
  await transaction.batchInsert('policy_templates', templates);
  await transaction.batchInsert('policy_template_drafts', drafts);
}

/** Builds a policy without its live version, which is set after the versions are inserted. */
async function policyRows(company: DemoCompany, policy: DemoPolicy, library: FileLibrary) {
  const { versions = [], draft, createdAt } = policy;
  const company_id = companyId(company);
  const id = policyId(company, policy);
  const stored = [];
  for (const version of versions) {
    stored.push(versionRow(company, policy, version, await library.add(toFile(company, version), version.publishedAt)));
  }
  const draftFile = draft && (await library.add(toDraftFile(company, draft), draft.savedAt));
  const { major, minor } = numbers(versions.at(-1)?.number ?? draft?.version ?? '1.0');
  const content = {
    company_id,
    name: policy.name,
    category: policy.category ?? null,
    owner_name: policy.owner ?? null,
    owner_email: policy.owner === undefined ? null : toEmail(policy.owner, company),
    is_public: policy.isPublic ?? false,
  };
  return {
    policy: {
      ...content,
      id,
      file_id: stored.at(-1)?.file_id ?? draftFile ?? null,
      major_version: major,
      minor_version: minor,
      ...(policy.signature?.type !== 'newUsers' && signatureColumns(policy)),
      created_at: createdAt,
      updated_at: [createdAt, versions.at(-1)?.publishedAt, draft?.savedAt, policy.discardedAt]
        .filter((date) => date !== undefined)
        .sort()
        .at(-1),
    },
    draft: draft && {
      ...content,
      policy_id: id,
      name: draft.name ?? policy.name,
      file_id: draftFile,
      updated_at: draft.savedAt,
    },
    versions: stored,
  };
}

function versionRow(company: DemoCompany, policy: DemoPolicy, version: DemoVersion, file_id: string) {
  const { major, minor } = numbers(version.number);
  return {
    company_id: companyId(company),
    id: versionId(company, policy, version),
    policy_id: policyId(company, policy),
    major_version: major,
    minor_version: minor,
    name: policy.name,
    file_id,
    published_at: version.publishedAt,
  };
}

function toFile(company: DemoCompany, version: DemoVersion): DemoFile {
  if (version.template !== undefined) return templateFile(version.template);
  const file = buildDocument(company, version.text, version.number, version.publishedAt);
  return { ...file, news: version.news, fileName: version.unnamed ? null : file.fileName };
}

function toDraftFile(company: DemoCompany, { text, version, savedAt }: NonNullable<DemoPolicy['draft']>): DemoFile {
  return buildDocument(company, text, version, savedAt);
}

/** Returns a file with text on the company's letterhead. */
function buildDocument(company: DemoCompany, text: TextName, version: string, date: string): DemoFile {
  const fileName = `${text.replace('.', '-')}-${version}.pdf`;
  return { fileName, texts: [text], issuer: company.name, version, date };
}

/** Returns the signature settings, as set when the policy was created. */
function signatureColumns({ signature, createdAt }: DemoPolicy): object {
  return {
    signature_type: signature?.type ?? null,
    signature_start_date: signature?.startDate ?? null,
    signature_interval_length: signature?.intervalLength ?? null,
    signature_interval_unit: signature?.intervalUnit ?? null,
    signature_use_default: signature?.useDefault ?? false,
    signature_set_on: signature ? createdAt.slice(0, 10) : null,
  };
}

function findDefault(policies: DemoPolicy[]): DemoSignature | undefined {
  return makerOfDefault(policies)?.signature;
}

function makerOfDefault(policies: DemoPolicy[]): DemoPolicy | undefined {
  return policies.find(({ signature }) => signature?.setDefault);
}

function defaultRows(company: DemoCompany, policies: DemoPolicy[]): object[] {
  const maker = makerOfDefault(policies);
  if (!maker?.signature) return [];
  const { type, startDate: start_date, intervalLength: interval_length, intervalUnit: interval_unit } = maker.signature;
  const owner = { company_id: companyId(company), policy_id: policyId(company, maker) };
  return [{ ...owner, type, start_date, interval_length, interval_unit, set_on: maker.createdAt.slice(0, 10) }];
}

/** Actions of a company's learners on its policies. */
export interface PolicyFacts {
  /** Rows with the times of requests, reminders and page visits. */
  results: object[];
  signatures: Schemas['PolicySignatureInput'][];
  /** Assignments that ended after these actions. */
  endings: { policyIds: string[]; learnerIds: string[] }[];
}

/**
 * @param characters the characters of the trainees, in the order in which they joined
 * @param membersOf members by the name of the group
 */
export function buildPolicyFacts(
  company: DemoCompany,
  { characters, membersOf }: { characters: ReadonlyMap<Trainee, Character>; membersOf: Members },
): PolicyFacts {
  const random = createRandom(2001 + DEMO_COMPANIES.indexOf(company));
  const policies = DEMO_POLICIES[company.handle]!;
  const standard = findDefault(policies);
  const facts: PolicyFacts = { results: [], signatures: [], endings: [] };
  for (const policy of policies) {
    const signature = policy.signature?.useDefault ? (standard ?? policy.signature) : policy.signature;
    const learnerIds: string[] = [];
    for (const [trainee, character] of characters) {
      const isMember = (group: string) => membersOf.get(group)!.includes(trainee);
      const signing = simulateSigning(random, { policy, signature }, trainee, character, isMember);
      if (!signing) continue;
      facts.results.push(resultRow(company, policy, trainee, signing, facts.results.length));
      if (signing.isEnded) learnerIds.push(trainee.row.id);
      if (signing.signed)
        facts.signatures.push(buildSignature(company, policy, trainee, signing.signed, facts.signatures.length));
    }
    if (learnerIds.length > 0) facts.endings.push({ policyIds: [policyId(company, policy)], learnerIds });
  }
  return facts;
}

function resultRow(
  company: DemoCompany,
  policy: DemoPolicy,
  trainee: Trainee,
  { firstAssignedAt, asked, sent, visit }: Signing,
  index: number,
): object {
  const versionOf = (version: DemoVersion | undefined) => version && versionId(company, policy, version);
  return {
    company_id: companyId(company),
    id: fixedId(firstAssignedAt, 'result', index),
    policy_id: policyId(company, policy),
    learner_id: trainee.row.id,
    assigned_at: new Date(asked.assignedAt),
    asked_at: new Date(asked.at),
    reminded_at: dateOrNull(asked.remindedAt),
    sent_version_id: versionOf(sent),
    visited_at: dateOrNull(visit?.at),
    visited_version_id: versionOf(visit?.version) ?? null,
  };
}

/**
 * Builds a signature. A signature on paper names no version; the service finds the version that was live at the time of
 * the signature.
 */
function buildSignature(
  company: DemoCompany,
  policy: DemoPolicy,
  { row }: Trainee,
  { at, version, offline }: NonNullable<Signing['signed']>,
  index: number,
): Schemas['PolicySignatureInput'] {
  return {
    learner: { id: row.id },
    policyId: policyId(company, policy),
    ...(offline
      ? { note: `Folder ${new Date(at).getUTCFullYear()}` }
      : { versionId: versionId(company, policy, version) }),
    signedAt: new Date(at).toISOString(),
    offline,
    eventId: `${offline ? 'paper' : 'intranet'}-${100_001 + index}`,
  };
}

function dateOrNull(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}

function policyId(company: DemoCompany, policy: DemoPolicy): string {
  return fixedId(Date.parse(policy.createdAt), 'policy', DEMO_POLICIES[company.handle]!.indexOf(policy));
}

function versionId(company: DemoCompany, policy: DemoPolicy, version: DemoVersion): string {
  const number = DEMO_POLICIES[company.handle]!.indexOf(policy) * 16 + policy.versions!.indexOf(version);
  return fixedId(Date.parse(version.publishedAt), 'version', number);
}

function numbers(version: string): { major: number; minor: number } {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return { major, minor };
}

function toEmail(name: string, { domain }: DemoCompany): string {
  return `${name.split(' ').map(plainLetters).join('.')}@${domain}`;
}
