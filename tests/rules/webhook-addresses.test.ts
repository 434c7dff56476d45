import { createServer, connect, type LookupFunction, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { judgeAddress, refusedAddresses } from '../../src/webhooks/address-guard.ts';

const rules = { ports: [8443], ownHosts: ['awareness.example.com'], allowsLoopback: false };
const judge = (text: string, changes: object = {}) => judgeAddress(text, { ...rules, ...changes });

test.each([
  'https://example.org/hook',
  'https://example.org:8443/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('%s may be entered', (address) => expect(judge(address)).toBeUndefined());

test.each([
  ['http://example.org/', 'must begin with https://'],
  ['ftp://example.org/', 'must begin with https://'],
  ['https://example.org:22/', 'must have one of the ports 443, 8443'],
  ['https://me:secret@example.org/', 'must have no user and no password'],
  ['https://example.org/#part', 'must have no fragment'],
  ['https://awareness.example.com/v1', 'must not be an address of this service'],
  ['https://intranet/', 'must have a host name of the internet'],
  ['https://localhost./', 'must have a host name of the internet'],
  ['https://db.internal/', 'must have a host name of the internet'],
  ['example.org', 'must be an https address of at most 2000 characters'],
  [`https://example.org/${'a'.repeat(2000)}`, 'must be an https address of at most 2000 characters'],
])('%s is refused: %s', (address, why) => expect(judge(address)).toBe(why));

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
  'https://%s/ is refused',
  (host) => expect(judge(`https://${host}/`)).toBe('must not be a local address'),
);

test('the demo may send to this machine, by http and on any port, and to no neighbour', () => {
  const demo = { allowsLoopback: true };
  for (const address of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'http://[::1]:4000/'])
    expect(judge(address, demo)).toBeUndefined();
  for (const address of ['http://10.0.0.1/', 'https://169.254.169.254/', 'http://example.org/'])
    expect(judge(address, demo)).toBeDefined();
});

describe('a connection', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** What becomes of a connection to a host, which a resolver calls an address. */
  async function outcome(host: string, resolved?: string, allowsLoopback = false): Promise<string> {
    const lookup: LookupFunction = (_name, { all }, answer) => {
      const addresses = resolved!.split(' ').map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      return all ? answer(null, addresses) : answer(null, addresses[0]!.address, addresses[0]!.family);
    };
    const blockList = refusedAddresses({ allowsLoopback });
    const socket = connect({ host, port, blockList, ...(resolved !== undefined && { lookup }) });
    return new Promise((resolve) => {
      socket
        .once('connect', () => resolve('connected'))
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
    }).then((result) => (socket.destroy(), result as string));
  }

  test.each(['127.0.0.1', '0.0.0.0', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])('to %s is not made', async (host) => {
    expect(await outcome(host)).toBe('ERR_IP_BLOCKED');
  });

  test.each(['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254'])(
    'is not made when a name is resolved to %s',
    async (address) => {
      expect(await outcome('innocent.example.org', address)).toBe('ERR_IP_BLOCKED');
    },
  );

  test('is not made when one of several addresses of a name is this machine, and it is the one that would answer', async () => {
    expect(await outcome('innocent.example.org', '127.0.0.1 ::1')).not.toBe('connected');
  });

  test('to this machine is made in the demo alone', async () => {
    expect(await outcome('127.0.0.1', undefined, true)).toBe('connected');
    expect(await outcome('10.0.0.1', undefined, true)).toBe('ERR_IP_BLOCKED');
  });
});
