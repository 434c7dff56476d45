/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "60", "TRUSTED_PROXY_HOPS": "1", "SIMULATION_SENDER_DOMAINS": "parcels.example"} */
import { call, get, send } from '../support/client.ts';
import { askPage, Learner } from '../support/learner.ts';
import {
  CHROME,
  forgetSimulations,
  makeMailedSimulation,
  recorded,
  recordInteraction,
} from '../support/own-simulations.ts';
import { restorePolicies } from '../resources/policies/policy-state.ts';
import { companies, learnerId } from '../support/world.ts';
import { policyId, versionId } from '../support/world-policies.ts';

// X-Forwarded-For differs by proxy: Azure's gateway adds a port, others send names or nothing.

const behind = (forwardedFor: string) => ({ 'x-forwarded-for': forwardedFor });

describe('the limit on wrong API keys', () => {
  const statusesOf = async (spelling: (n: number) => string): Promise<number[]> => {
    const tries = Array.from({ length: 75 }, (_, n) =>
      send('GET', '/groups', { headers: { authorization: `Bearer sk_wrong${n}`, ...behind(spelling(n)) } }),
    );
    return (await Promise.all(tries)).map(({ status }) => status);
  };

  test.each<[string, (n: number) => string]>([
    ['one address with a new port each time', (n) => `203.0.113.8:${40_000 + n}`],
    ['one IPv6 address with a new port each time', (n) => `[2001:db8:8::1]:${40_000 + n}`],
    ['one quoted IPv6 address', (n) => `"[2001:db8:9::1]:${40_000 + n}"`],
    ['one address in several notations', (n) => ['203.0.113.9', '::ffff:203.0.113.9', ' ::FFFF:CB00:7109'][n % 3]!],
    ['one address behind a forged list', (n) => `198.51.100.${n}, 203.0.113.10:${40_000 + n}`],
    ['entries that are not addresses', (n) => ['unknown', '_hidden', `"_${n}"`, `host${n}`, '198.051.100.007'][n % 5]!],
  ])('applies to %s', async (_case, spelling) => {
    const statuses = await statusesOf(spelling);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });
});

const spellings: [string, string | null][] = [
  ['70.41.3.18:999', '70.41.3.18'],
  ['[2001:DB8::1]:40001', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:cb00:7108', '203.0.113.8'],
  ['unknown', null],
  ['"_hidden"', null],
];

test.each(spellings)('the audit log records %j as the IP address %s', async (forwardedFor, address) => {
  const headers = behind(forwardedFor);
  const { body } = await call('tenant', 'POST', '/groups', { body: { name: 'Whence' }, headers });
  const [made] = await testService.query(
    `select address from audit_log where company_id = $1 and operation = 'createGroup' order by id desc limit 1`,
    [companies.tenant],
  );
  expect(made).toEqual({ address });
  await call('tenant', 'DELETE', `/groups/${body.data.id}`, { headers });
  const entries = await testService.query('select distinct address from audit_log where address is not null');
  for (const { address: stored } of entries) expect(stored).toMatch(/^(\d+\.){3}\d+$|^[0-9a-f:]+$/);
});

describe('a policy signature', () => {
  restorePolicies();

  test.each(spellings)('from %j has the IP address %s', async (forwardedFor, address) => {
    const learner = await Learner.of('tenant', 2);
    const page = `/learn/policies/${policyId('tenant', 1)}`;
    const version = { versionId: versionId('tenant', 1) };
    const { firstName, lastName } = (await get(`/learners/${learnerId('tenant', 2)}`)).body.data;
    const fields = { ...version, name: `${firstName} ${lastName}`, agreed: 'yes' };
    await learner.post(`${page}/visits`, version, behind(forwardedFor));
    expect((await learner.post(`${page}/signatures`, fields, behind(forwardedFor))).status).toBe(303);
    const signatures = await testService.query(
      'select signed_from from policy_results where policy_id = $1 and learner_id = $2',
      [policyId('tenant', 1), learnerId('tenant', 2)],
    );
    expect(signatures).toEqual([{ signed_from: address }]);
  });
});

describe('ten visits from one gateway within a second', () => {
  afterEach(forgetSimulations);

  test.each(['198.51.100.9', '[2001:db8:1::9]'])('from %s on several ports get the same verdict', async (address) => {
    const people = [1, 2, 3, 4, 5] as const;
    const simulation = await makeMailedSimulation(people);
    for (const number of people) await recordInteraction(simulation, 'sent', 300, number);
    await Promise.all(
      people.map((number) => {
        const headers = { 'x-forwarded-for': `${address}:${40_000 + number}`, 'user-agent': CHROME };
        return askPage(simulation.linkOf(number), { headers });
      }),
    );
    const events = await recorded(simulation);
    expect(events).toHaveLength(5);
    for (const event of events) {
      expect(event).toMatchObject({ verdict: 'automated', reasons: expect.arrayContaining(['many_recipients']) });
      expect((event.evidence as { address: string }).address).toBe(address.replace(/[[\]]/g, ''));
    }
  });
});
