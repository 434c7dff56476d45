import { openServicePool } from '../../support/service-pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { query } from '../../../src/db/statement.ts';
import { createTenantWriter } from '../../../src/db/tenant-session.ts';
import * as domains from '../../../src/resources/simulations/settings/domain-repository.ts';
import { createFindTexts } from '../../../src/resources/simulations/settings/find-texts.ts';
import { type DnsReply, DnsServer } from '../../../scripts/demo/dns-server.ts';
import { CHALLENGE } from '../../support/world-simulations.ts';
import { companies, type CompanyName } from '../../support/world.ts';
const pool = openServicePool(2);
const server = new DnsServer();
const RECORD = '_awareness-simulation.tenant.test';

beforeAll(() => server.start());
afterAll(async () => {
  server.stop();
  await pool.end();
});
beforeEach(async () => {
  await testService.query('update simulation_domains set proved_at = null, checked_at = null');
  await lock('tenant.test');
});

const lock = (domain: string, isLocked = true, company: CompanyName = 'tenant') =>
  testService.query('update companies set domain = $1, domain_lock = $2 where id = $3', [
    ...[domain, isLocked],
    companies[company],
  ]);

const tenant = (company: CompanyName = 'tenant') => createTenantWriter(pool, companies[company]);
const proved = query<object, { domain: string }>(
  'test_proved_domain',
  (p) =>
    sql`select lower(k.domain) as domain from companies k where k.id = ${p.companyId} and ${domains.isDomainProved(p)}`,
);
const found = async (company: CompanyName = 'tenant') =>
  (await tenant(company).queryAll(proved, {})).map(({ domain }) => domain);

/** Checks the domain while DNS returns the given answer. */
function reprove(answer: DnsReply): Promise<string[]> {
  server.answers.set(RECORD, answer);
  return domains.reproveDomains(tenant(), createFindTexts([server.place]), new Date());
}

test('a domain is proved while its record holds the challenge', async () => {
  expect(await found()).toEqual([]);
  expect(await reprove([CHALLENGE])).toEqual(['tenant.test']);
  expect(await found()).toEqual(['tenant.test']);
});

test.each([
  ['missing', []],
  ['different', ['b'.repeat(32)]],
] as const)('a %s record ends a proof', async (_, answer) => {
  await reprove([CHALLENGE]);
  expect(await reprove([...answer])).toEqual([]);
  expect(await found()).toEqual([]);
});

test('without a DNS response, a proof stays valid and no new one is made', async () => {
  await reprove([CHALLENGE]);
  expect(await reprove('servfail')).toEqual([]);
  expect(await found()).toEqual(['tenant.test']);
});

test('a proof expires a day after its last check, until the record is found again', async () => {
  await reprove([CHALLENGE]);
  await testService.query(`update simulation_domains set checked_at = now() - interval '25 hours'`);
  expect(await reprove('servfail')).toEqual([]);
  expect(await found()).toEqual([]);
  expect(await reprove([CHALLENGE])).toEqual(['tenant.test']);
  expect(await found()).toEqual(['tenant.test']);
});

test('a proved domain counts only while the company is locked to it', async () => {
  await reprove([CHALLENGE]);
  await lock('tenant.test', false);
  expect(await found()).toEqual([]);
  expect(await reprove([CHALLENGE])).toEqual([]);
  await lock('elsewhere.test');
  expect(await found()).toEqual([]);
  await lock('Tenant.test');
  expect(await found()).toEqual(['tenant.test']);
});

test('a proof does not cover parent, child or similar domains', async () => {
  await reprove([CHALLENGE]);
  for (const domain of ['mail.tenant.test', 'test', 'nottenant.test']) {
    await lock(domain);
    expect(await found()).toEqual([]);
  }
});

test('a proof does not count for another company with the same domain', async () => {
  await reprove([CHALLENGE]);
  await lock('tenant.test', true, 'other');
  expect(await found('other')).toEqual([]);
  expect(await domains.reproveDomains(tenant('other'), createFindTexts([server.place]), new Date())).toEqual([]);
});
