import { toRateLimitNetwork } from '../../src/net/rate-limit-network.ts';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['::FFFF:203.0.113.1', '203.0.113.0/24'],
  ['2001:db8:1:23ff::1', '2001:db8:1:2300::/56'],
  ['2001:0DB8:0001:2300::', '2001:db8:1:2300::/56'],
  [null, 'unknown'],
  ['', 'unknown'],
  ['unknown', 'unknown'],
  ['203.0.113.77:51234', 'unknown'],
  ['_hidden', 'unknown'],
])('the rate-limit network of %j is %s', (address, network) => {
  expect(toRateLimitNetwork(address)).toBe(network);
});
