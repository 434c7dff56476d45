import { isLoopback } from '../config/variables.ts';
import { hasPlainHost } from './redirect-rules.ts';

/** Where a code goes, for the person who approves it. */
export interface RedirectTarget {
  kind: 'web' | 'loopback' | 'app';
  /** The host, or the scheme of an application. */
  name: string;
  /** The same as a source of a Content-Security-Policy. */
  source: string;
}

export function redirectTarget(uri: string): RedirectTarget {
  const url = new URL(uri);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { kind: 'app', name: `${url.protocol}//`, source: url.protocol };
  }
  // A policy has no form for an IPv6 address. Whatever else is no plain host would say more in a policy than where it is.
  const source = hasPlainHost(url) ? url.origin : url.protocol;
  return { kind: isLoopback(url) ? 'loopback' : 'web', name: url.host, source };
}
