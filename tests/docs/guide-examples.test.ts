/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/practice", "SIMULATION_SENDER_DOMAINS": "parcel-desk.example", "DNS_SERVERS": "127.53.0.23:5323"} */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DnsServer } from '../../scripts/demo/dns-server.ts';
import { SamlServer } from '../support/saml-server.ts';
import { draftWith, makeDraft } from '../support/own-simulations.ts';
import { setPlan } from '../resources/tenant-state.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { policyId } from '../support/world-policies.ts';
import { CHALLENGE, simulationDomainId, simulationId, simulationTemplateId } from '../support/world-simulations.ts';
import { sourceId, sourceSecret } from '../support/world-sources.ts';
import { adminId, companies, keys, learnerId, managedCourses, ownCourseId, spareKeyId } from '../support/world.ts';

/** Variables of the reader of each guide. */
const given: Record<string, Record<string, string>> = {
  'tenancy.md': { KEY: keys.msp, CHILD: companies.childA },
  'xapi.md': { SOURCE: sourceId('tenant', 'xapi'), SECRET: sourceSecret('tenant', 'xapi') },
  'phishing-engine.md': {
    SOURCE: sourceId('tenant', 'gophish'),
    BUTTON: sourceSecret('tenant', 'reported_messages'),
  },
  'campaigns.md': { CAMPAIGN: campaignId('tenant') },
  'single-sign-on.md': { PROVIDER: identityProviderId('tenant') },
  'lms.md': { COURSE: ownCourseId('tenant') },
  'scorm-packages.md': { COURSE: ownCourseId('tenant') },
  'writing-courses.md': { COURSE: ownCourseId('tenant'), PUBLISHED_COURSE: managedCourses.passwords },
  'people.md': { ADMIN: adminId('tenant', 1), DIRECTOR: 'grace.hopper@tenant.test' },
};
const common = {
  KEY: keys.tenant,
  LEARNER: learnerId('tenant', 1),
  COURSE: managedCourses.phishing,
  SIMULATION: simulationId('tenant', 1),
  POLICY: policyId('tenant', 1),
  KEY_ID: spareKeyId('tenant'),
};

/** Shell function that makes each curl call print its status on standard error. */
const SPEAKING = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }\n`;

/** Returns the metadata of a SAML provider as JSON text. */
async function writeMetadata(): Promise<string> {
  const server = new SamlServer();
  await server.start();
  const metadata = JSON.stringify(server.metadata.replaceAll(/http:\/\/localhost:\d+/g, 'https://login.example.org'));
  await server.stop();
  return metadata;
}

const guides = await readdir('docs/guides');

let folder: string;
const dns = new DnsServer();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guides-'));
  await dns.start('127.53.0.23:5323');
  dns.answers.set('_awareness-simulation.tenant.test', [CHALLENGE]);
});
afterAll(async () => {
  dns.stop();
  await rm(folder, { recursive: true });
});

/** Sets up the company for the guide on simulations, and returns the variables of its reader. */
async function prepareSimulations(): Promise<Record<string, string>> {
  await setPlan({ domainLock: true });
  const TEMPLATE = simulationTemplateId('tenant');
  const DRAFT = await makeDraft({ senderDomain: 'parcel-desk.example' }, TEMPLATE);
  const { startDate: START, endDate: END } = draftWith(TEMPLATE);
  return { TEMPLATE, DRAFT, START, END, DOMAIN: 'tenant.test', DOMAIN_ID: simulationDomainId('tenant') };
}

async function prepare(file: string): Promise<Record<string, string> | undefined> {
  if (file === 'running-simulations.md') return prepareSimulations();
  if (file === 'single-sign-on.md') return { ...given[file], METADATA: await writeMetadata() };
  return given[file];
}

test.each(guides)('every call in %s returns the documented status', async (file) => {
  const text = await readFile(join('docs/guides', file), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
  const script = blocks.filter((block) => /^curl /m.test(block)).join('\n');
  const documented = [...script.matchAll(/^# answers (\d{3})\ncurl /gm)].map((match) => match[1]);
  expect(documented.length).toBeGreaterThan(0);
  expect(documented).toHaveLength(script.match(/\bcurl /g)!.length);
  const own = await prepare(file);
  const { stderr } = await promisify(execFile)('sh', ['-euc', SPEAKING + script], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...common, ...own, URL: testService.url },
  });
  await setPlan({});
  expect(stderr.trim().split('\n')).toEqual(documented);
});

test('responses shown in the guides match those of the service', async () => {
  const bulk = await readFile('docs/guides/bulk.md', 'utf8');
  const body = /-d '(\{\n {2}"learners".*?\n\})'/s.exec(bulk)![1]!;
  const answer = await fetch(`${testService.url}/v1/learners/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' },
    body,
  });
  const { data } = (await answer.json()) as any;
  const shown = JSON.parse(/```json\n(.*?)```/s.exec(bulk)![1]!.replace(/,\s*…/, ''));
  expect({ ...data, errors: data.errors.slice(0, 1) }).toEqual(shown.data);

  const errors = await readFile('docs/guides/errors.md', 'utf8');
  const refused = await fetch(`${testService.url}/v1/learners`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' },
    body: /-d '(.*?)'/.exec(errors)![1]!,
  });
  expect(await refused.json()).toEqual(JSON.parse(/```json\n(.*?)```/s.exec(errors)![1]!));
});
