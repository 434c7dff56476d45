import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { judgeAddress } from '../../src/resources/webhooks/sending/address-guard.ts';

const rules = { ports: [8443], ownHosts: ['awareness.example.com'], allowedNetworks: [], allowsLoopback: false };
const judge = (text: string, changes: object = {}) => judgeAddress(text, { ...rules, ...changes });

test.each([
  'https://example.org/hook',
  'https://example.org:8443/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('%s is accepted', (address) => expect(judge(address)).toBeUndefined());

test.each([
  ['http://example.org/', 'must begin with https://'],
  ['ftp://example.org/', 'must begin with https://'],
  ['https://example.org:22/', 'must use one of the ports 443, 8443'],
  ['https://me:secret@example.org/', 'must not have a user name or a password'],
  ['https://example.org/#part', 'must not have a fragment'],
  ['https://awareness.example.com/v1', 'must not be an address of this service'],
  ['https://intranet/', 'must have a public host name'],
  ['https://localhost./', 'must have a public host name'],
  ['https://db.internal/', 'must have a public host name'],
  ['example.org', 'must be an https address of at most 2000 characters'],
  [`https://example.org/${'a'.repeat(2000)}`, 'must be an https address of at most 2000 characters'],
])('%s is rejected: %s', (address, why) => expect(judge(address)).toBe(why));

const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
];
const LOOPBACK6 = ['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::127.0.0.1'];
const DISGUISED = [
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '::ffff:10.0.0.1',
];
const LOCAL = [
  '10.1.2.3',
  '172.31.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];
const LOCAL6 = ['fc00::1', 'fd12::1', 'fe80::1', 'ff02::1', '2001:db8::1', '100::1'];

test.each([...LOOPBACK, ...LOCAL, ...[...LOOPBACK6, ...DISGUISED, ...LOCAL6].map((address) => `[${address}]`)])(
  'https://%s/ is rejected',
  (host) => expect(judge(`https://${host}/`)).toBe('must not be a local address'),
);

test('the demo allows http and any port on the loopback address, but no other local address', () => {
  const demo = { allowsLoopback: true };
  for (const address of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'http://[::1]:4000/'])
    expect(judge(address, demo)).toBeUndefined();
  for (const address of ['http://10.0.0.1/', 'https://169.254.169.254/', 'http://example.org/'])
    expect(judge(address, demo)).toBeDefined();
});

describe('networks that the operator allows', () => {
  const allowed = { allowedNetworks: ['10.20.0.0/16'] };

  test.each(['https://10.20.0.7/', 'https://10.20.0.7:8443/', 'https://[::ffff:10.20.0.7]/', 'https://8.8.8.8/'])(
    'are accepted as addresses: %s',
    (address) => expect(judge(address, allowed)).toBeUndefined(),
  );

  // The connector checks the address of a name for each connection.
  test.each(['https://hooks.corp.internal/', 'https://intranet/', 'https://hooks.local:8443/'])(
    'allow local host names: %s',
    (address) => expect(judge(address, allowed)).toBeUndefined(),
  );

  test.each([
    ['https://10.21.0.7/', 'must not be a local address'],
    ['https://127.0.0.1/', 'must not be a local address'],
    ['http://10.20.0.7/', 'must begin with https://'],
    ['http://hooks.corp.internal/', 'must begin with https://'],
    ['https://10.20.0.7:22/', 'must use one of the ports 443, 8443'],
    ['https://awareness.example.com/', 'must not be an address of this service'],
  ])('do not allow %s: %s', (address, why) => expect(judge(address, allowed)).toBe(why));
});

describe('WEBHOOK_ALLOWED_NETWORKS', () => {
  const read = (text: string) => readConfig({ WEBHOOK_ALLOWED_NETWORKS: text }).webhooks.allowedNetworks;

  test('is empty by default', () => {
    expect(readConfig({}).webhooks.allowedNetworks).toEqual([]);
    expect(read(' ')).toEqual([]);
  });

  test('lists networks and addresses', () => {
    expect(read('10.20.0.0/16, fd12:3456::/32,192.0.2.7')).toEqual(['10.20.0.0/16', 'fd12:3456::/32', '192.0.2.7']);
  });

  test.each([
    ...['10.20.0.0/33', '10.20.0.0/', '10.20.0/16', '010.20.0.0/16', '10.0.0.0/7', '0.0.0.0/0', '::/0', 'fc00::/6'],
    ...['fd12::/129', 'fe80::1%eth0', 'hooks.corp.internal', '10.20.0.0/16 10.21.0.0/16', '10.20.0.0/-1', '*'],
    ...['10.20.0.0/16,nonsense', '10.20.0.1/16', '10.20.0.0/8', 'fd12:3456::1/32', 'fd12:3456:8000::/32'],
  ])('is rejected by name: %s', (text) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(/^WEBHOOK_ALLOWED_NETWORKS /);
  });
});
