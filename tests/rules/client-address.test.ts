import { clientAddress, toClientNetwork, readAddress, readFirstAddress } from '../../src/net/client-address.ts';

test.each([
  ['203.0.113.8', '203.0.113.8'],
  [' 203.0.113.8\t', '203.0.113.8'],
  ['203.0.113.8:51234', '203.0.113.8'],
  ['"203.0.113.8:51234"', '203.0.113.8'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['::FFFF:cb00:7108', '203.0.113.8'],
  ['0:0:0:0:0:ffff:203.0.113.8', '203.0.113.8'],
  ['[::ffff:203.0.113.8]:443', '203.0.113.8'],
])('reads %j as %s', (text, address) => {
  expect(readAddress(text)).toBe(address);
});

test.each([
  ...['', ' ', 'unknown', '_hidden', '"_hidden"', '_SEVKISEK', 'localhost', 'null', '-'],
  ...['198.051.100.007', '1.2.3', '1.2.3.4.5', '256.1.1.1', '0x7f.1', '2130706433', '203.0.113.8%eth0'],
  ...['203.0.113.8:', '203.0.113.8:99999', '203.0.113.8:-1', '203.0.113.8:http', '203.0.113.8:80:80', ':80'],
  ...['[2001:db8::1', '2001:db8::1]', '[2001:db8::1]443', '[2001:db8::1]:65536', '[]', '[]:80', '2001:db8:::1'],
  ...['"203.0.113.8', '203.0.113.8"', '""', '203.0.113.8, 198.51.100.7', '203.0.113.8 198.51.100.7'],
])('reads no address in %j', (text) => {
  expect(readAddress(text)).toBeNull();
});

test('the first entry of a list is read', () => {
  expect(readFirstAddress('203.0.113.8:51234, 70.41.3.18')).toBe('203.0.113.8');
  expect(readFirstAddress(', "[2001:db8::1]:443", 70.41.3.18')).toBe('2001:db8::1');
  expect(readFirstAddress('unknown, 203.0.113.8')).toBeNull();
});

const SOCKET = '::ffff:10.0.0.9';

test.each([
  [0, '203.0.113.8', '10.0.0.9'],
  [1, undefined, '10.0.0.9'],
  [1, '', '10.0.0.9'],
  [1, '203.0.113.8', '203.0.113.8'],
  [1, '198.51.100.66, 203.0.113.8:51234', '203.0.113.8'],
  [2, '198.51.100.66, 203.0.113.8:51234, 70.41.3.18:999', '203.0.113.8'],
  [2, '203.0.113.8', '203.0.113.8'],
  [1, '198.51.100.66,, 203.0.113.8, ', '203.0.113.8'],
  [1, '203.0.113.8, unknown', null],
  [1, '203.0.113.8, "_hidden"', null],
])('behind %i proxies, the client address in %j is %j', (hops, forwardedFor, address) => {
  expect(clientAddress({ socketAddress: SOCKET, forwardedFor, hops })).toBe(address);
});

test('a socket without an address yields null', () => {
  expect(clientAddress({ socketAddress: undefined, forwardedFor: undefined, hops: 0 })).toBeNull();
});

test.each([
  ['203.0.113.8', '203.0.113.9'],
  ['2001:db8:1::1', '2001:db8:2::1'],
  ['2a00::1', '203.0.113.8'],
])('%s and %s are in different client networks', (a, b) => {
  expect(toClientNetwork(a)).not.toBe(toClientNetwork(b));
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:ffff::2'],
  ['2a00::1', '2a00::2'],
  ['::1', '::2'],
  [null, null],
])('%s and %s are in the same client network', (a, b) => {
  expect(toClientNetwork(a)).toBe(toClientNetwork(b));
});
