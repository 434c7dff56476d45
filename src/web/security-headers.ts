import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * The headers that helmet sets for an API that serves no page, as name and value. They are the same for every request,
 * so they are computed once: running helmet each time costs a tenth of the throughput. Node makes a new string of each name
 * that is not in lower case.
 */
export function securityHeaders(): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  } as unknown as ServerResponse;
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
  });
  middleware({} as IncomingMessage, recorder, () => undefined);
  headers.set('cache-control', 'no-store');
  return headers;
}
