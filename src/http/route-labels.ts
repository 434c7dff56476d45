/** What the requests that are no operation of the contract are called, by the first segment of their path. */
const LABELS = new Map([
  ['mcp', 'mcp'],
  ['oauth', 'oauth'],
  ['connect', 'oauth'],
  ['.well-known', 'oauth'],
  ['xapi', 'xapi'],
  ['scim', 'scim'],
  ['setup', 'setup'],
  ['learn', 'learn'],
  ['certificates', 'learn'],
  ['packages', 'learn'],
  ['s', 'simulations'],
  ['console', 'console'],
  ['assets', 'assets'],
  ['docs', 'docs'],
  ['llms.txt', 'docs'],
  ['', 'start'],
  ['robots.txt', 'start'],
]);

/** One of a few names, whatever was asked for: what counts requests by it must not grow with what clients send. */
export function routeLabel(address: string): string {
  const segment = /^\/([^/?]*)/.exec(address)?.[1];
  return (segment === undefined ? undefined : LABELS.get(segment)) ?? 'none';
}
