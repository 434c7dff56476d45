/** Labels of requests that are not operations of the contract, by the first segment of the path. */
const LABELS = new Map([
  ['mcp', 'mcp'],
  ['oauth', 'oauth'],
  ['connect', 'oauth'],
  ['.well-known', 'oauth'],
  ['xapi', 'xapi'],
  ['scim', 'scim'],
  ['bounce-webhook', 'bounces'],
  ['setup', 'setup'],
  ['learn', 'learn'],
  ['certificates', 'learn'],
  ['packages', 'learn'],
  ['s', 'simulations'],
  ['console', 'console'],
  ['report-button', 'report-button'],
  ['assets', 'assets'],
  ['docs', 'docs'],
  ['llms.txt', 'docs'],
  ['', 'start'],
  ['robots.txt', 'start'],
]);

/**
 * Returns the label of a request, `none` for unknown paths. The labels are few, so that metrics do not grow with
 * requests.
 */
export function routeLabel(address: string): string {
  const segment = /^\/([^/?]*)/.exec(address)?.[1];
  return (segment === undefined ? undefined : LABELS.get(segment)) ?? 'none';
}
