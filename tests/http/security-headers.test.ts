import { keys } from '../support/world.ts';

const OF_EVERY_ANSWER = [
  'cache-control',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
];
const OF_PAGES = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

async function found(path: string): Promise<string[]> {
  const { headers } = await fetch(testService.url + path, { headers: { authorization: `Bearer ${keys.tenant}` } });
  return [...OF_EVERY_ANSWER, ...OF_PAGES].filter((name) => headers.has(name));
}

test.each(['/v1/learners', '/v1/health', '/v1/nothing', '/V1/company?x=y', '/mcp', '/scim/v2/Users', '/xapi/about'])(
  '%s, which is for programs, has the general security headers',
  async (path) => expect(await found(path)).toEqual(OF_EVERY_ANSWER),
);

test.each(['/docs', '/learn', '/console', '/setup/x', '/nothing', '/v1x', '/'])(
  '%s, which can be a page, also has the headers for browsers',
  async (path) => expect(await found(path)).toEqual([...OF_EVERY_ANSWER, ...OF_PAGES]),
);
