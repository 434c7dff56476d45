/** @jest-environment-options {"DNS_SERVERS": "127.53.22.1:5322"} */
import { del, expectError, get, post } from '../../support/client.ts';
import { DnsServer } from '../../../scripts/demo/dns-server.ts';
import { CHALLENGE, simulationDomainId } from '../../support/world-simulations.ts';
import { companies, type CompanyName } from '../../support/world.ts';

const server = new DnsServer();
const ID = simulationDomainId('tenant');
const RECORD = '_awareness-simulation.tenant.test';

beforeAll(() => server.start('127.53.22.1:5322'));
afterAll(() => server.stop());
beforeEach(() => server.answers.clear());

const lock = (domain: string, company: CompanyName = 'tenant') =>
  testService.query('update companies set domain = $1, domain_lock = true where id = $2', [domain, companies[company]]);
const add = (domain: string) => post('/simulation-domains', { domain });
const verify = () => post(`/simulation-domains/${ID}/verify`);

describe('POST /simulation-domains', () => {
  test('returns a record name and an unguessable challenge', async () => {
    await lock('first.test');
    const { status, body } = await add('First.TEST.');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ domain: 'first.test', recordName: '_awareness-simulation.first.test' });
    expect(body.data).toMatchObject({ locked: true, provedAt: null, checkedAt: null });
    expect(body.data.recordValue).toMatch(/^[0-9a-f]{32}$/);
    expect((await get('/simulation-domains')).body.data).toContainEqual(body.data);
  });

  test('returns the same record when repeated', async () => {
    await lock('again.test');
    const [first, second] = [await add('again.test'), await add('again.test')];
    expect(second.body).toEqual(first.body);
  });

  test('returns an internationalised domain in its ASCII form', async () => {
    await lock('xn--mnchen-3ya.test');
    expect((await add('münchen.test')).body.data.domain).toBe('xn--mnchen-3ya.test');
  });

  test('returns another challenge to each company with the same domain', async () => {
    const domain = 'shared.test';
    await lock(domain);
    await lock(domain, 'other');
    const [own, other] = [await add(domain), await post('/simulation-domains', { domain }, 'other')];
    expect(other.body.data.recordName).toBe(own.body.data.recordName);
    expect(other.body.data.recordValue).not.toBe(own.body.data.recordValue);
  });

  test.each([
    ['domain_not_locked', 'elsewhere.test'],
    ['domain_not_locked', 'mail.tenant.test'],
    ['email_provider_not_allowed', 'gmail.com'],
    ['email_provider_not_allowed', 'GMX.de.'],
    ['invalid_request', 'no_domain'],
    ['invalid_request', 'tenant.test/'],
  ])('returns %s for %s', async (code, domain) => {
    await lock('tenant.test');
    expectError(await add(domain), 400, code, ['body/domain']);
  });

  test('rejects a free provider even if the company is locked to it', async () => {
    await lock('gmail.com');
    expectError(await add('gmail.com'), 400, 'email_provider_not_allowed');
  });

  test("rejects the company's domain while its domain lock is off", async () => {
    await lock('open.test');
    await testService.query('update companies set domain_lock = false where id = $1', [companies.tenant]);
    expectError(await add('open.test'), 400, 'domain_not_locked');
  });
});

describe('POST /simulation-domains/{simulationDomainId}/verify', () => {
  test.each([
    ['proved', [CHALLENGE]],
    ['different', ['another']],
    ['missing', []],
  ] as const)('finds a %s record', async (finding, answer) => {
    server.answers.set(RECORD, [...answer]);
    const { data } = (await verify()).body;
    expect(data).toMatchObject({ finding, checkedAt: expect.any(String) });
    expect(data.provedAt === null).toBe(finding !== 'proved');
  });

  test('keeps the proof if DNS does not respond', async () => {
    server.answers.set(RECORD, [CHALLENGE]);
    const { provedAt, checkedAt } = (await verify()).body.data;
    server.answers.set(RECORD, 'servfail');
    expect((await verify()).body.data).toMatchObject({ finding: 'unanswered', provedAt, checkedAt });
  });

  test("returns 404 for another company's domain without a DNS query", async () => {
    const asked = server.asked.length;
    expectError(await post(`/simulation-domains/${ID}/verify`, undefined, 'other'), 404, 'not_found');
    expect(server.asked.length).toBe(asked);
  });
});

describe('DELETE /simulation-domains/{simulationDomainId}', () => {
  test('deletes the domain once, and adding it again makes a new challenge', async () => {
    await lock('gone.test');
    const { id, recordValue } = (await add('gone.test')).body.data;
    expect((await del(`/simulation-domains/${id}`)).body.data).toEqual({ id });
    expectError(await del(`/simulation-domains/${id}`), 404, 'not_found');
    expect((await add('gone.test')).body.data.recordValue).not.toBe(recordValue);
  });
});
