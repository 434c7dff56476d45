import { NetworkSet, readNetwork } from '../../src/net/ip-networks.ts';

test.each([
  ['198.51.100.7/24', '198.51.100.0/24'],
  ['198.51.100.7', '198.51.100.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::7/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::ffff:203.0.113.9/128', '::ffff:203.0.113.9/128'],
])('%s is the network %s', (text, network) => {
  expect(readNetwork(text)).toBe(network);
});

test.each([
  '',
  '/24',
  '198.51.100.0/33',
  '::/129',
  '198.51.100/24',
  '198.051.100.0/24',
  'fe80::1%eth0/64',
  'a/8',
  '1.2.3.4/-1',
])('%j is not a network', (text) => {
  expect(readNetwork(text)).toBeNull();
});

test('NetworkSet contains exactly the addresses of its networks, which can overlap', () => {
  const set = new NetworkSet(['10.1.0.0/16', '10.0.0.0/8', '198.51.100.7', '203.0.113.128/25', '2001:db8::/32']);
  const inside = [
    '10.0.0.0',
    '10.255.255.255',
    '10.1.2.3',
    '198.51.100.7',
    '203.0.113.128',
    '203.0.113.255',
    '2001:db8::',
  ];
  const outside = [
    '9.255.255.255',
    '11.0.0.0',
    '198.51.100.6',
    '198.51.100.8',
    '203.0.113.127',
    '2001:db9::',
    '::10.0.0.1',
  ];
  expect(inside.filter((address) => !set.has(address))).toEqual([]);
  expect(outside.filter((address) => set.has(address))).toEqual([]);
  expect(new NetworkSet([]).has('10.0.0.1')).toBe(false);
});
