import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { checkDomain, type SenderDomain } from '../../src/commands/mail-check/check-domain.ts';
import { createDnsRecords, type DnsRecords } from '../../src/commands/mail-check/dns-records.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
const dkim = { selector: 'key1', privateKey };

const dnsWith = (texts: Record<string, string[]>, hosts: Record<string, string[]> = {}): DnsRecords => ({
  texts: (name) => Promise.resolve(texts[name] ?? []),
  exchanges: (name) => Promise.resolve(hosts[`mx ${name}`] ?? []),
  addresses: (name) => Promise.resolve(hosts[name] ?? []),
});
const sender = (fields: Partial<SenderDomain> = {}): SenderDomain => ({
  ...{ domain: 'sender.test', returnDomain: 'sender.test', dkim, receivesBounces: true },
  sendingAddresses: ['192.0.2.25', '2001:db8::25'],
  ...fields,
});
const changesOf = async (dns: DnsRecords, fields?: Partial<SenderDomain>) =>
  (await checkDomain(dns, sender(fields))).filter(({ isOk }) => !isOk).map(({ text }) => text);

const RIGHT = {
  'sender.test': ['v=spf1 ip4:192.0.2.0/24 include:mail.test mx ~all', 'another=text'],
  'mail.test': ['v=spf1 ip6:2001:db8::/32 -all'],
  'key1._domainkey.sender.test': [`v=DKIM1; k=rsa; p=${publicKey}`],
  '_dmarc.sender.test': ['v=DMARC1; p=reject'],
};
const HOSTS = { 'mx sender.test': ['mx.sender.test'], 'mx.sender.test': ['198.51.100.7'] };

test('correct records need no change', async () => {
  expect(await changesOf(dnsWith(RIGHT, HOSTS))).toEqual([]);
  expect(await changesOf(dnsWith(RIGHT, HOSTS), { sendingAddresses: ['198.51.100.7'] })).toEqual([]);
});

test('missing records are named with their content', async () => {
  expect(await changesOf(dnsWith({}))).toEqual([
    'SPF: add the TXT record "v=spf1 ip4:192.0.2.25 ip6:2001:db8::25 ~all" to sender.test',
    `DKIM: key1._domainkey.sender.test has no TXT record; set it to "v=DKIM1; k=rsa; p=${publicKey}"`,
    'DMARC: add the TXT record "v=DMARC1; p=none; rua=mailto:…" to _dmarc.sender.test',
    'MX: sender.test has no MX record, so bounces might be lost; add the mail server of the bounce mailbox',
  ]);
});

test.each([
  ['a different key', { 'key1._domainkey.sender.test': ['v=DKIM1; p=AAAA'] }, /a different key/],
  ['an IP address that SPF does not allow', { 'mail.test': ['v=spf1 -all'] }, /does not allow 2001:db8::25/],
  ['two SPF records', { 'sender.test': ['v=spf1 ~all', 'v=spf1 -all'] }, /2 SPF records/],
  ['an SPF record that allows everybody', { 'sender.test': ['v=spf1 ip4:192.0.2.25 ip6:2001:db8::25 +all'] }, /~all/],
  ['an include without a record', { 'mail.test': [] }, /mail\.test, which has no SPF record/],
  ['a loop of includes', { 'mail.test': ['v=spf1 ip6:2001:db8::/32 include:mail.test -all'] }, /allow 10/],
])('%s is a change', async (_name, texts, expected) => {
  const changes = await changesOf(dnsWith({ ...RIGHT, ...texts }, HOSTS));
  expect(changes.join('\n')).toMatch(expected);
});

test('a return path in another domain is aligned only with DKIM', async () => {
  const texts = { ...RIGHT, 'bounce.test': RIGHT['sender.test'] };
  const hosts = { ...HOSTS, 'mx bounce.test': ['mx.sender.test'] };
  expect(await changesOf(dnsWith(texts, hosts), { returnDomain: 'bounce.test' })).toEqual([]);
  const changes = await changesOf(dnsWith(texts, hosts), { returnDomain: 'bounce.test', dkim: undefined });
  expect(changes).toEqual([expect.stringContaining('not aligned')]);
});

test('the DMARC record of a domain above counts', async () => {
  const texts = { ...RIGHT, '_dmarc.sender.test': [], '_dmarc.test.example': ['v=DMARC1; p=none'] };
  const changes = await changesOf(dnsWith(texts, HOSTS), { domain: 'a.test.example', dkim: undefined });
  expect(changes).toEqual([expect.stringContaining('not aligned')]);
});

test('a DNS server that does not respond is an error, not a missing record', async () => {
  await expect(createDnsRecords(['127.0.0.1:9']).texts('sender.test')).rejects.toThrow('DNS did not respond');
});
